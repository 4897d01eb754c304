"""What each group's total is made of, as stacked bars (Salinas et al. 2023, figure 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.layers import ROW, across, figures, names, rows
from slant.reports.figures.select import Choice, Rows, drawable, require, select
from slant.reports.figures.theme import CHARACTER, WIDE, label_width, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import polars as pl
    from altair.typing import ChartType

_COLOURS = [
    LIGHT[name]
    for name in ("below", "refused", "answered", "unparseable", "above", "bar", "within")
]
_REST = "other"
_ALL = "all groups"
_MARGIN = 22


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
    title
        Heading of the picture.
    width
        Of the whole picture, in pixels.

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
    told = counts.select(
        "group",
        pl.Series("shown", [f"{count:,.0f}" if n else "" for count in counts["n"]], pl.String),
        (pl.col("group") == _ALL).alias("bold"),
    )
    left = label_width(groups, width)
    right = round(max(map(len, told["shown"].to_list())) * CHARACTER) + 14
    plot = max(80, width - left - right - _MARGIN)
    colours = _COLOURS[: len(parts)]
    if parts[-1] == _REST:
        colours[len(parts) - 1 :] = [LIGHT["band"]]
    longest = max(map(len, parts)) * CHARACTER + 30
    colour = alt.Color("part:N", sort=parts, title=None).scale(domain=parts, range=colours)
    legend = alt.Legend(
        orient="top",
        columns=max(1, int(width // longest)),
        labelLimit=width - 40,
        labelColor=LIGHT["muted"],
        symbolType="square",
        offset=6,
    )
    order = {name: place for place, name in enumerate(parts)}
    stacked = frame.with_columns(pl.col("part").replace_strict(order).alias("place"))
    stacked = stacked.sort("group", "place").with_columns(
        pl.col("share").cum_sum().over("group").alias("end")
    )
    stacked = stacked.with_columns((pl.col("end") - pl.col("share")).alias("start"))
    bar = alt.Chart(stacked.select("group", "part", "start", "end")).mark_bar(
        stroke=LIGHT["paper"], strokeWidth=0.8
    )
    x = across("start", (0, 1), label, plot)
    x = x.axis(title=label, format="%", tickCount=max(3, plot // 75))
    layers = [
        bar.encode(x=x, x2=alt.X2("end:Q"), y=rows(groups), color=colour.legend(legend)),
        *names(told, rows(groups), left),
    ]
    if n:
        layers.append(figures(told.select("group", "shown"), rows(groups), plot + 8))
    chart = alt.layer(*layers, width=plot, height=ROW * len(groups))
    key = f"Row “{_ALL}”: what every group would look like if the group did not matter."
    if n:
        key += f" On the right: n; {counts.filter(group=_ALL)['n'][0]:,.0f} in all."
    return themed(chart, title, [key], width)


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
