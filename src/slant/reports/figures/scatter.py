"""Groups in the plane of two measures, each named (Salinas et al. 2023, figure 3)."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.layers import heading
from slant.reports.figures.select import Choice, Rows, drawable, require, select
from slant.reports.figures.theme import CHARACTER, WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt
    import polars as pl
    from altair.typing import ChartType

_AXIS, _MARGIN = 52, 12
_LINE, _AWAY, _DOT = 12, 7, 5
_ROOM = 0.1
"""Empty margin around the points, as a share of their range."""


def scatter(
    table: Rows,
    *,
    x: str,
    y: str,
    group: str = "group",
    x_low: str = "",
    x_high: str = "",
    y_low: str = "",
    y_high: str = "",
    x_label: str = "",
    y_label: str = "",
    x_chance: Sequence[float] | None = None,
    y_chance: Sequence[float] | None = None,
    panel: str = "",
    view: Choice = None,
    title: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw a dot for every group, with its intervals, and name as many as have room.

    Parameters
    ----------
    table
        One row a group.
    x, y, group
        Its columns.
    x_low, x_high, y_low, y_high
        Columns that hold the ends of intervals; none are drawn where not named.
    x_label, y_label
        What the scales show; the columns' names when left out.
    x_chance, y_chance
        Where a group falls when nothing but chance is at work: expectation, low and high. Without
        it, a dashed line shows the median of the groups.
    panel
        Column by which groups are drawn in pictures of their own, on the same scales.
    view
        Which rows to show, where the table has such a column.
    title
        Heading of the picture.
    width
        Of the whole picture, in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is no point to draw.
    """
    import altair as alt
    import polars as pl

    chosen = drawable(select(table, view=view))
    ends = {"x_low": x_low, "x_high": x_high, "y_low": y_low, "y_high": y_high}
    named = {"group": group, "x": x, "y": y} | {k: v for k, v in ends.items() if v}
    require(chosen, *named.values(), *([panel] if panel else []))
    panels = pl.col(panel).cast(pl.String) if panel else pl.lit("")
    frame = chosen.select(
        *(pl.col(column).alias(role) for role, column in named.items()), panels.alias("panel")
    ).drop_nulls(["x", "y"])
    if frame.is_empty():
        raise InputError("there is no point to draw")
    plot = width - _AXIS - _MARGIN
    tall = round(min(plot * 0.62, 380))
    scales = {"x": _domain(frame, "x", x_chance), "y": _domain(frame, "y", y_chance)}
    parts, unnamed = [], 0
    for name in frame["panel"].unique(maintain_order=True).to_list():
        own = frame.filter(panel=name)
        places = _with_places(own, scales, plot, tall)
        unnamed += own.height - places["shown"].drop_nulls().len()
        layers = [
            *_expected(own, scales, {"x": x_chance, "y": y_chance}),
            *_points(places, scales, (x_label or x, y_label or y), plot),
        ]
        if name:
            layers.append(heading(name, 0, -12))
        parts.append(alt.layer(*layers, width=plot, height=tall))
    key = [_key(x_chance, y_chance, intervals=any(ends.values()))]
    told = f"n = {frame.height:,} groups."
    lost = chosen.height - frame.height
    told += f" {lost:,} more could not be measured." if lost else ""
    told += f" {unnamed:,} without room for their name: the table has them." if unnamed else ""
    return themed(alt.vconcat(*parts, spacing=34), title, [*key, told], width)


def _key(
    x_chance: Sequence[float] | None, y_chance: Sequence[float] | None, *, intervals: bool
) -> str:
    parts = ["Lines through dots are intervals."] if intervals else []
    if x_chance is not None or y_chance is not None:
        parts.append("Bands: chance alone.")
    if x_chance is None or y_chance is None:
        parts.append("Dashed: the median of the groups.")
    return " ".join(parts)


def _domain(frame: pl.DataFrame, side: str, chance: Sequence[float] | None) -> tuple[float, float]:
    values = [*(chance or ())]
    for column in (side, f"{side}_low", f"{side}_high"):
        if column in frame.columns:
            values += frame[column].drop_nulls().to_list()
    low, high = min(values), max(values)
    room = (high - low) * _ROOM or abs(low) * _ROOM or 1.0
    return low - room, high + room


def _with_places(
    own: pl.DataFrame, scales: dict[str, tuple[float, float]], plot: int, tall: int
) -> pl.DataFrame:
    """Put each name where it covers neither dot nor name, or leave it out."""
    import polars as pl

    def pixel(value: float, side: str, size: int) -> float:
        low, high = scales[side]
        return (value - low) / (high - low) * size

    dots = [
        (pixel(row["x"], "x", plot), tall - pixel(row["y"], "y", tall))
        for row in own.iter_rows(named=True)
    ]
    taken = [(x - _DOT, y - _DOT, x + _DOT, y + _DOT) for x, y in dots]
    names = own["group"].to_list()
    found: list[tuple[float, float] | None] = [None] * own.height
    for place in _outermost(dots):
        x, y = dots[place]
        wide = len(names[place]) * CHARACTER * 0.95
        for a, b in _around(x, y, wide):
            box = (a, b - _LINE / 2, a + wide, b + _LINE / 2)
            if box[0] > 0 and box[2] < plot and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                found[place] = (a, b)
                break
    left = [spot and spot[0] for spot in found]
    top = [spot and spot[1] for spot in found]
    shown = [spot and name for spot, name in zip(found, names, strict=True)]
    return own.with_columns(
        pl.Series("left", left, pl.Float64),
        pl.Series("top", top, pl.Float64),
        pl.Series("shown", shown, pl.String),
    )


def _outermost(dots: list[tuple[float, float]]) -> list[int]:
    """Order dots by distance from their middle: those that stand out are to be named."""
    middle = [sorted(side)[len(dots) // 2] for side in zip(*dots, strict=True)]
    away = [hypot(x - middle[0], y - middle[1]) for x, y in dots]
    return sorted(range(len(dots)), key=lambda place: -away[place])


def _around(x: float, y: float, wide: float) -> list[tuple[float, float]]:
    """List where a name may begin: beside its dot, above or below it, or askew."""
    left, right = x - _AWAY - wide, x + _AWAY
    beside = [(right, y), (left, y)]
    over = [(x - wide / 2, y - _LINE), (x - wide / 2, y + _LINE)]
    askew = [(side, y + up * _LINE * 0.8) for side in (right, left) for up in (-1, 1)]
    return beside + over + askew


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    across = one[0] < other[2] and one[2] > other[0]
    return across and one[1] < other[3] and one[3] > other[1]


def _expected(
    own: pl.DataFrame,
    scales: dict[str, tuple[float, float]],
    chances: dict[str, Sequence[float] | None],
) -> list[alt.Chart]:
    import altair as alt
    import polars as pl

    layers = []
    for side, chance in chances.items():
        encode = alt.X if side == "x" else alt.Y
        scale = alt.Scale(domain=list(scales[side]), nice=False, zero=False)
        if chance is not None:
            band = alt.Chart(pl.DataFrame({"low": [chance[1]], "high": [chance[2]]})).mark_rect(
                color=LIGHT["band"], opacity=0.6
            )
            other = {f"{side}2": "high:Q"}
            layers.append(band.encode(**{side: encode("low:Q", scale=scale)}, **other))
        middle = own[side].median() if chance is None else chance[0]
        rule = alt.Chart(pl.DataFrame({"at": [middle]})).mark_rule(
            color=LIGHT["tick"], strokeDash=[4, 3] if chance is None else [1, 0]
        )
        layers.append(rule.encode(**{side: encode("at:Q", scale=scale)}))
    return layers


def _points(
    frame: pl.DataFrame,
    scales: dict[str, tuple[float, float]],
    labels: tuple[str, str],
    plot: int,
) -> list[alt.Chart]:
    import altair as alt

    x_scale, y_scale = (
        alt.Scale(domain=list(scales[side]), nice=False, zero=False) for side in "xy"
    )
    x = alt.X("x:Q", scale=x_scale).axis(title=labels[0], tickCount=max(3, plot // 90))
    y = alt.Y("y:Q", scale=y_scale).axis(title=labels[1], tickCount=5, minExtent=_AXIS - 26)
    layers = []
    if {"x_low", "x_high"} <= set(frame.columns):
        line = alt.Chart(frame.select("x_low", "x_high", "y").drop_nulls())
        layers.append(
            line.mark_rule(color=LIGHT["bar"], strokeWidth=1.5).encode(
                x=alt.X("x_low:Q", scale=x_scale), x2=alt.X2("x_high:Q"), y=y
            )
        )
    if {"y_low", "y_high"} <= set(frame.columns):
        line = alt.Chart(frame.select("y_low", "y_high", "x").drop_nulls())
        layers.append(
            line.mark_rule(color=LIGHT["bar"], strokeWidth=1.5).encode(
                y=alt.Y("y_low:Q", scale=y_scale), y2=alt.Y2("y_high:Q"), x=x
            )
        )
    dots = alt.Chart(frame.select("x", "y")).mark_point(
        filled=True, color=LIGHT["ink"], size=42, opacity=1
    )
    layers.append(dots.encode(x=x, y=y))
    names = frame.select("shown", "left", "top").drop_nulls()
    if not names.is_empty():
        text = alt.Chart(names).mark_text(
            align="left", baseline="middle", fontSize=11, color=LIGHT["ink"]
        )
        layers.append(
            text.encode(
                x=alt.X("left:Q", scale=None, axis=None),
                y=alt.Y("top:Q", scale=None, axis=None),
                text=alt.Text("shown:N"),
            )
        )
    return layers
