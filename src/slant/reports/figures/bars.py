"""Group bars with intervals, as in Figure 1c of Abid et al. (2021)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.layers import ends_of, row_chart
from slant.reports.figures.select import (
    Choice,
    Rows,
    by_roles,
    drawable,
    factor_of,
    require,
    select,
)
from slant.reports.figures.theme import WIDE, themed
from slant.reports.numbers import with_range
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from altair.typing import ChartType

    from slant.records import Scale


def bars(
    table: Rows,
    *,
    group: str = "group",
    value: str = "value",
    low: str = "low",
    high: str = "high",
    unit: Scale = "share",
    label: str = "",
    emphasis: str = "",
    metric: Choice = None,
    contrast: Choice = None,
    condition: Choice = None,
    title: str = "",
    subtitle: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw one bar a group from zero, with its interval on top and its value beside it.

    Parameters
    ----------
    table
        Findings, or any table.
    group, value, low, high
        Its columns; the last two may be missing.
    unit
        `share` for values between 0 and 1, shown in percent, else `number`.
    label
        What the scale shows.
    emphasis
        A group to point out.
    metric, contrast, condition
        Which of the findings to show.
    title, subtitle
        Heading of the picture.
    width
        Of the whole picture, in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is no value to draw.
    """
    import polars as pl

    chosen = drawable(select(table, metric=metric, contrast=contrast, condition=condition))
    require(chosen, group, value)
    frame = by_roles(chosen, {"group": group, "value": value, "low": low, "high": high})
    frame = frame.drop_nulls("value")
    if frame.is_empty():
        raise InputError("there is no value to draw")
    frame = _scaled(frame, unit).with_columns((pl.col("group") == emphasis).alias("bold"))
    frame = frame.sort("value", descending=True, maintain_order=True)
    ends = [0.0, *ends_of(frame, "value", "low", "high")]
    axis = label or ("%" if unit == "share" else value)
    rows = row_chart(frame, width, axis, ends if any(ends) else [0, 1])
    layers: list[alt.Chart] = []
    for bold, colour in ((False, "bar"), (True, "within")):
        layers += rows.marks(frame.filter(bold=bold), "bar", "value", color=LIGHT[colour])
    layers += rows.marks(frame, "rule", "low", "high", color=LIGHT["ink"], strokeWidth=1.5)
    return themed(rows.chart(frame, layers), title, [subtitle] if subtitle else [], width)


def _scaled(frame: pl.DataFrame, unit: Scale) -> pl.DataFrame:
    import polars as pl

    shown = [
        with_range(row["value"], row["low"], row["high"], unit)
        for row in frame.iter_rows(named=True)
    ]
    return frame.with_columns(
        pl.col("value", "low", "high") * factor_of(unit), pl.Series("shown", shown, pl.String)
    )
