"""The strongest descriptors of each group, with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.reports.figures.grid_rows import grid_cells
from slant.reports.figures.select import require
from slant.reports.figures.theme import WIDE, label_width, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

    from slant.reports.figures.select import Choice, Rows

_ROW, _MARGIN = 20, 30
_GROUPS, _EITHER_WAY = 6, 4


def ranked(table: Rows, *, view: Choice = None, title: str = "", width: int = WIDE) -> ChartType:
    """Draw, for the groups that stand out most, their strongest descriptors either way.

    Parameters
    ----------
    table, view, title, width
        As in `heatmap`, with the columns low and high.

    Raises
    ------
    InputError
        A column is missing, or there is no value to draw.
    """
    import altair as alt
    import polars as pl

    cells = grid_cells(table, view)
    require(cells, "low", "high")
    size = pl.coalesce("effect", "value").abs()
    order = (
        cells.group_by("group", maintain_order=True)
        .agg((pl.col("significance") != "within").sum().alias("sure"), size.max().alias("size"))
        .sort("sure", "size", descending=[True, True], maintain_order=True)
    )
    groups = order["group"].head(_GROUPS).to_list()
    picked = {group: _strongest(cells.filter(group=group)) for group in groups}
    left = max(label_width(part["descriptor"].to_list(), width) for part in picked.values())
    plot = max(120, width - left - _MARGIN)
    ends = pl.concat(list(picked.values())).select("value", "low", "high")
    low = float(ends.min_horizontal().min() or 0.0)  # type: ignore[arg-type] # a column of floats
    high = float(ends.max_horizontal().max() or 1.0)  # type: ignore[arg-type] # a column of floats
    scale = alt.Scale(domain=[min(low, 0.0), max(high, 0.0)])
    panels = []
    for group, part in picked.items():
        y = alt.Y("descriptor:N", sort=None, scale=alt.Scale(domain=part["descriptor"].to_list()))
        y = y.axis(labelLimit=left, title=None, minExtent=left)
        last = group == groups[-1]
        x = alt.X("low:Q", scale=scale, title="log ratio of perplexities" if last else None)
        layers = []
        for name, colour in (("within", "within"), ("below", "below"), ("above", "above")):
            own = part.filter(significance=name).select("descriptor", "value", "low", "high")
            if own.is_empty():
                continue
            base = alt.Chart(own)
            if own["low"].null_count() < own.height:
                line = base.mark_rule(color=LIGHT[colour])
                layers.append(line.encode(x=x, x2=alt.X2("high:Q"), y=y))
            point = base.mark_point(
                color=LIGHT[colour],
                fill=LIGHT["paper"] if name == "within" else LIGHT[colour],
                size=40,
                opacity=1,
            )
            layers.append(point.encode(x=alt.X("value:Q", scale=scale), y=y))
        heading = alt.TitleParams(text=group, fontSize=12, anchor="start", offset=4)
        panels.append(alt.layer(*layers, width=plot, height=_ROW * part.height, title=heading))
    key = "Filled: q < .05; hollow: could be chance. Lines are 95% intervals. Right of 0: more "
    key += "probable with this group's names than with the median of the others."
    told = f"{len(groups)} of {order.height} groups, those with most pairs beyond chance."
    return themed(alt.vconcat(*panels, spacing=14), title, [key, told], width)


def _strongest(cells: pl.DataFrame) -> pl.DataFrame:
    import polars as pl

    ordered = cells.sort("value", descending=True, maintain_order=True)
    count = min(_EITHER_WAY, ordered.height // 2 or 1)
    return pl.concat([ordered.head(count), ordered.tail(count)]).unique(
        "descriptor", maintain_order=True
    )
