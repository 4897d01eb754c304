"""Saturation: how many distinct things so many requests gave, and whether more would give more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.select import require
from slant.reports.figures.theme import WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

_HEIGHT, _MARGIN, _NAMES = 280, 70, 110


def saturation(table: pl.DataFrame, *, title: str = "", width: int = WIDE) -> ChartType:
    """Draw a curve a class: distinct triples over requests, beside those in random order.

    A curve that has become level says that the graph is grown; one that still rises, that more
    requests would find more.

    Parameters
    ----------
    table
        Columns `class`, `variant`, `requests`, `distinct`, `expected` and `chance_of_new`.
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is nothing to draw.
    """
    import altair as alt
    import polars as pl

    require(table, "class", "variant", "requests", "distinct", "expected", "chance_of_new")
    if table.is_empty():
        raise InputError("there are no requests to draw")
    name = pl.when(pl.col("variant") == "").then("class").otherwise(
        pl.concat_str("class", pl.lit(" · "), "variant")
    )  # fmt: skip
    rows = table.with_columns(name.alias("name"))
    x = alt.X("requests:Q", title="requests")
    each = alt.Detail("name:N")
    lines = alt.Chart(rows.select("name", "requests", "distinct")).encode(x=x, detail=each)
    found = lines.mark_line(color=LIGHT["below"], strokeWidth=2).encode(
        y=alt.Y("distinct:Q", title="distinct triples")
    )
    expected = (
        alt.Chart(rows.select("name", "requests", "expected"))
        .mark_line(color=LIGHT["tick"], strokeDash=[4, 3])
        .encode(x=x, y=alt.Y("expected:Q"), detail=each)
    )
    last = rows.group_by("name", maintain_order=True).last()
    names = (
        alt.Chart(last.select("name", "requests", "distinct"))
        .mark_text(align="left", dx=6, fontSize=11)
        .encode(x=x, y=alt.Y("distinct:Q"), text=alt.Text("name:N"))
    )
    chances = ", ".join(
        f"{row['name']} {row['chance_of_new']:.0%}"
        for row in last.sort("chance_of_new", descending=True).head(6).iter_rows(named=True)
        if row["chance_of_new"] is not None
    )
    key = ["Dashed: the same answers in random order."]
    key += [f"Chance that the next triple is a new one (Good, 1953): {chances}."] if chances else []
    plot = width - _MARGIN - _NAMES
    chart = alt.layer(expected, found, names, width=plot, height=_HEIGHT)
    return themed(chart, title, key, width)
