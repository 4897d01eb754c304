"""Parts that pictures with one row a group have in common."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from slant.reports.figures.pixels import fixed
from slant.reports.figures.theme import CHARACTER
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt
    import polars as pl

ROW = 25
"""Height of a row, in pixels."""


def rows(groups: Sequence[str]) -> alt.Y:
    """Give every group a row, in the order listed; the names are drawn as marks."""
    import altair as alt

    scale = alt.Scale(domain=list(groups), paddingInner=0.3, paddingOuter=0.15)
    return alt.Y("group:N", sort=None, axis=None, scale=scale)


def names(frame: pl.DataFrame, y: alt.Y, width: int) -> list[alt.Chart]:
    """Write the groups' names at the left edge, in bold where the column `bold` says so."""
    import altair as alt

    layers = []
    for bold in (False, True):
        part = frame.filter(frame["bold"] == bold).select("group")
        if part.is_empty():
            continue
        mark = alt.Chart(part).mark_text(
            align="left",
            baseline="middle",
            fontWeight=700 if bold else 400,
            limit=width - 10,
            color=LIGHT["ink"],
        )
        layers.append(mark.encode(y=y, text=alt.Text("group:N"), **fixed(x=-width)))
    return layers


def figures(frame: pl.DataFrame, y: alt.Y, x: float) -> alt.Chart:
    """Write the column `shown` to the right of the plot."""
    import altair as alt

    mark = alt.Chart(frame.select("group", "shown")).mark_text(
        align="left", baseline="middle", fontSize=11, color=LIGHT["ink"]
    )
    chart: alt.Chart = mark.encode(y=y, text=alt.Text("shown:N"), **fixed(x=x))
    return chart


def heading(words: str, left: float, y: float) -> alt.Chart:
    """Write a panel's heading above it."""
    import altair as alt

    mark = alt.Chart(alt.InlineData([{"one": 1}])).mark_text(
        align="left", baseline="middle", fontWeight=600, color=LIGHT["ink"]
    )
    chart: alt.Chart = mark.encode(**fixed(x=left, y=y, text=words))
    return chart


def across(
    column: str, domain: tuple[float, float], words: str, plot: int, *, log: bool = False
) -> alt.X:
    """Place a column on a scale that all layers of a plot share.

    Parameters
    ----------
    column
        What to place.
    domain
        Ends of the scale, widened to round numbers.
    words
        What the scale shows.
    plot
        Width in pixels, which decides how many numbers fit.
    log
        Whether the scale is logarithmic.
    """
    import altair as alt

    # A title that is wider than the plot would make the whole picture wider.
    lines = textwrap.wrap(words, max(12, int(plot / CHARACTER)))
    title = lines if len(lines) > 1 else words
    return alt.X(
        f"{column}:Q",
        scale=alt.Scale(domain=list(domain), nice=True, type="log" if log else "linear"),
        axis=alt.Axis(title=title, tickCount=max(3, plot // 75)),
    )
