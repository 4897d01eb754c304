"""Groups in the plane of two measures, each named (Salinas et al. 2023, figure 3)."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.layers import ends_of, heading
from slant.reports.figures.plane import LINE, Place, Plane, written_names
from slant.reports.figures.select import (
    Choice,
    Rows,
    by_roles,
    drawable,
    require,
    select,
    with_ends,
)
from slant.reports.figures.theme import WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    import altair as alt
    import polars as pl
    from altair.typing import ChartType

_AXIS, _MARGIN = 52, 12
_AWAY = 7
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
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is no point to draw.
    """
    import altair as alt
    import polars as pl

    chosen = drawable(select(table, view=view))
    ends = {"x_low": x_low, "x_high": x_high, "y_low": y_low, "y_high": y_high}
    named = {"name": group, "x": x, "y": y, **ends, "panel": panel}
    require(chosen, *filter(None, named.values()))
    parted = pl.col("panel").cast(pl.String).fill_null("")
    frame = by_roles(chosen, named).with_columns(parted).drop_nulls(["x", "y"])
    if frame.is_empty():
        raise InputError("there is no point to draw")
    size = width - _AXIS - _MARGIN, round(min((width - _AXIS - _MARGIN) * 0.62, 380))
    chances = {"x": x_chance, "y": y_chance}
    scales = {side: _domain(frame, side, chance) for side, chance in chances.items()}
    plane = Plane(scales, {"x": x_label or x, "y": y_label or y}, size)
    parts, unnamed = [], 0
    for name in frame["panel"].unique(maintain_order=True).to_list():
        own = frame.filter(panel=name)
        placed = plane.names(own, _outermost, _around)
        unnamed += own.height - placed.height
        layers = [
            *_expected(own, plane, chances),
            *plane.intervals(own, color=LIGHT["bar"], strokeWidth=1.5),
            *plane.points(own, color=LIGHT["ink"], size=42),
            *written_names(placed),
        ]
        if name:
            layers.append(heading(name, 0, -12))
        parts.append(alt.layer(*layers, width=size[0], height=size[1]))
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
    values = [*(chance or ()), *ends_of(frame, *with_ends(side, side))]
    low, high = min(values), max(values)
    room = (high - low) * _ROOM or abs(low) * _ROOM or 1.0
    return low - room, high + room


def _outermost(dots: Sequence[Place]) -> list[int]:
    """Order dots by distance from their middle: those that stand out are to be named."""
    middle = [sorted(side)[len(dots) // 2] for side in zip(*dots, strict=True)]
    away = [hypot(x - middle[0], y - middle[1]) for x, y in dots]
    return sorted(range(len(dots)), key=lambda place: -away[place])


def _around(x: float, y: float, wide: float) -> list[Place]:
    """List where a name may begin: beside its dot, above or below it, or askew."""
    left, right = x - _AWAY - wide, x + _AWAY
    beside = [(right, y), (left, y)]
    over = [(x - wide / 2, y - LINE), (x - wide / 2, y + LINE)]
    askew = [(side, y + up * LINE * 0.8) for side in (right, left) for up in (-1, 1)]
    return beside + over + askew


def _expected(
    own: pl.DataFrame, plane: Plane, chances: dict[str, Sequence[float] | None]
) -> list[alt.Chart]:
    import altair as alt
    import polars as pl

    layers = []
    for side, chance in chances.items():
        if chance is not None:
            band = alt.Chart(pl.DataFrame({"low": [chance[1]], "high": [chance[2]]})).mark_rect(
                color=LIGHT["band"], opacity=0.6
            )
            layers.append(band.encode(**{side: plane.on(side, "low"), f"{side}2": "high:Q"}))
        middle = own[side].median() if chance is None else chance[0]
        rule = alt.Chart(pl.DataFrame({"at": [middle]})).mark_rule(
            color=LIGHT["tick"], strokeDash=[4, 3] if chance is None else [1, 0]
        )
        layers.append(rule.encode(**{side: plane.on(side, "at")}))
    return layers
