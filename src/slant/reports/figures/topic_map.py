"""A map of topics: near each other where their words are alike; groups' own with their words."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.select import require
from slant.reports.figures.theme import CHARACTER, WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

_SIDE, _LISTED, _WORDS, _LINE = 300, 12, 8, 15
_COLOURS = ("above", "below", "refused", "unparseable", "answered")
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")


def topics(
    table: pl.DataFrame,
    *,
    words: str | None = None,
    condition: str | None = None,
    title: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw topics as points, larger where there is more of them, coloured by whose they are.

    The topics that are associated with a group are numbered, and their most relevant words listed
    beside the map under the same numbers.

    Parameters
    ----------
    table
        Columns `topic`, `group` (null for none), `residual`, `share_generated`, `relevant`, `x`
        and `y`; `words` and `condition` if they are to be chosen by.
    words, condition
        Which rows to show.
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is nothing to draw.
    """
    import altair as alt
    import polars as pl

    require(table, "topic", "group", "residual", "share_generated", "relevant", "x", "y")
    for name, wanted in (("words", words), ("condition", condition)):
        if wanted is not None:
            table = table.filter(pl.col(name) == wanted)
    if table.is_empty():
        raise InputError("there are no topics to draw")
    own = table.filter(pl.col("group").is_not_null() & (pl.col("group") != "nobody"))
    told = own.sort("residual", descending=True, nulls_last=True).head(_LISTED)
    groups = own["group"].unique(maintain_order=True).sort().to_list()[: len(_COLOURS)]
    known = pl.when(pl.col("group").is_in(groups)).then("group").otherwise(pl.lit("of no group"))
    points = table.with_columns(known.alias("whose"))
    domain = [*groups, "of no group"]
    side = min(_SIDE, width - 40)
    plain = alt.Axis(labels=False, grid=False, domain=True, domainColor=LIGHT["line"])
    x, y = (alt.X("x:Q", title=None, axis=plain), alt.Y("y:Q", title=None, axis=plain))
    base = alt.Chart(points.select("topic", "x", "y", "whose", "share_generated"))
    colour = alt.Color("whose:N", title=None).scale(
        domain=domain, range=[*(LIGHT[name] for name in _COLOURS[: len(groups)]), LIGHT["bar"]]
    )
    shape = alt.Shape("whose:N", title=None).scale(
        domain=domain, range=[*_SHAPES[: len(groups)], "circle"]
    )
    legend = alt.Legend(orient="bottom", columns=3)
    marks = base.mark_point(filled=True, opacity=0.75).encode(
        x=x, y=y, color=colour.legend(legend), shape=shape.legend(legend),
        size=alt.Size("share_generated:Q", legend=None).scale(range=[25, 700]),
    )  # fmt: skip
    numbers = alt.Chart(told.select("topic", "x", "y")).mark_text(
        fontSize=11, fontWeight=600, stroke=LIGHT["paper"], strokeWidth=3
    )
    numbered = numbers.encode(x=x, y=y, text=alt.Text("topic:N"))
    inked = alt.Chart(told.select("topic", "x", "y")).mark_text(fontSize=11, fontWeight=600)
    chart = alt.layer(marks, numbered, inked.encode(x=x, y=y, text=alt.Text("topic:N"))).properties(
        width=side, height=side
    )
    beside = width - side - 60 > 220
    room = width - side - 60 if beside else width - 20
    whole: ChartType = chart
    if not told.is_empty():
        listed = _listed(told, room)
        whole = alt.hconcat(chart, listed) if beside else alt.vconcat(chart, listed)
        whole = whole.resolve_scale(color="independent", shape="independent")
    key = (
        f"{table.height} topics, {own.height} of them of a group (standardised residual above 3). "
        "The larger a point, the more of what the model wrote is about it."
    )
    return themed(whole, title, [key], width)


def _listed(told: pl.DataFrame, room: int) -> ChartType:
    """Write the words of topics under their numbers."""
    import altair as alt

    lines: list[str] = []
    for row in told.iter_rows(named=True):
        relevant = ", ".join(row["relevant"].split(", ")[:_WORDS])
        text = f"{row['topic']}  {row['group']}: {relevant}"
        lines += textwrap.wrap(text, max(24, int(room / CHARACTER)), subsequent_indent="      ")
    rows = [{"line": number, "text": line} for number, line in enumerate(lines)]
    texts: ChartType = (
        alt.Chart(alt.InlineData(rows))
        .mark_text(align="left", baseline="top", fontSize=11)
        .encode(
            y=alt.Y("line:O", axis=None).scale(paddingInner=0),
            x=alt.value(0),
            text=alt.Text("text:N"),
        )
        .properties(width=room, height=_LINE * len(lines))
    )
    return texts
