"""What each group's total is made of, as stacked bars (Salinas et al. 2023, figure 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.layers import row_chart, stacks
from slant.reports.figures.select import Choice, Rows, drawable, require, select
from slant.reports.figures.theme import CHARACTER, WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

_COLOURS = [
    LIGHT[name]
    for name in ("series", "refused", "answered", "unparseable", "tick", "bar", "within")
]
_REST = "other"
_ALL = "all groups"


def shares(
    table: Rows,
    *,
    part: str = "topic",
    share: str = "share",
    group: str = "group",
    n: str = "",
    label: str = "share",
    view: Choice = None,
    title: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw a bar a group, divided into parts; above them, all groups together.

    The row of all groups is what each would look like if the group did not matter. The seven
    largest parts have colours of their own, the others are drawn together. Groups are sorted by
    the largest part.

    Parameters
    ----------
    table
        One row a group and part.
    part, share, group
        Its columns; shares of a group are between 0 and 1 and are drawn as parts of their sum.
    n
        Column of how many observations the group's shares rest on; groups count equally without.
    label
        What the scale shows.
    view
        Which rows to show, where the table has such a column.
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, a share is negative, or there is nothing to draw.
    """
    import altair as alt
    import polars as pl

    chosen = drawable(select(table, view=view))
    require(chosen, group, part, share, *([n] if n else []))
    frame = chosen.select(
        pl.col(group).alias("group"),
        pl.col(part).cast(pl.String).fill_null("none").alias("part"),
        pl.col(share).cast(pl.Float64).fill_nan(None).alias("share"),
        (pl.col(n).cast(pl.Float64) if n else pl.lit(1.0)).alias("n"),
    ).drop_nulls("share")
    if frame.is_empty() or not frame["share"].sum():
        raise InputError("there is no share to draw")
    if (frame["share"] < 0).any():
        raise InputError(f"column {share!r} holds a negative share")
    frame, parts = _lumped(frame)
    first = frame.filter(part=parts[0]).sort("share", descending=True, maintain_order=True)
    own = [name for name in first["group"].to_list() if name != _ALL]
    groups = list(dict.fromkeys([_ALL, *own, *frame["group"].to_list()]))
    counts = frame.unique("group", maintain_order=True).select("group", "n")
    told = pl.DataFrame({"group": groups}).join(counts, on="group", maintain_order="left")
    told = told.with_columns((pl.col("group") == _ALL).alias("bold"))
    if n:
        shown = [f"{count:,.0f}" for count in told["n"].to_list()]
        told = told.with_columns(pl.Series("shown", shown, pl.String))
    rows = row_chart(told, width, label, (0, 1), form="%")
    colours = _COLOURS[: len(parts)]
    if parts[-1] == _REST:
        colours[len(parts) - 1 :] = [LIGHT["band"]]
    longest = max(map(len, parts)) * CHARACTER + 30
    legend = alt.Legend(
        orient="top",
        columns=max(1, int(width // longest)),
        labelLimit=width - 40,
        labelColor=LIGHT["muted"],
        symbolType="square",
        offset=6,
    )
    colour = alt.Color("part:N", sort=parts, title=None, legend=legend)
    colour = colour.scale(domain=parts, range=colours)
    stacked = stacks(frame, "part", parts, "share")
    looks = {"stroke": LIGHT["paper"], "strokeWidth": 0.8}
    layers = rows.marks(stacked, "bar", "start", "end", channels={"color": colour}, **looks)
    key = f"Row “{_ALL}”: what every group would look like if the group did not matter."
    if n:
        key += f" On the right: n; {counts.filter(group=_ALL)['n'][0]:,.0f} in all."
    return themed(rows.chart(told, layers), title, [key], width)


def _lumped(frame: pl.DataFrame) -> tuple[pl.DataFrame, list[str]]:
    """Make shares add up to 1, add the row of all groups, and join the smallest parts."""
    import polars as pl

    frame = frame.with_columns((pl.col("share") / pl.col("share").sum().over("group")).fill_nan(0))
    weights = frame.unique("group", maintain_order=True)
    total = float(weights["n"].sum())
    whole = (
        frame.group_by("part", maintain_order=True)
        .agg((pl.col("share") * pl.col("n")).sum() / total)
        .select(pl.lit(_ALL).alias("group"), "part", "share", pl.lit(total).alias("n"))
    )
    order = whole.sort("share", descending=True, maintain_order=True)["part"].to_list()
    parts, most = order, len(_COLOURS)
    if len(order) > most:
        parts = [*[name for name in order[:most] if name != _REST], _REST]
    named = pl.when(pl.col("part").is_in(parts)).then("part").otherwise(pl.lit(_REST))
    joined = pl.concat([whole, frame.select(whole.columns)]).with_columns(named.alias("part"))
    return (
        joined.group_by("group", "part", maintain_order=True).agg(
            pl.col("share").sum(), pl.col("n").first()
        ),
        parts,
    )
