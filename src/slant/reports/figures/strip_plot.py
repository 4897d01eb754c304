"""IntervalGlyph plot: where all groups stand on a descriptor (Siddique et al. 2024, figure 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.reports.figures.grid_rows import grid_cells, strongest, told
from slant.reports.figures.theme import WIDE, label_width, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    from altair.typing import ChartType

    from slant.reports.figures.select import Choice, Rows

_ROW, _LABEL, _MARGIN = 30, 110, 24
_MOST = 12


def strip(table: Rows, *, view: Choice = None, title: str = "", width: int = WIDE) -> ChartType:
    """Draw a tick for every group on the strongest descriptors, and name those beyond chance.

    Parameters
    ----------
    table, view, title, width
        As in `heatmap`; columns chance_low and chance_high, if there, are drawn as a band.

    Raises
    ------
    InputError
        A column is missing, or there is no value to draw.
    """
    import altair as alt
    import polars as pl

    cells = grid_cells(table, view)
    names = strongest(cells, _MOST)
    part = cells.filter(pl.col("descriptor").is_in(names))
    left = label_width(names, width)
    plot = max(120, width - left - _LABEL - _MARGIN)
    y = alt.Y("descriptor:N", sort=None, scale=alt.Scale(domain=names)).axis(
        labelLimit=left, title=None
    )
    words = "log ratio of perplexities; right: more probable with the group's names"
    layers = []
    if {"chance_low", "chance_high"} <= set(part.columns):
        band = part.group_by("descriptor", maintain_order=True).agg(
            pl.col("chance_low").min(), pl.col("chance_high").max()
        )
        if band["chance_low"].null_count() < band.height:
            mark = alt.Chart(band).mark_bar(color=LIGHT["band"], height=_ROW - 10)
            layers.append(
                mark.encode(x=alt.X("chance_low:Q", title=words), x2=alt.X2("chance_high:Q"), y=y)
            )
    for name, colour in (("within", "tick"), ("below", "below"), ("above", "above")):
        own = part.filter(significance=name).select("group", "descriptor", "value")
        if not own.is_empty():
            mark = alt.Chart(own).mark_tick(color=LIGHT[colour], thickness=2, height=_ROW - 14)
            layers.append(mark.encode(x=alt.X("value:Q", title=words), y=y))
    named = (
        part.filter(pl.col("significance") != "within")
        .sort(pl.col("value").abs(), descending=True)
        .group_by("descriptor", maintain_order=True)
        .first()
        .select("group", "descriptor", "value", "significance")
    )
    right = named.filter(significance="above")
    if not right.is_empty():
        text = alt.Chart(right).mark_text(
            align="left", baseline="middle", dx=6, fontSize=11, color=LIGHT["above-text"]
        )
        layers.append(text.encode(x=alt.X("value:Q"), y=y, text=alt.Text("group:N")))
    below = named.filter(significance="below")
    if not below.is_empty():
        text = alt.Chart(below).mark_text(
            align="right", baseline="middle", dx=-6, fontSize=11, color=LIGHT["below-text"]
        )
        layers.append(text.encode(x=alt.X("value:Q"), y=y, text=alt.Text("group:N")))
    chart = alt.layer(*layers, width=plot, height=_ROW * len(names))
    key = "Every tick is a group; coloured where q < .05, the furthest named. Band: chance alone."
    return themed(chart, title, [key, *told(cells, len(names))], width)
