"""One panel of a forest plot."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from slant.reports.figures.key import fill, key_layers, stroke
from slant.reports.figures.layers import ROW, heading
from slant.reports.numbers import with_range
from slant.reports.palette import LIGHT
from slant.reports.wording import is_difference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import altair as alt
    import polars as pl
    from altair.typing import ChartType

    from slant.records import Scale
    from slant.reports.figures.key import KeyEntry, Sign
    from slant.reports.figures.layers import RowChart

MEASURES = ("value", "low", "high", "chance_expected", "chance_low", "chance_high", "target")
"""Columns that are positions on the panel's scale."""

_SIGNS: tuple[Sign, ...] = ("above", "below", "within", "plain")


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


def written(row: Mapping[str, Any], contrast: str, unit: Scale) -> str:
    """Write a value with its interval, as short as a picture needs it."""
    if row["value"] is None:
        return "–"
    signed = is_difference(contrast, unit)
    text = with_range(row["value"], row["low"], row["high"], unit, signed=signed)
    return re.sub(" points?(?= |$)", "", text)


def draw_panel(
    panel: pl.DataFrame, rows: RowChart, words: str = "", key: Sequence[KeyEntry] = ()
) -> ChartType:
    """Draw the rows of one contrast.

    Parameters
    ----------
    panel
        Rows that `scaled` made.
    rows
        Where they stand.
    words
        Heading; may be empty.
    key
        What to explain above the panel.
    """
    layers = [*_chance(panel, rows), *_target(panel, rows)]
    for sign in _SIGNS:
        layers += estimates(panel.filter(panel["significance"] == sign), rows, sign)
    top = -14.0
    if words:
        layers.append(heading(words, rows.left, top))
        top -= 26
    layers += key_layers(key, rows.left, rows.width, top)
    return rows.chart(panel, layers)


def estimates(
    part: pl.DataFrame,
    rows: RowChart,
    sign: Sign,
    columns: tuple[str, str, str] = ("value", "low", "high"),
    *,
    size: int = 85,
    **looks: Any,
) -> list[alt.Chart]:
    """Draw points with their intervals, as the sign they stand for.

    Parameters
    ----------
    part
        Column `group` and those placed.
    rows
        Where they stand.
    sign
        Decides colour and filling.
    columns
        Value, and the ends of its interval.
    size
        Area of a point, in square pixels.
    **looks
        Of both marks, such as `yOffset`.
    """
    value, low, high = columns
    line = rows.marks(part, "rule", low, high, color=stroke(sign), strokeWidth=2, **looks)
    look = {"filled": False, "opacity": 1, "strokeWidth": 2} | looks
    ink: dict[str, Any] = {"fill": fill(sign), "stroke": stroke(sign)}
    return [*line, *rows.marks(part, "point", value, size=size, **look, **ink)]


def _chance(panel: pl.DataFrame, rows: RowChart) -> list[alt.Chart]:
    known = panel.drop_nulls(["chance_expected", "chance_low", "chance_high"])
    return [
        *rows.marks(known, "bar", "chance_low", "chance_high", color=LIGHT["band"]),
        *rows.marks(
            known, "tick", "chance_expected", color=LIGHT["tick"], thickness=1.5, size=0.7 * ROW
        ),
    ]


def _target(panel: pl.DataFrame, rows: RowChart) -> list[alt.Chart]:
    targets = panel["target"].drop_nulls().unique().to_list()
    return [rows.line(targets[0], "ink")] if len(targets) == 1 else []
