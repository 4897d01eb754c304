"""Ranking: two figures of each row, such as what was promised and what was kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.reports.figures.layers import ends_of, row_chart
from slant.reports.figures.select import by_roles, factor_of, require
from slant.reports.figures.theme import WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

    from slant.records import Scale

_ROW, _MOST = 26, 20
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
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is no value to draw.
    """
    import altair as alt
    import polars as pl

    require(table, name, first, second, *([baseline] if baseline else []))
    frame = _sides(table, name, {"first": first, "second": second}, unit)
    if frame.is_empty():
        raise InputError("there is no value to draw")
    names = frame["group"].unique(maintain_order=True)[:_MOST]
    frame = frame.filter(pl.col("group").is_in(names.to_list()))
    known = table[baseline].drop_nulls().unique().to_list() if baseline else []
    lines = [known[0] * factor_of(unit)] if len(known) == 1 else []
    told = names.to_frame()
    ends = [0.0, *lines, *ends_of(frame, "value", "low", "high")]
    rows = row_chart(told, width, label or first, ends, row=_ROW)
    lane = alt.YOffset("side:N", scale=alt.Scale(domain=list(_SIDES), paddingOuter=0.4))
    layers = [rows.line(value, "ink") for value in lines]
    for side in _SIDES:
        colour = LIGHT["tick" if side == "first" else "series"]
        own, lanes = frame.filter(side=side), {"yOffset": lane}
        point: dict[str, Any] = {
            "filled": False,
            "size": 60,
            "opacity": 1,
            "strokeWidth": 1.5,
            "stroke": colour,
        }
        inside = LIGHT["paper"] if side == "first" else colour
        layers += [
            *rows.marks(own, "rule", "low", "high", channels=lanes, color=colour, strokeWidth=1.5),
            *rows.marks(own, "point", "value", channels=lanes, fill=inside, **point),
        ]
    key = f"Grey, hollow: {first_words or first}. Green, filled: {second_words or second}."
    key += " Lines are 95% intervals." + (f" Dashed: {baseline_words}." if lines else "")
    total = table[name].n_unique()
    cut = f"The first {len(names)} of {total}; the table has all."
    return themed(rows.chart(told, layers), title, [key, cut][: 1 + (len(names) < total)], width)


def _sides(table: pl.DataFrame, name: str, columns: dict[str, str], unit: Scale) -> pl.DataFrame:
    """Give one row a name and side, with `value`, `low` and `high`."""
    import polars as pl

    parts = [
        by_roles(table, {"group": name, "value": column, "low": f"{column}_low",
                         "high": f"{column}_high"})
        .with_columns(pl.col("value", "low", "high").cast(pl.Float64) * factor_of(unit),
                      pl.lit(side).alias("side"))
        for side, column in columns.items()
    ]  # fmt: skip
    both = pl.concat(parts).filter(pl.col("value").is_finite())
    order = table.select(pl.col(name).alias("group")).unique(maintain_order=True)
    return order.join(both, on="group", how="inner", maintain_order="left")
