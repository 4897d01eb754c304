"""Pareto picture: what is gained against what it costs, and the choices that nothing beats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.layers import ends_of
from slant.reports.figures.plane import LINE, Place, Plane, written_names
from slant.reports.figures.select import by_roles, factor_of, require, with_ends
from slant.reports.figures.theme import WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from altair.typing import ChartType

    from slant.records import Scale

_HEIGHT, _MARGIN = 340, 74
_GAP = 9
_MOST_LABELS = 24
_TWO = 2


def pareto(
    table: pl.DataFrame,
    *,
    x: str,
    y: str,
    name: str = "name",
    x_unit: Scale = "number",
    y_unit: Scale = "number",
    x_words: str = "",
    y_words: str = "",
    title: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw one point a choice; of both columns less is better.

    A choice is on the front when no other is at least as good in both and better in one.

    Parameters
    ----------
    table
        One row a choice. Rows without a value in either column are left out and counted.
    x, y
        Columns; those of their intervals, if there, are called the same with `_low` and `_high`.
    name
        Column of the labels.
    x_unit, y_unit
        `share` for values between 0 and 1, shown in percent, else `number`.
    x_words, y_words
        What the scales show; the columns' names when left out.
    title, width
        Heading of the picture, and its width in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is no point to draw.
    """
    import altair as alt
    import polars as pl

    require(table, name, x, y)
    roles = {"name": name, **with_ends("x", x), **with_ends("y", y)}
    frame = by_roles(table, roles).with_columns(
        pl.selectors.starts_with("x").cast(pl.Float64) * factor_of(x_unit),
        pl.selectors.starts_with("y").cast(pl.Float64) * factor_of(y_unit),
    )
    frame = _with_front(frame.filter(pl.col("x").is_finite(), pl.col("y").is_finite()))
    if frame.is_empty():
        raise InputError("there is no choice of which both figures are known")
    ends = {"x": _ends(frame, "x"), "y": _ends(frame, "y")}
    titles = {"x": x_words or x, "y": y_words or y}
    plane = Plane(ends, titles, (width - _MARGIN, _HEIGHT))
    front, beaten = frame.filter("front"), frame.filter(~pl.col("front"))
    layers = [
        *_steps(front, plane),
        *plane.intervals(frame, color=LIGHT["tick"], strokeWidth=1, opacity=0.6),
        *plane.points(beaten, shape="circle", size=80, color=LIGHT["tick"]),
        *plane.points(front, shape="diamond", size=80, color=LIGHT["series"]),
        *_names(frame, plane),
    ]
    chart = alt.layer(*layers, width=width - _MARGIN, height=_HEIGHT)
    key = (
        "Bottom left is best. Green: nothing else is at least as good in both and better in one; "
        "the dashed line joins them. Thin lines are 95% intervals."
    )
    missing = table.height - frame.height
    told = f"{frame.height} choices" + (f"; {missing} without both figures" if missing else "")
    return themed(chart, title, [key, f"{told}."], width)


def _with_front(frame: pl.DataFrame) -> pl.DataFrame:
    """Mark what nothing beats."""
    import polars as pl

    places = list(zip(frame["x"].to_list(), frame["y"].to_list(), strict=True))
    front = [not any(a <= x and b <= y and (a < x or b < y) for a, b in places) for x, y in places]
    return frame.with_columns(pl.Series("front", front, pl.Boolean))


def _ends(frame: pl.DataFrame, role: str) -> tuple[float, float]:
    """Give the ends of a scale that holds all intervals, with room for labels; zero in sight."""
    ends = [0.0, *ends_of(frame, *with_ends(role, role))]
    low, high = min(ends), max(ends)
    room = 0.08 * (high - low) or 1.0
    return low - (room if low < 0 else room / _TWO), high + room


def _steps(front: pl.DataFrame, plane: Plane) -> list[alt.Chart]:
    """Join the front by steps: what lies above and to the right of the line is beaten."""
    import altair as alt

    if front.height < _TWO:
        return []
    line = alt.Chart(front.sort("x", "y").select("x", "y")).mark_line(
        color=LIGHT["series"], strokeDash=[5, 4], strokeWidth=1.5, interpolate="step-after"
    )
    return [line.encode(x=plane.on("x", "x"), y=plane.on("y", "y"))]


def _names(frame: pl.DataFrame, plane: Plane) -> list[alt.Chart]:
    """Write names, the front's first."""
    front = frame["front"].to_list()
    order = sorted(range(frame.height), key=lambda place: not front[place])[:_MOST_LABELS]
    placed = plane.names(frame, lambda _: order, _around)
    return [
        layer
        for known, colour in ((True, "above-text"), (False, "ink"))
        for layer in written_names(placed.filter(front=known), colour)
    ]


def _around(px: float, py: float, wide: float) -> list[Place]:
    """Look for room above and below the intervals, at either side, further and further away."""
    far = (-_GAP, _GAP, -LINE - 5, LINE + 5, -2 * LINE - 2, 2 * LINE + 2, -3 * LINE - 3)
    return [(left, py + away) for away in far for left in (px + _GAP, px - _GAP - wide)]
