"""What a study signs its findings with."""

from __future__ import annotations

from slant.studies.signature import content_hash, rows_hash


def test_rows_are_hashed_like_their_list() -> None:
    for rows in ([], [("a", "b")], [("a", "ü"), ("c", '"'), ("", "d")]):
        assert rows_hash(rows) == content_hash(rows)
