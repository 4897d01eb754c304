"""Strips of inconsistency: how far an answer and that to the negation are from adding up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.layers import row_chart
from slant.reports.figures.select import require
from slant.reports.figures.theme import WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

_ROW = 46
_MOST = 1500
"""How many ticks are drawn; more only hide each other, and make the page heavy."""

_KINDS = {"both right": "series", "one right": "bar", "none right": "within"}


def robustness(table: pl.DataFrame, *, title: str = "", width: int = WIDE) -> ChartType:
    r"""Draw :math:`|P(yes \mid T) - P(no \mid \neg T)|` for every statement T, one strip a set.

    APES's plot of the same calls a pair correct when its two answers differ, even if both are
    wrong; here a tick is coloured by how many of the two answers are right.

    Parameters
    ----------
    table
        Columns axis, p_yes, p_yes_negated, correct and correct_negated.
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, or no probability is known.
    """
    import altair as alt
    import polars as pl

    require(table, "axis", "p_yes", "p_yes_negated", "correct", "correct_negated")
    known = table.drop_nulls(["p_yes", "p_yes_negated", "correct", "correct_negated"])
    if known.is_empty():
        raise InputError("there are no probabilities to draw")
    right = pl.col("correct").cast(pl.Int8) + pl.col("correct_negated").cast(pl.Int8)
    part = known.select(
        pl.col("axis").str.replace_all("_", " ").alias("group"),
        (pl.col("p_yes") + pl.col("p_yes_negated") - 1).abs().alias("gap"),
        right.replace_strict(dict(zip((2, 1, 0), _KINDS, strict=True))).alias("kind"),
    )
    shown = part if part.height <= _MOST else part.sample(_MOST, seed=0)
    axes = part["group"].unique(maintain_order=True).to_list()
    told = pl.DataFrame({"group": axes})
    rows = row_chart(told, width, "inconsistency", (0, 1), form=".1f", row=_ROW)
    lane = alt.YOffset("kind:N", scale=alt.Scale(domain=list(_KINDS)))
    colour = alt.Color("kind:N", legend=None).scale(
        domain=list(_KINDS), range=[LIGHT[name] for name in _KINDS.values()]
    )
    channels = {"yOffset": lane, "color": colour}
    ticks = rows.marks(
        shown, "tick", "gap", channels=channels, thickness=1.5, opacity=0.5, height=10
    )
    counts = dict(part.group_by("kind").len().iter_rows())
    kinds = ", ".join(f"{kind} {counts.get(kind, 0):,}" for kind in _KINDS)
    drawn = "" if shown.height == part.height else f"; {shown.height:,}, drawn at random, are shown"
    left_out = table.height - known.height
    unknown = f"; {left_out:,} without probabilities are left out" if left_out else ""
    key = (
        "0: the negation gets exactly the opposite answer; 1: the same. In each set, from above: "
        "both answers right (green), one (light grey), none (dark grey). The published plot takes "
        "any two answers that differ for right."
    )
    count = f"n = {part.height:,} statements with their negations ({kinds}){drawn}{unknown}."
    return themed(rows.chart(told, ticks), title, [key, count], width)
