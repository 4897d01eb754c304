"""Dumbbells: each group's figure on two sides, a run before and after, or two models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.key import KeyEntry, fill, key_layers, stroke
from slant.reports.figures.layers import across, figures, names, rows
from slant.reports.figures.pixels import fixed
from slant.reports.figures.select import drawable, require
from slant.reports.figures.theme import CHARACTER, WIDE, label_width, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    from collections.abc import Callable

    import altair as alt
    import polars as pl
    from altair.typing import ChartType

    from slant.reports.figures.key import Sign

_ROW, _APART, _MARGIN = 34, 6, 28
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
    import altair as alt
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
    groups = frame["group"].to_list()
    label = label_width(groups, width)
    text = round(max(len(shown) for shown in frame["shown"].to_list()) * CHARACTER * 0.95) + 14
    plot = max(70, width - label - text - _MARGIN)
    ends = [end for column in _COLUMNS for end in frame[column].drop_nulls().to_list()]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    domain = (low, high) if low < high else (low - 1, high + 1)
    y = rows(groups)

    def at(column: str) -> alt.X:
        return across(column, domain, measure, plot)

    zero = alt.Chart(pl.DataFrame({"zero": [0.0]})).mark_rule(
        color=LIGHT["ink"], strokeWidth=1, strokeDash=[3, 2]
    )
    layers = [zero.encode(x=at("zero"))] if low < 0 < high else []
    link = alt.Chart(frame.select("group", "first", "second")).mark_bar(
        color=LIGHT["band"], size=2 * _APART + 2
    )
    layers.append(link.encode(x=at("first"), x2="second:Q", y=y))
    layers += _side(frame, "first", "within", -_APART, y, at)
    signs: list[Sign] = []
    for sign in ("above", "below", "plain"):
        part = frame.filter(pl.col("way") == sign)
        if not part.is_empty():
            signs.append(sign)
            layers += _side(part, "second", sign, _APART, y, at)
    layers += [figures(frame, y, plot + 14), *names(frame, y, label)]
    key = [KeyEntry(sign, _WORDS[sign]) for sign in ("within", *signs)]
    layers += key_layers(key, -label, label + plot + text, -24)
    layers.append(_heading("change", plot + 14))
    chart = alt.layer(*layers).properties(width=plot, height=_ROW * len(groups))
    told = [*([sides] if sides else []), "Lines are 95% intervals."]
    return themed(chart, title, told, width)


def _side(
    frame: pl.DataFrame, side: str, sign: Sign, offset: int, y: alt.Y, at: Callable[[str], alt.X]
) -> list[alt.Chart]:
    """Draw points and intervals of one side, a little above or below the middle of the row."""
    import altair as alt

    low, high = f"{side}_low", f"{side}_high"
    line = alt.Chart(frame.select("group", low, high).drop_nulls()).mark_rule(
        color=stroke(sign), strokeWidth=2, yOffset=offset
    )
    point = alt.Chart(frame.select("group", side)).mark_point(
        filled=False, size=75, opacity=1, strokeWidth=2, fill=fill(sign), stroke=stroke(sign),
        yOffset=offset,
    )  # fmt: skip
    return [line.encode(x=at(low), x2=f"{high}:Q", y=y), point.encode(x=at(side), y=y)]


def _heading(words: str, x: float) -> alt.Chart:
    import altair as alt

    mark = alt.Chart(alt.InlineData([{"one": 1}])).mark_text(
        align="left", baseline="middle", fontSize=11, color=LIGHT["muted"]
    )
    chart: alt.Chart = mark.encode(**fixed(x=x, y=-6, text=words))
    return chart
