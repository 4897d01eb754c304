"""How a measure is spread in each group: box plots (Salinas et al. 2023, figures 5 and 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.reports.figures.layers import ROW, row_chart
from slant.reports.figures.select import Choice, Rows, drawable, require, select
from slant.reports.figures.theme import WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from altair.typing import ChartType

    from slant.reports.figures.layers import RowChart

_FENCE = 1.5
_OUTLIERS = 40
"""Most outliers drawn of one box; the farthest."""

_SERIES = ("bar", "series", "tick")


def boxes(
    table: Rows,
    *,
    value: str = "value",
    group: str = "group",
    series: str = "",
    label: str = "",
    view: Choice = None,
    title: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw a box for every group: quartiles, whiskers, and what lies beyond them.

    Whiskers reach the farthest value within 1.5 interquartile ranges of the box (Tukey, 1977).
    A dashed line is the median of all values: where every box would be if the group did not
    matter. Groups are sorted by their median, highest first.

    Parameters
    ----------
    table
        One row an observation.
    value, group
        Its columns.
    series
        Column with up to three conditions, which are drawn beneath each other in every group.
    label
        What the scale shows.
    view
        Which rows to show, where the table has such a column.
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, there are more than three conditions, or there is no value to draw.
    """
    import polars as pl

    chosen = drawable(select(table, view=view))
    require(chosen, group, value, *([series] if series else []))
    frame = chosen.select(
        pl.col(group).alias("group"),
        pl.col(value).cast(pl.Float64).fill_nan(None).alias("value"),
        (pl.col(series).cast(pl.String) if series else pl.lit("")).alias("series"),
    ).drop_nulls(["group", "value"])
    if frame.is_empty():
        raise InputError("there is no value to draw")
    conditions = frame["series"].unique(maintain_order=True).to_list()
    if len(conditions) > len(_SERIES):
        raise InputError(f"column {series!r} has {len(conditions)} values; at most 3 can be drawn")
    order = frame.group_by("group").agg(pl.col("value").median(), pl.len().alias("n"))
    order = order.sort("value", "group", descending=[True, False])
    counts = pl.Series("shown", [f"n = {n:,}" for n in order["n"].to_list()], pl.String)
    counted = order.select("group", counts)
    ends, height = frame["value"].to_list(), max(ROW, 15 * len(conditions) + 8)
    rows = row_chart(counted, width, label or value, ends, row=height)
    middle: Any = frame["value"].median()
    layers = [rows.line(middle, "tick", (4, 3)), *_drawn(frame, rows, conditions)]
    key = (
        "Box: quartiles and median. Whiskers: within 1.5 interquartile ranges. Dashed: the "
        "median of all."
    )
    lines = [key]
    if len(conditions) > 1:
        shown = zip(("light grey", "green", "dark grey"), conditions, strict=False)
        lines.append("From top to bottom: " + ", ".join(f"{c} {name}" for c, name in shown) + ".")
    lost = chosen.height - frame.height
    if lost:
        lines.append(f"{lost:,} of {chosen.height:,} observations have no value and are not drawn.")
    return themed(rows.chart(counted, layers), title, lines, width)


def _summaries(frame: pl.DataFrame) -> pl.DataFrame:
    """Compute quartiles and whiskers of every group and condition."""
    import polars as pl

    value = pl.col("value")
    quartiles = frame.group_by("group", "series", maintain_order=True).agg(
        value.quantile(0.25, "linear").alias("lower"),
        value.median().alias("median"),
        value.quantile(0.75, "linear").alias("upper"),
    )
    reach = _FENCE * (pl.col("upper") - pl.col("lower"))
    fenced = frame.join(quartiles, on=["group", "series"]).filter(
        (value >= pl.col("lower") - reach) & (value <= pl.col("upper") + reach)
    )
    whiskers = fenced.group_by("group", "series").agg(
        value.min().alias("low"), value.max().alias("high")
    )
    return quartiles.join(whiskers, on=["group", "series"], maintain_order="left")


def _drawn(frame: pl.DataFrame, rows: RowChart, conditions: list[str]) -> list[alt.Chart]:
    import altair as alt

    told = _summaries(frame)
    outside = _outside(frame, told)
    lane = alt.YOffset("series:N", scale=alt.Scale(domain=conditions, paddingInner=0.25))
    size = max(8, 0.6 * (ROW - 8) / len(conditions))
    layers = []
    for condition, name in zip(conditions, _SERIES, strict=False):
        part, grey = told.filter(series=condition), LIGHT["within"]
        own, lanes = outside.filter(series=condition), {"yOffset": lane}
        box: dict[str, Any] = {"color": LIGHT[name], "stroke": grey, "strokeWidth": 0.8}
        tick: dict[str, Any] = {"color": LIGHT["ink"], "thickness": 2.5, "height": size}
        layers += [
            *rows.marks(part, "rule", "low", "high", channels=lanes, color=grey),
            *rows.marks(part, "bar", "lower", "upper", channels=lanes, **box),
            *rows.marks(part, "tick", "median", channels=lanes, **tick),
            *rows.marks(own, "point", "value", channels=lanes, color=grey, size=9, opacity=0.6),
        ]
    return layers


def _outside(frame: pl.DataFrame, told: pl.DataFrame) -> pl.DataFrame:
    """Find what lies beyond the whiskers, the farthest of each box."""
    import polars as pl

    ends = told.select("group", "series", "low", "high")
    reach = pl.col("high") - pl.col("low")
    return (
        frame.join(ends, on=["group", "series"])
        .filter((pl.col("value") < pl.col("low")) | (pl.col("value") > pl.col("high")))
        .with_columns(((pl.col("value") - pl.col("low")) / (reach + 1e-12)).abs().alias("far"))
        .sort("far", descending=True)
        .group_by("group", "series", maintain_order=True)
        .head(_OUTLIERS)
        .select("group", "series", "value")
    )
