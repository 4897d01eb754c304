"""Group bars with intervals, as in Figure 1c of Abid et al. (2021)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.reports.figures.layers import ROW, across, figures, names, rows
from slant.reports.figures.select import Choice, Rows, drawable, require, select
from slant.reports.figures.theme import CHARACTER, WIDE, label_width, themed
from slant.reports.numbers import is_narrow, quantity, span
from slant.reports.palette import LIGHT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import altair as alt
    import polars as pl
    from altair.typing import ChartType

    from slant.records import Scale


def bars(
    table: Rows,
    *,
    group: str = "group",
    value: str = "value",
    low: str = "low",
    high: str = "high",
    unit: Scale = "share",
    label: str = "",
    emphasis: str = "",
    metric: Choice = None,
    contrast: Choice = None,
    condition: Choice = None,
    title: str = "",
    subtitle: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw one bar a group from zero, with its interval on top and its value beside it.

    Parameters
    ----------
    table
        Findings, or any table.
    group, value, low, high
        Its columns; the last two may be missing.
    unit
        `share` for values between 0 and 1, shown in percent, else `number`.
    label
        What the scale shows.
    emphasis
        A group to point out.
    metric, contrast, condition
        Which of the findings to show.
    title, subtitle
        Heading of the picture.
    width
        Of the whole picture, in pixels.

    Raises
    ------
    InputError
        A column is missing, or there is no value to draw.
    """
    import altair as alt
    import polars as pl

    chosen = drawable(select(table, metric=metric, contrast=contrast, condition=condition))
    require(chosen, group, value)
    columns = {"group": group, "value": value, "low": low, "high": high}
    frame = chosen.select(
        (pl.col(name) if name in chosen.columns else pl.lit(None, pl.Float64)).alias(role)
        for role, name in columns.items()
    ).drop_nulls("value")
    if frame.is_empty():
        raise InputError("there is no value to draw")
    frame = _scaled(frame, unit).with_columns((pl.col("group") == emphasis).alias("bold"))
    frame = frame.sort("value", descending=True, maintain_order=True)
    groups = frame["group"].to_list()
    names_width = label_width(groups, width)
    text = round(max(map(len, frame["shown"].to_list())) * CHARACTER * 0.95) + 14
    plot = max(80, width - names_width - text - 28)
    layers = [
        *_bars(frame, groups, label or ("%" if unit == "share" else value), plot),
        *names(frame, rows(groups), names_width),
        figures(frame, rows(groups), plot + 14),
    ]
    chart = alt.layer(*layers, width=plot, height=ROW * len(groups))
    return themed(chart, title, [subtitle] if subtitle else [], width)


def _scaled(frame: pl.DataFrame, unit: Scale) -> pl.DataFrame:
    import polars as pl

    shown = [_written(row, unit) for row in frame.iter_rows(named=True)]
    factor = 100 if unit == "share" else 1
    return frame.with_columns(
        pl.col("value", "low", "high") * factor, pl.Series("shown", shown, pl.String)
    )


def _written(row: Mapping[str, float | None], unit: Scale) -> str:
    value, low, high = row["value"] or 0.0, row["low"], row["high"]
    fine = is_narrow(low, high)
    text = quantity(value, unit, fine=fine)
    return text if low is None or high is None else f"{text} ({span(low, high, unit, fine=fine)})"


def _bars(frame: pl.DataFrame, groups: Sequence[str], words: str, plot: int) -> list[alt.Chart]:
    import altair as alt

    ends = [0.0]
    for column in ("value", "low", "high"):
        ends += frame[column].drop_nulls().to_list()
    domain = (min(ends), max(ends) if max(ends) > min(ends) else min(ends) + 1)
    y = rows(groups)
    layers = []
    for bold, colour in ((False, LIGHT["bar"]), (True, LIGHT["above"])):
        part = frame.filter(frame["bold"] == bold).select("group", "value")
        if len(part):
            bar = alt.Chart(part).mark_bar(color=colour)
            layers.append(bar.encode(x=across("value", domain, words, plot), y=y))
    spans = frame.select("group", "low", "high").drop_nulls()
    if len(spans):
        line = alt.Chart(spans).mark_rule(color=LIGHT["ink"], strokeWidth=1.5)
        layers.append(line.encode(x=across("low", domain, words, plot), x2=alt.X2("high:Q"), y=y))
    return layers
