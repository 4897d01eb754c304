"""How a measure is spread in each group: box plots (Salinas et al. 2023, figures 5 and 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.layers import ROW, across, figures, names, rows
from slant.reports.figures.select import Choice, Rows, drawable, require, select
from slant.reports.figures.theme import CHARACTER, WIDE, label_width, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from altair.typing import ChartType

_MARGIN = 24
_FENCE = 1.5
_OUTLIERS = 40
"""Most outliers drawn of one box; the farthest."""

_SERIES = ("bar", "below", "above")


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
    title
        Heading of the picture.
    width
        Of the whole picture, in pixels.

    Raises
    ------
    InputError
        A column is missing, there are more than three conditions, or there is no value to draw.
    """
    import altair as alt
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
    told = _summaries(frame)
    order = frame.group_by("group").agg(pl.col("value").median(), pl.len().alias("n"))
    order = order.sort("value", "group", descending=[True, False])
    groups = order["group"].to_list()
    counted = order.select(
        "group",
        pl.Series("shown", [f"n = {n:,}" for n in order["n"].to_list()], pl.String),
        pl.lit(False).alias("bold"),
    )
    left = label_width(groups, width)
    right = round(max(map(len, counted["shown"].to_list())) * CHARACTER) + 10
    plot = max(80, width - left - right - _MARGIN)
    height = max(ROW, 15 * len(conditions) + 8)
    x_domain = (float(frame["value"].min()), float(frame["value"].max()))  # type: ignore[arg-type]
    if x_domain[0] == x_domain[1]:
        x_domain = (x_domain[0], x_domain[0] + 1)
    middle = pl.DataFrame({"at": [frame["value"].median()]})
    rule = alt.Chart(middle).mark_rule(color=LIGHT["tick"], strokeDash=[4, 3])
    layers = [
        rule.encode(x=across("at", x_domain, label or value, plot)),
        *_drawn(told, frame, groups, conditions, (x_domain, label or value, plot)),
        *names(counted, rows(groups), left),
        figures(counted, rows(groups), plot + 10),
    ]
    chart = alt.layer(*layers, width=plot, height=height * len(groups))
    key = (
        "Box: quartiles and median. Whiskers: within 1.5 interquartile ranges. Dashed: the "
        "median of all."
    )
    lines = [key]
    if len(conditions) > 1:
        shown = zip(("grey", "blue", "orange"), conditions, strict=False)
        lines.append("From top to bottom: " + ", ".join(f"{c} {name}" for c, name in shown) + ".")
    lost = chosen.height - frame.height
    if lost:
        lines.append(f"{lost:,} of {chosen.height:,} observations have no value and are not drawn.")
    return themed(chart, title, lines, width)


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


def _drawn(
    told: pl.DataFrame,
    frame: pl.DataFrame,
    groups: list[str],
    conditions: list[str],
    scale: tuple[tuple[float, float], str, int],
) -> list[alt.Chart]:
    import altair as alt
    import polars as pl

    y = rows(groups)
    domain, words, plot = scale

    def x(column: str) -> alt.X:
        return across(column, domain, words, plot)

    lane = alt.YOffset("series:N", scale=alt.Scale(domain=conditions, paddingInner=0.25))
    ends = told.select("group", "series", "low", "high")
    reach = pl.col("high") - pl.col("low")
    outside = (
        frame.join(ends, on=["group", "series"])
        .filter((pl.col("value") < pl.col("low")) | (pl.col("value") > pl.col("high")))
        .with_columns(((pl.col("value") - pl.col("low")) / (reach + 1e-12)).abs().alias("far"))
        .sort("far", descending=True)
        .group_by("group", "series", maintain_order=True)
        .head(_OUTLIERS)
        .select("group", "series", "value")
    )
    layers = []
    for condition, name in zip(conditions, _SERIES, strict=False):
        part = told.filter(series=condition)
        base = alt.Chart(part.select("group", "series", "low", "high"))
        line = base.mark_rule(color=LIGHT["within"])
        layers.append(line.encode(x=x("low"), x2=alt.X2("high:Q"), y=y, yOffset=lane))
        box = alt.Chart(part.select("group", "series", "lower", "upper"))
        bar = box.mark_bar(color=LIGHT[name], stroke=LIGHT["within"], strokeWidth=0.8)
        layers.append(bar.encode(x=x("lower"), x2=alt.X2("upper:Q"), y=y, yOffset=lane))
        tick = alt.Chart(part.select("group", "series", "median"))
        size = max(8, 0.6 * (ROW - 8) / len(conditions))
        mark = tick.mark_tick(color=LIGHT["ink"], thickness=2.5, height=size)
        layers.append(mark.encode(x=x("median"), y=y, yOffset=lane))
        own = outside.filter(series=condition)
        if not own.is_empty():
            dots = alt.Chart(own).mark_point(color=LIGHT["within"], size=9, opacity=0.6)
            layers.append(dots.encode(x=x("value"), y=y, yOffset=lane))
    return layers
