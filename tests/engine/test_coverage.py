"""Too few answers: which study of which model, and why."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from slant.engine.coverage import too_few_answers


def told(rows: Sequence[tuple[str, str, str, str | None]], floor: float = 0.5) -> str | None:
    frame = pl.DataFrame(rows, schema=["model", "study", "outcome", "reason"], orient="row")
    return too_few_answers(frame.with_row_index("position").lazy(), floor)


def test_every_study_of_every_model_is_held_to_the_floor() -> None:
    good, bad = ("m", "a", "answered", None), ("m", "b", "refused", "policy")
    assert told([good, good]) is None
    assert told([]) is None
    found = told([good] * 50 + [bad] * 2 + [("m", "b", "error", "down")])
    assert found is not None
    assert "b of m: 0 of 3 questions were answered (0%; 2 refused, 1 failed" in found
    assert "most often since 'policy'" in found
    assert "a of m" not in found


def test_half_is_enough_and_nothing_never_is() -> None:
    rows: list[tuple[str, str, str, str | None]]
    rows = [("m", "a", "answered", None), ("m", "a", "unparseable", "?")]
    assert told(rows) is None
    assert told(rows, 0.51) is not None
    assert told(rows[1:], 0.0) is not None
