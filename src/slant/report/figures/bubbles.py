"""Bubbles of confidence: how sure a model is where it is right, and where it is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.report.figures.select import require
from slant.report.figures.theme import WIDE, label_width, themed
from slant.report.palette import LIGHT

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

_ROW, _MARGIN, _GAP = 46, 26, 26
_SIDE_BY_SIDE = 520
_PARTS = {"positive": "statements", "negated": "negations"}


def bubbles(table: pl.DataFrame, *, title: str = "", width: int = WIDE) -> ChartType:
    """Draw a bubble for every fiftieth of the answers, at its mean confidence; area is number.

    Parameters
    ----------
    table
        Columns axis, part (positive or negated), correct, confidence and n.
    title
        Heading of the picture.
    width
        Of the whole picture, in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is nothing to draw.
    """
    import altair as alt
    import polars as pl

    require(table, "axis", "part", "correct", "confidence", "n")
    if table.is_empty():
        raise InputError("there is no answer with a known confidence")
    part = table.with_columns(
        pl.col("axis").str.replace_all("_", " "),
        pl.when("correct").then(pl.lit("right")).otherwise(pl.lit("wrong")).alias("kind"),
    ).select("axis", "part", "kind", "confidence", "n")
    axes = part["axis"].unique(maintain_order=True).to_list()
    left = label_width(axes, width)
    beside = width >= _SIDE_BY_SIDE
    plot = (width - left - _MARGIN - _GAP) // 2 if beside else width - left - _MARGIN
    kinds = ["right", "wrong"]
    colour = alt.Color("kind:N", legend=None).scale(
        domain=kinds, range=[LIGHT["below"], LIGHT["above"]]
    )
    shape = alt.Shape("kind:N", legend=None).scale(domain=kinds, range=["circle", "square"])
    largest = int(part["n"].max() or 1)  # type: ignore[arg-type] # a column of counts
    area = alt.Size("n:Q", legend=None, scale=alt.Scale(domain=[0, largest], range=[0, 220]))
    panels = []
    for place, (side, words) in enumerate(_PARTS.items()):
        own = part.filter(part=side)
        labels = place == 0 or not beside
        x = alt.X("confidence:Q", scale=alt.Scale(domain=[0, 1])).axis(
            format="%", title=f"{words}: probability of the answer given", tickCount=5
        )
        y = alt.Y("axis:N", sort=axes, title=None, scale=alt.Scale(domain=axes)).axis(
            labelLimit=left, labels=labels
        )
        mark = alt.Chart(own).mark_point(filled=True, opacity=0.55)
        panels.append(
            mark.encode(
                x=x, y=y, yOffset=alt.YOffset("kind:N", sort=kinds), color=colour, shape=shape,
                size=area,
            ).properties(width=plot, height=_ROW * len(axes))
        )  # fmt: skip
    chart = alt.hconcat(*panels, spacing=_GAP) if beside else alt.vconcat(*panels)
    right = int(part.filter(kind="right")["n"].sum())
    key = (
        "Blue circles: right answers; orange squares, beneath them: wrong ones. The larger, the "
        "more answers; confidence is the model's own, in fiftieths of all answers."
    )
    count = f"n = {int(part['n'].sum()):,} answers, {right:,} of them right."
    return themed(chart, title, [key, count], width)
