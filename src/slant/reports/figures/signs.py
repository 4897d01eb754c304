"""Signs: what each measure says about each group, theme by theme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.errors import InputError
from slant.reports.figures.layers import heading
from slant.reports.figures.pixels import fixed
from slant.reports.figures.select import drawable, require
from slant.reports.figures.theme import CHARACTER, WIDE, themed
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    import altair as alt
    import polars as pl
    from altair.typing import ChartType

_ROW, _HEAD, _INDENT, _TALL = 24, 26, 12, 110
_NARROWEST = 14
_SMALLEST, _LARGEST = 20, 190
_STRONG = 1.5
"""Strengths from here on are drawn alike."""


def signs(table: pl.DataFrame, *, title: str = "", width: int = WIDE) -> ChartType:
    """Draw a row a measure under the heading of its theme, and a column a group.

    A triangle points up where the measure says more of what is worse (or, of a neutral theme, more
    of it), down where it says less; its area is how strong that is; it is filled where it is sure.

    Parameters
    ----------
    table
        Columns `group`, `theme`, `measure`, `strength` (null: not known), `positive` and `sure`.
    title
        Heading of the picture.
    width
        Of the whole picture, in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is nothing to draw.
    """
    import altair as alt
    import polars as pl

    require(table, "group", "theme", "measure", "strength", "positive", "sure")
    frame = drawable(table)
    if frame.is_empty():
        raise InputError("no measure says anything of a group")
    groups = frame["group"].unique(maintain_order=True).to_list()
    places, heads, height = _lines(frame)
    left = _label(frame, width)
    over = min(_TALL, len(groups[-1]) * CHARACTER) * 0.71  # the last group's name leans out
    step = max(_NARROWEST, min(64, int((width - left - over) // len(groups))))
    # Of what is not known only the side is shown, as small as what is hardly there.
    size = pl.col("strength").cast(pl.Float64).abs().fill_null(0.0).clip(0.0, _STRONG)
    frame = frame.with_columns(
        pl.struct("theme", "measure")
        .map_elements(lambda row: places[row["theme"], row["measure"]], pl.Float64)
        .alias("y"),
        (pl.col("group").replace_strict(dict(zip(groups, range(len(groups)), strict=True)))
         * step + step / 2).alias("x"),
        (size / _STRONG * _LARGEST + _SMALLEST).alias("area"),
    )  # fmt: skip
    at: dict[str, Any] = {
        "x": alt.X("x:Q", scale=None, axis=None), "y": alt.Y("y:Q", scale=None, axis=None),
    }  # fmt: skip
    across = fixed(x=0, x2=step * len(groups))
    lines = alt.Chart(pl.DataFrame({"y": list(places.values())})).mark_rule(color=LIGHT["grid"])
    layers: list[alt.Chart] = [lines.encode(y=at["y"], **across)]
    plain: dict[str, Any] = {"fontWeight": 400, "fontSize": 11}
    for (_, measure), y in places.items():
        layers.append(heading(measure, _INDENT - left, y, limit=left - _INDENT - 8, **plain))
    layers += [heading(theme, -left, y) for theme, y in heads.items()]
    for place, group in enumerate(groups):
        layers.append(heading(group, (place + 0.5) * step, -6, angle=315, limit=_TALL, **plain))
    same = frame.filter(pl.col("positive").is_null()).select("x", "y")
    if not same.is_empty():
        dots = alt.Chart(same).mark_circle(size=12, color=LIGHT["tick"], opacity=1)
        layers.append(dots.encode(**at))
    for up in (True, False):
        for sure in (True, False):
            part = frame.filter((pl.col("positive") == up) & (pl.col("sure") == sure))
            if part.is_empty():
                continue
            colour = LIGHT["above" if up else "below"]
            mark = alt.Chart(part.select("x", "y", "area")).mark_point(
                shape="triangle-up" if up else "triangle-down",
                filled=False,
                fill=colour if sure else LIGHT["paper"],
                stroke=colour,
                strokeWidth=1.5,
                opacity=1,
            )
            layers.append(mark.encode(size=alt.Size("area:Q", scale=None, legend=None), **at))
    chart = alt.layer(*layers, width=step * len(groups), height=height)
    key = (
        "▲ orange: worse than for the other groups (of a neutral theme: more); ▼ blue: better "
        "(less). Filled: sure; hollow: could be chance. Larger: stronger, up to "
        f"{_STRONG} standard deviations. Dot: no difference; nothing: not measured."
    )
    return themed(chart, title, [key], width)


def _lines(table: pl.DataFrame) -> tuple[dict[tuple[str, str], float], dict[str, float], float]:
    """Give each measure under its theme a line, and each theme one for its heading."""
    places: dict[tuple[str, str], float] = {}
    heads: dict[str, float] = {}
    y = 0.0
    for theme in table["theme"].unique(maintain_order=True).to_list():
        y += _HEAD
        heads[theme] = y - _HEAD / 2
        for measure in table.filter(theme=theme)["measure"].unique(maintain_order=True).to_list():
            places[theme, measure] = y + _ROW / 2
            y += _ROW
    return places, heads, y


def _label(frame: pl.DataFrame, width: int) -> int:
    longest = max(len(each) for each in frame["measure"].to_list())
    return round(min(longest * CHARACTER * 1.06 + 28, width * 0.42))
