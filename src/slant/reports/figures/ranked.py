"""The strongest descriptors of each group, with their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.reports.figures.grid_rows import grid_cells
from slant.reports.figures.layers import RowChart, domain, ends_of, heading, plot_width
from slant.reports.figures.panel import estimates
from slant.reports.figures.select import require
from slant.reports.figures.theme import WIDE, label_width, themed

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from altair.typing import ChartType

    from slant.reports.figures.key import Sign
    from slant.reports.figures.select import Choice, Rows

_ROW = 20
_GROUPS, _EITHER_WAY = 6, 4
_SIGNS: tuple[Sign, ...] = ("within", "below", "above")


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
    picked = {
        group: _strongest(cells.filter(group=group)).select(
            pl.col("descriptor").alias("group"), "value", "low", "high", "significance"
        )
        for group in groups
    }
    label = max(label_width(part["group"].to_list(), width) for part in picked.values())
    every = pl.concat(list(picked.values()))
    ends = [0.0, *ends_of(every, "value", "low", "high")]
    panels = []
    for group, part in picked.items():
        axis = "log ratio of perplexities" if group == groups[-1] else ""
        rows = RowChart(
            part["group"].to_list(), label, plot_width(width, label, 0), 0, domain(ends), axis,
            row=_ROW,
        )  # fmt: skip
        layers: list[alt.Chart] = [heading(group, rows.left, -8)]
        for sign in _SIGNS:
            layers += estimates(part.filter(significance=sign), rows, sign, size=40)
        panels.append(rows.chart(part, layers))
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
