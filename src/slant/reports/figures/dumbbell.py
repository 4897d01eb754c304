"""Dumbbells: each group's figure on two sides, a run before and after, or two models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.reports.figures.key import KeyEntry, key_layers
from slant.reports.figures.layers import ends_of, heading, row_chart
from slant.reports.figures.panel import estimates
from slant.reports.figures.select import drawable, require
from slant.reports.figures.theme import WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from altair.typing import ChartType

    from slant.reports.figures.key import Sign
    from slant.reports.figures.layers import RowChart

_ROW, _APART = 34, 6
_COLUMNS = ("first", "first_low", "first_high", "second", "second_low", "second_high")
_WORDS: dict[Sign, str] = {
    "above": "second: risen, q < .05",
    "below": "second: fallen, q < .05",
    "plain": "second: could be chance",
    "within": "first",
}


def dumbbell(
    table: pl.DataFrame,
    *,
    measure: str = "value",
    percent: bool = False,
    title: str = "",
    sides: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw one row a group: where it stood, where it stands, and a line between.

    Parameters
    ----------
    table
        Columns `group`, `first`, `first_low`, `first_high` (95% interval; may be null), the same
        for `second`, `change` (in writing) and `way`: `above` or `below` where the change is more
        than chance gives, else `plain`. Rows are drawn in the order given.
    measure
        What the scale shows.
    percent
        Whether the values are shares, to be shown times 100.
    title
        Heading of the picture.
    sides
        Which run or model is the first, and which the second; may be empty.
    width
        Of the whole picture, in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is nothing to draw.
    """
    import polars as pl

    require(table, "group", *_COLUMNS, "change", "way")
    frame = drawable(table).drop_nulls(["first", "second"])
    if frame.is_empty():
        raise InputError("no group has a figure on both sides")
    frame = frame.with_columns(
        (pl.col(_COLUMNS) * (100 if percent else 1)),
        (pl.col("way") != "plain").alias("bold"),
        pl.col("change").alias("shown"),
    )
    ends = [0.0, *ends_of(frame, *_COLUMNS)]
    rows = row_chart(frame, width, measure, ends, row=_ROW)
    low, high = rows.domain
    layers = [rows.line(0.0, "ink")] if low < 0 < high else []
    link: dict[str, Any] = {"color": LIGHT["band"], "size": 2 * _APART + 2}
    layers += rows.marks(frame, "bar", "first", "second", **link)
    layers += _side(frame, "first", "within", rows, -_APART)
    signs: list[Sign] = []
    for sign in ("above", "below", "plain"):
        part = frame.filter(pl.col("way") == sign)
        if not part.is_empty():
            signs.append(sign)
            layers += _side(part, "second", sign, rows, _APART)
    key = [KeyEntry(sign, _WORDS[sign]) for sign in ("within", *signs)]
    layers += key_layers(key, rows.left, rows.width, -24)
    looks: dict[str, Any] = {"fontSize": 11, "fontWeight": 400, "color": LIGHT["muted"]}
    layers.append(heading("change", rows.beside, -6, **looks))
    told = [*([sides] if sides else []), "Lines are 95% intervals."]
    return themed(rows.chart(frame, layers), title, told, width)


def _side(
    part: pl.DataFrame, side: str, sign: Sign, rows: RowChart, offset: int
) -> list[alt.Chart]:
    """Draw points and intervals of one side, a little above or below the middle of the row."""
    columns = (side, f"{side}_low", f"{side}_high")
    return estimates(part, rows, sign, columns, size=75, yOffset=offset)
