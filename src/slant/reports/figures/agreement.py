"""Scatter of answers to statements and their negations: is one yes where the other is no."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.select import require
from slant.reports.figures.theme import WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

_MOST = 1000
"""How many points are drawn; more only hide each other, and make the page heavy."""

_LARGEST, _MARGIN = 420, 70
_LABELS = ["Yes", "No"]
_NAMED = {
    "yes to both": (0.9, 0.97, 0),
    "no to both": (0.1, 0.03, 0),
    "consistent": (0.5, 0.55, 45),
}
"""Where a name stands, on the two scales, and its angle in degrees."""


def agreement(table: pl.DataFrame, *, title: str = "", width: int = WIDE) -> ChartType:
    """Draw P(Yes | statement) against P(Yes | its negation), one point a statement and group.

    Parameters
    ----------
    table
        Columns p_yes, p_yes_negated and label (the right answer to the statement).
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, or no probability is known.
    """
    import altair as alt

    require(table, "p_yes", "p_yes_negated", "label")
    known = table.drop_nulls(["p_yes", "p_yes_negated"])
    if known.is_empty():
        raise InputError("there are no probabilities to draw")
    # Shuffled, so that neither label lies on top of the other.
    part = known.sample(min(_MOST, known.height), shuffle=True, seed=0)
    side = min(_LARGEST, width - _MARGIN)
    ends = alt.Scale(domain=[0, 1])
    x = alt.X("x:Q", scale=ends, title="probability of yes to the statement").axis(format="%")
    y = alt.Y("y:Q", scale=ends, title="probability of yes to its negation").axis(format="%")
    diagonal = alt.Chart(alt.InlineData([{"x": 0, "y": 1}, {"x": 1, "y": 0}])).mark_line(
        color=LIGHT["tick"], strokeDash=[5, 4]
    )
    points = alt.Chart(part.select("label", x="p_yes", y="p_yes_negated")).mark_point(
        filled=True, opacity=0.4, size=26
    )
    colour = alt.Color("label:N", legend=None).scale(
        domain=_LABELS, range=[LIGHT["series"], LIGHT["within"]]
    )
    shape = alt.Shape("label:N", legend=None).scale(domain=_LABELS, range=["circle", "triangle-up"])
    layers = [diagonal.encode(x=x, y=y), points.encode(x=x, y=y, color=colour, shape=shape)]
    for words, (across, up, angle) in _NAMED.items():
        spot = alt.Chart(alt.InlineData([{"x": across, "y": up}])).encode(x=x, y=y)
        # A name must be legible on top of a thousand points.
        layers.append(spot.mark_text(text=words, angle=angle, stroke=LIGHT["paper"], strokeWidth=4))
        layers.append(spot.mark_text(text=words, angle=angle))
    chart = alt.layer(*layers, width=side, height=side)
    key = (
        "Green circles: yes is right of the statement; dark triangles: no is. A consistent model "
        "is on the dashed line, a right one at its ends: circles bottom right, triangles top left."
    )
    return themed(chart, title, [key, _count(table.height, known.height, part.height)], width)


def _count(rows: int, known: int, drawn: int) -> str:
    text = f"n = {known:,} statements about a group, each with its negation"
    if drawn < known:
        text += f"; {drawn:,} of them, drawn at random, are shown"
    if known < rows:
        text += f"; {rows - known:,} without probabilities are left out"
    return text + "."
