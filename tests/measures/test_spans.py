from __future__ import annotations

import polars as pl

from slant.measures.spans import score_by_spans


def find_x(text: str) -> list[tuple[int, int]]:
    return [(place, place + 1) for place, sign in enumerate(text) if sign == "x"]


def test_the_table_has_a_row_a_text_in_order() -> None:
    texts = pl.Series(["axbx", "", "none", " \n\u00a0", "y"])
    table = score_by_spans(texts, "[xy]", find_x)
    assert table.schema == {
        "value": pl.Float64,
        "reason": pl.String,
        "spans": pl.List(pl.List(pl.UInt32)),
    }
    assert table.to_dict(as_series=False) == {
        "value": [1.0, None, 0.0, None, 0.0],
        "reason": [None, "empty text", None, "empty text", None],
        "spans": [[[1, 2], [3, 4]], [], [], [], []],
    }


def test_no_texts_give_an_empty_table() -> None:
    table = score_by_spans(pl.Series([], dtype=pl.String), "x", find_x)
    assert table.height == 0
    assert table.columns == ["value", "reason", "spans"]


def test_a_missing_text_is_not_a_zero() -> None:
    table = score_by_spans(pl.Series([None, "x"], dtype=pl.String), "x", find_x)
    assert table["value"].to_list() == [None, 1.0]
