"""Outcome bars: how many questions about each group were answered, refused or lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.records import OUTCOMES, is_comparison
from slant.reports.figures.key import KeyEntry, key_layers
from slant.reports.figures.layers import row_chart, stacks
from slant.reports.figures.pixels import fixed
from slant.reports.figures.select import Choice, Rows, drawable, require, select
from slant.reports.figures.theme import OUTCOME_COLOURS, WIDE, themed
from slant.reports.palette import LIGHT
from slant.reports.wording import OUTCOME_WORDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import altair as alt
    import polars as pl
    from altair.typing import ChartType

_ROOM = 0.12
_KEY = [KeyEntry(outcome, OUTCOME_WORDS[outcome]) for outcome in OUTCOMES]


def outcomes(
    table: Rows,
    *,
    metric: Choice = None,
    condition: Choice = None,
    axis: Choice = None,
    model: Choice = None,
    title: str = "",
    width: int = WIDE,
) -> ChartType:
    """Draw the four outcomes of every group as one stacked bar, with their counts.

    Parameters
    ----------
    table
        Findings, or a table with the columns `group`, `answered`, `refused`, `unparseable` and
        `error`.
    metric, condition, axis, model
        Which of the findings to count; of several metrics the first.
    title, width
        Heading of the picture, and its width in pixels.
    """
    import altair as alt
    import polars as pl

    frame = select(table, metric=metric, condition=condition, axis=axis, model=model)
    frame = outcome_table(drawable(frame))
    shown = [_lost(row) for row in frame.iter_rows(named=True)]
    frame = frame.with_columns(pl.Series("shown", shown, pl.String))
    most = frame.select(pl.sum_horizontal(OUTCOMES).max()).item()
    rows = row_chart(frame, width, "questions", (0, most))
    long = frame.unpivot(OUTCOMES, index="group", variable_name="outcome", value_name="count")
    colour = alt.Color("outcome:N", sort=list(OUTCOMES), legend=None)
    colour = colour.scale(domain=list(OUTCOMES), range=list(OUTCOME_COLOURS.values()))
    looks = {"stroke": LIGHT["paper"], "strokeWidth": 1}
    layers = [
        *rows.marks(stacks(long, "outcome", OUTCOMES, "count"), "bar", "start", "end",
                    channels={"color": colour}, **looks),
        *_counts(frame.filter(pl.col("answered") > _ROOM * most), rows.y),
        *key_layers(_KEY, rows.left, rows.width),
    ]  # fmt: skip
    return themed(rows.chart(frame, layers), title, [], width)


def outcome_table(frame: pl.DataFrame) -> pl.DataFrame:
    """Count outcomes once a group.

    Several findings rest on the same questions, so only the groups' own figures count, and of
    several metrics only the first. Conditions are added up, unless they are pooled already.

    Returns
    -------
    polars.DataFrame
        `group` and the four outcomes, in the order in which the groups come.
    """
    import polars as pl

    require(frame, "group", *OUTCOMES)
    if "contrast" in frame.columns and "metric" in frame.columns:
        own = frame.filter(~pl.col("contrast").map_elements(is_comparison, pl.Boolean))
        frame = own if len(own) else frame.unique(["metric", "group", "condition"], keep="first")
        frame = frame.filter(pl.col("metric") == frame["metric"].first())
    if "condition" in frame.columns and (frame["condition"] == "").any():
        frame = frame.filter(pl.col("condition") == "")
    counted = frame.group_by("group", maintain_order=True).agg(pl.col(OUTCOMES).sum())
    if counted.is_empty():
        raise InputError("there are no outcomes to count")
    return counted


def _lost(row: Mapping[str, int]) -> str:
    return ", ".join(f"{row[name]:,} {OUTCOME_WORDS[name]}" for name in OUTCOMES[1:] if row[name])


def _counts(roomy: pl.DataFrame, y: alt.Y) -> list[alt.Chart]:
    """Write how many were answered inside their bars."""
    import altair as alt

    mark = alt.Chart(roomy.select("group", "answered")).mark_text(
        align="left", baseline="middle", fontSize=11, color=LIGHT["on-answered"]
    )
    return [mark.encode(y=y, text=alt.Text("answered:Q", format=","), **fixed(x=7))]
