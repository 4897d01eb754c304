"""Pareto picture: what is gained against what it costs, and the choices that nothing beats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.reports.figures.select import require
from slant.reports.figures.theme import CHARACTER, WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from altair.typing import ChartType

    from slant.records import Scale

_HEIGHT, _MARGIN = 340, 74
_LINE, _GAP = 13, 9
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

    require(table, name, x, y)
    frame = _points(table, name, x, y, x_unit, y_unit)
    if frame.is_empty():
        raise InputError("there is no choice of which both figures are known")
    plot = width - _MARGIN
    ends_x, ends_y = _ends(frame, "x"), _ends(frame, "y")
    spots = _Spots(frame, ends_x, ends_y, plot)
    across = alt.X(
        "x:Q", scale=alt.Scale(domain=ends_x, nice=False, zero=False), title=x_words or x
    )
    up = alt.Y("y:Q", scale=alt.Scale(domain=ends_y, nice=False, zero=False), title=y_words or y)
    layers = [
        *_front(frame, across, up),
        *_intervals(frame, across, up),
        *_marks(frame, across, up),
        *spots.labels(),
    ]
    chart = alt.layer(*layers, width=plot, height=_HEIGHT)
    key = (
        "Bottom left is best. Orange: nothing else is at least as good in both and better in one; "
        "the dashed line joins them. Thin lines are 95% intervals."
    )
    missing = table.height - frame.height
    told = f"{frame.height} choices" + (f"; {missing} without both figures" if missing else "")
    return themed(chart, title, [key, f"{told}."], width)


def _points(
    table: pl.DataFrame, name: str, x: str, y: str, x_unit: Scale, y_unit: Scale
) -> pl.DataFrame:
    """Bring the columns into one shape, in percent where they are shares; find the front."""
    import polars as pl

    columns = [pl.col(name).alias("name")]
    for role, column, unit in (("x", x, x_unit), ("y", y, y_unit)):
        factor = 100 if unit == "share" else 1
        for end in ("", "_low", "_high"):
            known = f"{column}{end}" in table.columns
            values = pl.col(f"{column}{end}") if known else pl.lit(None, pl.Float64)
            columns.append((values.cast(pl.Float64) * factor).alias(f"{role}{end}"))
    frame = table.select(columns).filter(pl.col("x").is_finite(), pl.col("y").is_finite())
    places = list(zip(frame["x"].to_list(), frame["y"].to_list(), strict=True))
    front = [not any(a <= x and b <= y and (a < x or b < y) for a, b in places) for x, y in places]
    return frame.with_columns(pl.Series("front", front, pl.Boolean))


def _ends(frame: pl.DataFrame, role: str) -> list[float]:
    """Give the ends of a scale that holds all intervals, with room for labels; zero in sight."""
    ends = [0.0]
    for end in ("", "_low", "_high"):
        ends += frame[f"{role}{end}"].drop_nulls().to_list()
    low, high = min(ends), max(ends)
    room = 0.08 * (high - low) or 1.0
    return [low - (room if low < 0 else room / _TWO), high + room]


def _front(frame: pl.DataFrame, across: alt.X, up: alt.Y) -> list[alt.Chart]:
    """Join the front by steps: what lies above and to the right of the line is beaten."""
    import altair as alt

    front = frame.filter("front").sort("x", "y").select("x", "y")
    if front.height < _TWO:
        return []
    line = alt.Chart(front).mark_line(
        color=LIGHT["above"], strokeDash=[5, 4], strokeWidth=1.5, interpolate="step-after"
    )
    return [line.encode(x=across, y=up)]


def _intervals(frame: pl.DataFrame, across: alt.X, up: alt.Y) -> list[alt.Chart]:
    import altair as alt

    layers = []
    for role, other in (("x", "y"), ("y", "x")):
        part = frame.select("x", "y", f"{role}_low", f"{role}_high").drop_nulls()
        if part.is_empty():
            continue
        mark = alt.Chart(part).mark_rule(color=LIGHT["tick"], strokeWidth=1, opacity=0.6)
        ends = {role: f"{role}_low:Q", f"{role}2": f"{role}_high:Q"}
        layers.append(mark.encode(**ends, **{other: across if other == "x" else up}))
    return layers


def _marks(frame: pl.DataFrame, across: alt.X, up: alt.Y) -> list[alt.Chart]:
    import altair as alt

    layers = []
    for front, colour, shape in ((False, "below", "circle"), (True, "above", "diamond")):
        part = frame.filter(front=front).select("name", "x", "y")
        if part.is_empty():
            continue
        mark = alt.Chart(part).mark_point(
            filled=True, shape=shape, size=80, opacity=1, color=LIGHT[colour]
        )
        layers.append(mark.encode(x=across, y=up, tooltip=["name:N", "x:Q", "y:Q"]))
    return layers


@dataclass(frozen=True)
class _Spots:
    """Places labels so that they hide neither each other nor the points, where there is room."""

    frame: pl.DataFrame
    ends_x: list[float]
    ends_y: list[float]
    plot: int

    def labels(self) -> list[alt.Chart]:
        """Write the names, the front's first, as many as fit."""
        import altair as alt

        from slant.reports.figures.pixels import fixed

        rows = self.frame.sort("front", descending=True, maintain_order=True).to_dicts()
        points = [self._pixel(row["x"], row["y"]) for row in rows]
        taken = [(px - 6, py - 6, px + 6, py + 6) for px, py in points]
        layers = []
        for row, (px, py) in list(zip(rows, points, strict=True))[:_MOST_LABELS]:
            text = row["name"]
            found = self._free(px, py, len(text) * CHARACTER * 0.95, taken)
            if found is None:
                continue
            left, top, box = found
            taken.append(box)
            spot = alt.Chart(alt.InlineData([{"one": 1}])).encode(**fixed(x=left, y=top, text=text))
            # A name must be legible on top of intervals.
            layers.append(_text(spot, stroke=LIGHT["paper"], strokeWidth=4))
            colour = LIGHT["above-text" if row["front"] else "ink"]
            layers.append(_text(spot, color=colour))
        return layers

    def _pixel(self, x: float, y: float) -> tuple[float, float]:
        (x0, x1), (y0, y1) = self.ends_x, self.ends_y
        return (x - x0) / (x1 - x0) * self.plot, _HEIGHT - (y - y0) / (y1 - y0) * _HEIGHT

    def _free(
        self, px: float, py: float, long: float, taken: list[tuple[float, float, float, float]]
    ) -> tuple[float, float, tuple[float, float, float, float]] | None:
        """Look for room above and below the intervals, at either side, further and further away."""
        for away in (-_GAP, _GAP, -_LINE - 4, _LINE + 4, -2 * _LINE, 2 * _LINE, -3 * _LINE):
            for left in (px + _GAP, px - _GAP - long):
                y = py + away
                box = (left, y - _LINE / 2, left + long, y + _LINE / 2)
                inside = box[0] >= 0 and box[2] <= self.plot and box[1] >= 0 and box[3] <= _HEIGHT
                if inside and not any(_overlap(box, other) for other in taken):
                    return left, y, box
        return None


def _text(spot: alt.Chart, **looks: Any) -> alt.Chart:
    chart: alt.Chart = spot.mark_text(align="left", baseline="middle", fontSize=11, **looks)
    return chart


def _overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
