"""Bubbles of confidence: how sure a model is where it is right, and where it is wrong."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.layers import RowChart, plot_width
from slant.reports.figures.select import require
from slant.reports.figures.theme import WIDE, label_width, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

_ROW, _GAP = 46, 26
_SIDE_BY_SIDE = 520
_PARTS = {"positive": "statements", "negated": "negations"}
_SHAPES = {"right": "circle", "wrong": "square"}

_BUBBLES = 10
"""How many stand in a row at most; buckets are drawn together until they are no more."""

_LARGEST = 260
"""Area of the largest bubble, in square pixels."""


def bubbles(table: pl.DataFrame, *, title: str = "", width: int = WIDE) -> ChartType:
    """Draw a bubble for every tenth of the answers, at its mean confidence; area is number.

    Parameters
    ----------
    table
        Columns axis, part (positive or negated), correct, bucket, confidence and n.
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is nothing to draw.
    """
    import altair as alt
    import polars as pl

    require(table, "axis", "part", "correct", "bucket", "confidence", "n")
    if table.is_empty():
        raise InputError("there is no answer with a known confidence")
    part = _lumped(table)
    axes = part["group"].unique(maintain_order=True).to_list()
    label = label_width(axes, width)
    beside = width >= _SIDE_BY_SIDE
    plot = plot_width(width, label, 0, 2 if beside else 1)
    kinds = list(_SHAPES)
    colour = alt.Color("kind:N", legend=None).scale(
        domain=kinds, range=[LIGHT["series"], LIGHT["within"]]
    )
    channels = {
        "color": colour,
        "shape": alt.Shape("kind:N", legend=None).scale(domain=kinds, range=[*_SHAPES.values()]),
        "size": alt.Size("size:Q", legend=None, scale=None),
        "tooltip": alt.Tooltip("n:Q"),
        "yOffset": alt.YOffset("kind:N", scale=alt.Scale(domain=kinds)),
    }
    told, panels = pl.DataFrame({"group": axes}), []
    for place, (side, words) in enumerate(_PARTS.items()):
        own, axis = part.filter(part=side), f"{words}: probability of the answer given"
        if own.is_empty():
            continue
        named = 0 if place and beside else label
        rows = RowChart(axes, named, plot, 0, (0, 1), axis, form="%", row=_ROW)
        marks = rows.marks(own, "point", "confidence", channels=channels, filled=True, opacity=0.55)
        panels.append(rows.chart(told, marks))
    chart = alt.hconcat(*panels, spacing=_GAP) if beside else alt.vconcat(*panels)
    right = int(part.filter(kind="right")["n"].sum())
    key = (
        "Green circles: right answers; dark squares, beneath them: wrong ones. The area is the "
        "number of answers, a tenth of them or so in each; the place is their mean confidence."
    )
    count = f"n = {int(part['n'].sum()):,} answers, {right:,} of them right."
    return themed(chart, title, [key, count], width)


def _lumped(table: pl.DataFrame) -> pl.DataFrame:
    """Draw neighbouring buckets together: fifty bubbles in a row are a sausage."""
    import polars as pl

    row = ["group", "part", "kind"]
    weight = pl.col("confidence") * pl.col("n")
    kind = pl.when("correct").then(pl.lit("right")).otherwise(pl.lit("wrong"))
    lump = pl.col("bucket").rank("dense").over("axis", "part") - 1
    most = lump.max().over("axis", "part") + 1
    lumps = (
        table.drop_nulls(["correct", "confidence"])
        .with_columns(pl.col("axis").str.replace_all("_", " ").alias("group"), kind.alias("kind"))
        .with_columns((lump * _BUBBLES // pl.max_horizontal(most, _BUBBLES)).alias("lump"))
        .group_by(*row, "lump", maintain_order=True)
        .agg((weight.sum() / pl.col("n").sum()).alias("confidence"), pl.col("n").sum())
    )
    # Vega calls the square around a circle its size; a square's size is the square itself.
    scale = pl.when(pl.col("kind") == "right").then(1.0).otherwise(pi / 4)
    size = _LARGEST * scale * pl.col("n") / pl.col("n").max()
    return lumps.select(*row, "confidence", "n", size.alias("size"))
