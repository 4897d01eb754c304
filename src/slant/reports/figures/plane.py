"""The plane: named points on two scales, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from slant.reports.figures.theme import CHARACTER
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import altair as alt
    import polars as pl

Place: TypeAlias = tuple[float, float]
"""In pixels from the top left corner of the plot."""

LINE = 12
"""Height of a name, in pixels."""

_DOT = 6


@dataclass(frozen=True)
class Plane:
    """Two scales, and how large they are drawn.

    Attributes
    ----------
    ends
        Of the scales x and y.
    titles
        What they show.
    size
        Width and height, in pixels.
    """

    ends: dict[str, tuple[float, float]]
    titles: dict[str, str]
    size: tuple[int, int]

    def on(self, side: str, column: str) -> alt.X | alt.Y:
        """Place a column on the scale `x` or `y`."""
        import altair as alt

        scale = alt.Scale(domain=list(self.ends[side]), nice=False, zero=False)
        if side == "x":
            axis = alt.Axis(title=self.titles["x"], tickCount=max(3, self.size[0] // 90))
            return alt.X(f"{column}:Q", scale=scale, axis=axis)
        axis = alt.Axis(title=self.titles["y"], tickCount=5, minExtent=26)
        return alt.Y(f"{column}:Q", scale=scale, axis=axis)

    def points(self, frame: pl.DataFrame, **looks: Any) -> list[alt.Chart]:
        """Draw a point a row: columns `name`, `x` and `y`."""
        import altair as alt

        if frame.is_empty():
            return []
        mark = alt.Chart(frame.select("name", "x", "y")).mark_point(filled=True, opacity=1, **looks)
        tooltip = ["name:N", "x:Q", "y:Q"]
        return [mark.encode(x=self.on("x", "x"), y=self.on("y", "y"), tooltip=tooltip)]

    def intervals(self, frame: pl.DataFrame, **looks: Any) -> list[alt.Chart]:
        """Draw intervals from `x_low` to `x_high`, and from `y_low` to `y_high`, where known."""
        import altair as alt

        layers = []
        for side, other in (("x", "y"), ("y", "x")):
            low, high = f"{side}_low", f"{side}_high"
            known = frame.select("x", "y", low, high).drop_nulls()
            if known.is_empty():
                continue
            ends = {side: self.on(side, low), f"{side}2": f"{high}:Q"}
            mark = alt.Chart(known).mark_rule(**looks)
            layers.append(mark.encode(**ends, **{other: self.on(other, other)}))
        return layers

    def names(
        self,
        frame: pl.DataFrame,
        order: Callable[[Sequence[Place]], Sequence[int]],
        around: Callable[[float, float, float], Sequence[Place]],
    ) -> pl.DataFrame:
        """Place names so that they hide neither each other nor a point, as many as there is room.

        Parameters
        ----------
        frame
            As `points` takes it.
        order
            Orders the points, given their pixels: those first that are to be named first.
        around
            Lists where a name may begin, given its point and its own width; the first place that
            is free is taken.

        Returns
        -------
        polars.DataFrame
            The rows that have room, with their `left` end and `middle`, in pixels.
        """
        import polars as pl

        dots = [self._pixel(row["x"], row["y"]) for row in frame.iter_rows(named=True)]
        taken = [(x - _DOT, y - _DOT, x + _DOT, y + _DOT) for x, y in dots]
        names = frame["name"].to_list()
        rows: list[int] = []
        spots: list[Place] = []
        for place in order(dots):
            wide = len(names[place]) * CHARACTER * 0.95
            for left, middle in around(*dots[place], wide):
                box = (left, middle - LINE / 2, left + wide, middle + LINE / 2)
                if self._holds(box) and not any(_overlap(box, other) for other in taken):
                    taken.append(box)
                    rows.append(place)
                    spots.append((left, middle))
                    break
        schema = {"left": pl.Float64, "middle": pl.Float64}
        return frame[rows].hstack(pl.DataFrame(spots, schema=schema, orient="row"))

    def _pixel(self, x: float, y: float) -> Place:
        (x0, x1), (y0, y1) = self.ends["x"], self.ends["y"]
        wide, tall = self.size
        return (x - x0) / (x1 - x0) * wide, tall - (y - y0) / (y1 - y0) * tall

    def _holds(self, box: Sequence[float]) -> bool:
        wide, tall = self.size
        return box[0] >= 0 and box[2] <= wide and box[1] >= 0 and box[3] <= tall


def written_names(placed: pl.DataFrame, colour: str = "ink") -> list[alt.Chart]:
    """Write what `Plane.names` placed, legible on top of whatever lies there."""
    import altair as alt

    if placed.is_empty():
        return []
    spots = alt.Chart(placed.select("name", "left", "middle")).encode(
        x=alt.X("left:Q", scale=None, axis=None),
        y=alt.Y("middle:Q", scale=None, axis=None),
        text=alt.Text("name:N"),
    )
    looks: dict[str, Any] = {"align": "left", "baseline": "middle", "fontSize": 11}
    return [
        spots.mark_text(stroke=LIGHT["paper"], strokeWidth=4, **looks),
        spots.mark_text(color=LIGHT[colour], **looks),
    ]


def _overlap(one: Sequence[float], other: Sequence[float]) -> bool:
    across = one[0] < other[2] and other[0] < one[2]
    return across and one[1] < other[3] and other[1] < one[3]
