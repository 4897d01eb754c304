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
_PARTS = {"positive": "statements: ", "negated": "negations: ", "all": ""}
_SHAPES = {"right": "circle", "wrong": "square"}

_LARGEST = 260
"""Area of the largest bubble, in square pixels."""


def bubbles(
    table: pl.DataFrame,
    *,
    most: int = 10,
    value: str = "probability of the answer given",
    right: str = "right answers",
    wrong: str = "wrong ones",
    title: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw a bubble for every tenth of the answers, or finer, at its mean confidence.

    Parameters
    ----------
    table
        Columns axis, part (positive or negated, or all), correct, bucket, confidence and n.
    most
        How many stand in a row at most; buckets are drawn together until they are no more. APES
        draws all of its fifty.
    value
        What the column confidence holds.
    right, wrong
        What is correct, and what is not.
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
    part = _lumped(table, most)
    axes = part["group"].unique(maintain_order=True).to_list()
    label = label_width(axes, width)
    shown = {side: words for side, words in _PARTS.items() if side in part["part"]}
    beside = width >= _SIDE_BY_SIDE and len(shown) > 1
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
    for place, (side, words) in enumerate(shown.items()):
        own, axis = part.filter(part=side), f"{words}{value}"
        named = 0 if place and beside else label
        rows = RowChart(axes, named, plot, 0, (0, 1), axis, form="%", row=_ROW)
        marks = rows.marks(own, "point", "confidence", channels=channels, filled=True, opacity=0.55)
        panels.append(rows.chart(told, marks))
    chart = alt.hconcat(*panels, spacing=_GAP) if beside else alt.vconcat(*panels)
    fit = int(part.filter(kind="right")["n"].sum())
    key = (
        f"Green circles: {right}; dark squares, beneath them: {wrong}. The area is how many "
        "there are; the place is their mean."
    )
    every = int(part["n"].sum())
    count = f"n = {every:,}: {fit:,} {right}, {every - fit:,} {wrong}."
    return themed(chart, title, [key, count], width)


def _lumped(table: pl.DataFrame, most: int) -> pl.DataFrame:
    """Draw neighbouring buckets together: fifty bubbles in a row are a sausage."""
    import polars as pl

    row = ["group", "part", "kind"]
    weight = pl.col("confidence") * pl.col("n")
    kind = pl.when("correct").then(pl.lit("right")).otherwise(pl.lit("wrong"))
    lump = pl.col("bucket").rank("dense").over("axis", "part") - 1
    lumps_there = lump.max().over("axis", "part") + 1
    lumps = (
        table.drop_nulls(["correct", "confidence"])
        .with_columns(pl.col("axis").str.replace_all("_", " ").alias("group"), kind.alias("kind"))
        .with_columns((lump * most // pl.max_horizontal(lumps_there, most)).alias("lump"))
        .group_by(*row, "lump", maintain_order=True)
        .agg((weight.sum() / pl.col("n").sum()).alias("confidence"), pl.col("n").sum())
    )
    # Vega calls the square around a circle its size; a square's size is the square itself.
    scale = pl.when(pl.col("kind") == "right").then(1.0).otherwise(pi / 4)
    size = _LARGEST * scale * pl.col("n") / pl.col("n").max()
    return lumps.select(*row, "confidence", "n", size.alias("size"))
