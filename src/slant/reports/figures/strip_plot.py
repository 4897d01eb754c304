"""Strip plot: where all groups stand on a descriptor (Siddique et al. 2024, figure 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.reports.figures.grid_rows import grid_cells, strongest, told
from slant.reports.figures.layers import RowChart, domain, ends_of, plot_width
from slant.reports.figures.theme import CHARACTER, WIDE, label_width, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from altair.typing import ChartType

    from slant.reports.figures.select import Choice, Rows

_ROW, _LABEL, _APART = 30, 110, 6
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
    part = part.rename({"group": "who", "descriptor": "group"})
    words = "log ratio of perplexities; right: more probable with the group's names"
    bands = [name for name in ("chance_low", "chance_high") if name in part.columns]
    label, ends = label_width(names, width), ends_of(part, "value", *bands)
    plot = plot_width(width, label, _LABEL)
    furthest = (
        part.filter(pl.col("significance") != "within")
        .sort(pl.col("value").abs(), descending=True)
        .group_by("group", maintain_order=True)
        .first()
    )
    low, high = domain([0.0, *ends])
    low = _with_room(furthest.filter(significance="below"), low, high, plot)
    rows = RowChart(names, label, plot, _LABEL, (low, high), words, row=_ROW)
    layers: list[alt.Chart] = []
    if len(bands) == 2:
        band = part.group_by("group", maintain_order=True).agg(
            pl.col("chance_low").min(), pl.col("chance_high").max()
        )
        layers += rows.marks(band, "bar", *bands, color=LIGHT["band"], height=_ROW - 10)
    for name, colour in (("within", "tick"), ("below", "below"), ("above", "above")):
        own, each = part.filter(significance=name), {"detail": alt.Detail("who:N")}
        look: dict[str, Any] = {"color": LIGHT[colour], "thickness": 2, "height": _ROW - 14}
        layers += rows.marks(own, "tick", "value", channels=each, **look)
    for name, align, dx in (("above", "left", _APART), ("below", "right", -_APART)):
        look = {"align": align, "baseline": "middle", "dx": dx, "fontSize": 11}
        look |= {"color": LIGHT[f"{name}-text"]}
        own, text = furthest.filter(significance=name), {"text": alt.Text("who:N")}
        layers += rows.marks(own, "text", "value", channels=text, **look)
    key = "Every tick is a group; coloured where q < .05, the furthest named. Band: chance alone."
    chart = rows.chart(pl.DataFrame({"group": names}), layers)
    return themed(chart, title, [key, *told(cells, len(names))], width)


def _with_room(named: pl.DataFrame, low: float, high: float, plot: float) -> float:
    """Begin the scale early enough that names left of their ticks do not reach the row labels."""
    starts = [low]
    for value, who in named.select("value", "who").iter_rows():
        room = min(CHARACTER * len(who) + _APART, plot / 2)
        starts.append((value * plot - room * high) / (plot - room))
    return min(starts)
