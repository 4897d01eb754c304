"""Ranking: two figures of each row, such as what was promised and what was kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.select import require
from slant.reports.figures.theme import WIDE, label_width, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from altair.typing import ChartType

    from slant.records import Scale

_ROW, _MARGIN = 26, 34
_MOST = 20
_SIDES = ("first", "second")


def ranking(
    table: pl.DataFrame,
    *,
    first: str,
    second: str,
    name: str = "name",
    first_words: str = "",
    second_words: str = "",
    baseline: str = "",
    baseline_words: str = "",
    unit: Scale = "share",
    label: str = "",
    title: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw two points a row with their intervals, in the order of the table.

    Parameters
    ----------
    table
        One row a name.
    first, second
        Columns; those of their intervals, if there, are called the same with `_low` and `_high`.
        Rows without a second figure are drawn with the first alone.
    name
        Column of the rows' names.
    first_words, second_words
        What they are, for the key; the columns' names when left out.
    baseline, baseline_words
        A column with one value, drawn as a line, and what it is.
    unit
        `share` for values between 0 and 1, shown in percent, else `number`.
    label
        What the scale shows.
    title
        Heading of the picture.
    width
        Of the whole picture, in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is no value to draw.
    """
    import altair as alt

    require(table, name, first, second, *([baseline] if baseline else []))
    rows = _rows(table, name, {"first": first, "second": second}, unit)
    if rows.is_empty():
        raise InputError("there is no value to draw")
    names = rows["name"].unique(maintain_order=True).to_list()[:_MOST]
    rows = rows.filter(rows["name"].is_in(names))
    left = label_width(names, width)
    plot = width - left - _MARGIN
    y = alt.Y("name:N", sort=None, scale=alt.Scale(domain=names)).axis(
        title=None, labelLimit=left, labelColor=LIGHT["ink"], labelFontSize=12
    )
    lane = alt.YOffset("side:N", scale=alt.Scale(domain=list(_SIDES), paddingOuter=0.4))
    x = alt.X("value:Q", title=label or first, scale=alt.Scale(zero=True)).axis(
        tickCount=max(3, plot // 75)
    )
    layers = []
    if baseline and (values := table[baseline].drop_nulls().unique()).len() == 1:
        spot = alt.InlineData([{"value": values[0] * (100 if unit == "share" else 1)}])
        rule = alt.Chart(spot).mark_rule(color=LIGHT["ink"], strokeDash=[3, 2])
        layers.append(rule.encode(x=x))
    for side in _SIDES:
        layers += _side(rows.filter(side=side), side, x, y, lane)
    chart = alt.layer(*layers, width=plot, height=_ROW * len(names))
    key = f"Grey, hollow: {first_words or first}. Blue, filled: {second_words or second}."
    lines = [key + " Lines are 95% intervals." + (f" Dashed: {baseline_words}." if layers else "")]
    total = table[name].n_unique()
    if len(names) < total:
        lines.append(f"The first {len(names)} of {total}; the table has all.")
    return themed(chart, title, lines, width)


def _rows(table: pl.DataFrame, name: str, columns: dict[str, str], unit: Scale) -> pl.DataFrame:
    """Give one row a name and side, with `value`, `low` and `high`."""
    import polars as pl

    factor = 100 if unit == "share" else 1
    parts = []
    for side, column in columns.items():
        ends = {"value": column, "low": f"{column}_low", "high": f"{column}_high"}
        parts.append(
            table.select(
                pl.col(name).alias("name"),
                pl.lit(side).alias("side"),
                *(
                    (pl.col(source) if source in table.columns else pl.lit(None, pl.Float64))
                    .cast(pl.Float64)
                    .alias(role)
                    * factor
                    for role, source in ends.items()
                ),
            )
        )
    both = pl.concat(parts).filter(pl.col("value").is_finite())
    order = table.select(pl.col(name).alias("name")).unique(maintain_order=True)
    return order.join(both, on="name", how="inner", maintain_order="left")


def _side(rows: pl.DataFrame, side: str, x: alt.X, y: alt.Y, lane: alt.YOffset) -> list[alt.Chart]:
    import altair as alt

    if rows.is_empty():
        return []
    colour = LIGHT["tick" if side == "first" else "below"]
    layers = []
    spans = rows.select("name", "side", "low", "high").drop_nulls()
    if not spans.is_empty():
        rule = alt.Chart(spans).mark_rule(color=colour, strokeWidth=1.5)
        layers.append(rule.encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"), y=y, yOffset=lane))
    point = alt.Chart(rows.select("name", "side", "value")).mark_point(
        filled=False, size=60, opacity=1, strokeWidth=1.5, stroke=colour,
        fill=LIGHT["paper"] if side == "first" else colour,
    )  # fmt: skip
    return [*layers, point.encode(x=x, y=y, yOffset=lane)]
