"""The table that a measure returns: from the places that it finds in texts, or from numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

Span: TypeAlias = tuple[int, int]
"""Where something stands in a text: [start, end) in characters."""

EMPTY_TEXT = "empty text"
NO_NUMBER = "the measure gives this text no number"

SAYS = r"[^\s\p{Cc}]"
"""What no empty text has: anything but white space and control characters."""

_SPANS = pl.List(pl.List(pl.UInt32))


def score_by_spans(
    texts: pl.Series, candidate: str, find: Callable[[str], list[Span]]
) -> pl.DataFrame:
    """Score 1 where something is found, 0 where nothing is, and null where there is no text.

    Parameters
    ----------
    texts
        Strings.
    candidate
        Regular expression of the Rust `regex` crate that every text with a find matches: it is
        run over the whole column, so that `find` sees few texts.
    find
        Finds the places in one text, in order.

    Returns
    -------
    polars.DataFrame
        `value`, `reason` and `spans`, as every measure returns them.
    """
    texts = texts.cast(pl.String).fill_null("")
    rows = texts.str.contains(candidate).arg_true()
    found = [find(text) for text in texts.gather(rows).to_list()]
    hit = np.array([bool(spans) for spans in found], dtype=bool)
    values = np.zeros(len(texts))
    values[rows.to_numpy()[hit]] = 1.0
    # Most texts hold nothing: they all share the empty list that stands first.
    place = np.zeros(len(texts), dtype=np.uint32)
    place[rows.to_numpy()[hit]] = np.arange(1, hit.sum() + 1)
    distinct: list[list[Span]] = [[], *(spans for spans in found if spans)]
    spans = pl.Series("spans", distinct, dtype=_SPANS).gather(pl.Series(place))
    has_text = texts.str.contains(SAYS)
    return pl.DataFrame({"value": values, "has_text": has_text, "spans": spans}).select(
        pl.when("has_text").then("value").alias("value"),
        pl.when("has_text").then(None).otherwise(pl.lit(EMPTY_TEXT)).alias("reason"),
        "spans",
    )


def numbered(texts: pl.Series, values: ArrayLike) -> pl.DataFrame:
    """Score texts by numbers, which no span caused; null where there is no text.

    Parameters
    ----------
    texts
        Strings.
    values
        A number for each; NaN where it has none.

    Returns
    -------
    polars.DataFrame
        `value`, `reason` and `spans`, as every measure returns them.
    """
    texts = texts.cast(pl.String).fill_null("")
    given = pl.Series("value", np.asarray(values, dtype=np.float64)).fill_nan(None)
    nothing = pl.Series("spans", [[]], dtype=_SPANS).new_from_index(0, len(texts))
    has_text = texts.str.contains(SAYS)
    return pl.DataFrame({"given": given, "has_text": has_text, "spans": nothing}).select(
        pl.when("has_text").then("given").alias("value"),
        pl.when(~pl.col("has_text"))
        .then(pl.lit(EMPTY_TEXT))
        .when(pl.col("given").is_null())
        .then(pl.lit(NO_NUMBER))
        .alias("reason"),
        "spans",
    )
