"""One panel of a forest plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from slant.reports.figures.key import fill, key_layers, stroke
from slant.reports.figures.layers import ROW, across, figures, heading, names, rows
from slant.reports.numbers import is_narrow, quantity, span
from slant.reports.palette import LIGHT
from slant.reports.wording import is_difference

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import altair as alt
    import polars as pl
    from altair.typing import ChartType

    from slant.records import Scale
    from slant.reports.figures.key import KeyEntry, Sign

MEASURES = ("value", "low", "high", "chance_expected", "chance_low", "chance_high", "target")
"""Columns that are positions on the panel's scale."""

_Place: TypeAlias = "Callable[[str], alt.X]"

_SIGNS: tuple[Sign, ...] = ("above", "below", "within", "plain")


@dataclass(frozen=True)
class Frame:
    """What surrounds a panel.

    Attributes
    ----------
    groups
        The rows, from the top.
    domain
        Ends of the scale.
    label, plot, text
        Widths of the names, of the plot and of the written values, in pixels; no names are
        written when `label` is 0.
    words
        Heading; may be empty.
    key
        What to explain above the panel.
    axis
        What the scale shows.
    log
        Whether the scale is logarithmic, as ratios need it.
    """

    groups: Sequence[str]
    domain: tuple[float, float]
    label: int
    plot: int
    text: int
    words: str
    key: Sequence[KeyEntry]
    axis: str
    log: bool = False


def scaled(panel: pl.DataFrame) -> pl.DataFrame:
    """Turn shares into percent and add `shown`, the value in writing, and `bold`."""
    import polars as pl

    contrast, scale = panel["contrast"][0], panel["scale"][0]
    factor = 100 if scale == "share" else 1
    shown = [written(row, contrast, scale) for row in panel.iter_rows(named=True)]
    return panel.with_columns(
        pl.col(MEASURES) * factor,
        pl.Series("shown", shown, pl.String),
        pl.col("significance").is_in(["above", "below"]).alias("bold"),
    )


def written(row: dict[str, float | None], contrast: str, unit: Scale) -> str:
    """Write a value with its interval, as short as a picture needs it."""
    value, low, high = row["value"], row["low"], row["high"]
    if value is None:
        return "–"
    fine = is_narrow(low, high)
    text = quantity(value, unit, signed=is_difference(contrast, unit), fine=fine)
    text = text.removesuffix(" points").removesuffix(" point")
    return text if low is None or high is None else f"{text} ({span(low, high, unit, fine=fine)})"


def draw_panel(panel: pl.DataFrame, frame: Frame) -> ChartType:
    """Draw the rows of one contrast.

    Parameters
    ----------
    panel
        Rows that `scaled` made.
    frame
        What surrounds them.
    """
    import altair as alt

    y = rows(frame.groups)

    def at(column: str) -> alt.X:
        return across(column, frame.domain, frame.axis, frame.plot, log=frame.log)

    layers = [
        *_chance(panel, at, y),
        *_target(panel, at),
        *_estimates(panel, at, y),
        figures(panel, y, frame.plot + 14),
    ]
    top = -14.0
    if frame.label:
        layers += names(panel, y, frame.label)
    if frame.words:
        layers.append(heading(frame.words, -frame.label, top))
        top -= 26
    layers += key_layers(frame.key, -frame.label, frame.label + frame.plot + frame.text, top)
    height = ROW * len(frame.groups)
    return alt.layer(*layers, width=frame.plot, height=height)


def _chance(panel: pl.DataFrame, at: _Place, y: alt.Y) -> list[alt.Chart]:
    import altair as alt

    known = panel.drop_nulls(["chance_expected", "chance_low", "chance_high"])
    if known.is_empty():
        return []
    chart = alt.Chart(known.select("group", "chance_expected", "chance_low", "chance_high"))
    band = chart.mark_bar(color=LIGHT["band"]).encode(
        x=at("chance_low"), x2=alt.X2("chance_high:Q"), y=y
    )
    tick = chart.mark_tick(color=LIGHT["tick"], thickness=1.5, size=0.7 * ROW).encode(
        x=at("chance_expected"), y=y
    )
    return [band, tick]


def _target(panel: pl.DataFrame, at: _Place) -> list[alt.Chart]:
    import altair as alt

    targets = panel.select("target").drop_nulls().unique()
    if len(targets) != 1:
        return []
    rule = alt.Chart(targets).mark_rule(color=LIGHT["ink"], strokeWidth=1, strokeDash=[3, 2])
    return [rule.encode(x=at("target"))]


def _estimates(panel: pl.DataFrame, at: _Place, y: alt.Y) -> list[alt.Chart]:
    import altair as alt

    layers = []
    for sign in _SIGNS:
        part = panel.filter(panel["significance"] == sign).select("group", "value", "low", "high")
        if part.is_empty():
            continue
        line = alt.Chart(part.drop_nulls(["low", "high"])).mark_rule(
            color=stroke(sign), strokeWidth=2
        )
        point = alt.Chart(part).mark_point(
            filled=False, size=85, opacity=1, strokeWidth=2, fill=fill(sign), stroke=stroke(sign)
        )
        layers += [
            line.encode(x=at("low"), x2=alt.X2("high:Q"), y=y),
            point.encode(x=at("value"), y=y),
        ]
    return layers
