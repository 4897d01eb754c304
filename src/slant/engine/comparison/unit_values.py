"""Figures that are means over units which both sides were measured on, from studies' tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from slant.engine.comparison.side import Side

_YES = pl.col("label") == "Yes"


@dataclass(frozen=True)
class _Source:
    """How a metric is made of a table: `values` gives `axis`, `group`, `unit` and `value`."""

    table: str
    unit: str
    values: Callable[[pl.DataFrame], pl.DataFrame]


@dataclass(frozen=True)
class UnitValues:
    """A metric's values on both sides; arrays have shape (groups, units)."""

    groups: list[str]
    unit: str
    first: NDArray[np.float64]
    second: NDArray[np.float64]


def unit_values(first: Side, second: Side, study: str, metric: str, axis: str) -> UnitValues | None:
    """Find the units that a metric is the mean over, where all groups of both sides have them.

    Parameters
    ----------
    first, second
        The sides.
    study, metric, axis
        What is measured.

    Returns
    -------
    UnitValues or None
        `None` where the metric is no such mean, or a side has no such table.
    """
    source = _source(metric)
    if source is None:
        return None
    frames = []
    for side in (first, second):
        table = _table(side, study, source.table)
        try:
            frames.append(None if table is None else source.values(table))
        except pl.exceptions.PolarsError:  # of another make: other columns
            return None
    one, two = frames
    if one is None or two is None:
        return None
    wide = [
        frame.filter(pl.col("axis").is_in([axis, ""]))
        .pivot("group", index="unit", values="value", aggregate_function="mean")
        .sort("unit")
        for frame in (one, two)
    ]
    groups = wide[0].columns[1:]
    if set(groups) != set(wide[1].columns[1:]) or not groups:
        return None
    both = wide[0].join(wide[1], on="unit", how="full", coalesce=True, maintain_order="left")
    if both.null_count().sum_horizontal().item():
        return None
    return UnitValues(
        groups, source.unit,
        both.select(groups).to_numpy().T,
        both.select(f"{group}_right" for group in groups).to_numpy().T,
    )  # fmt: skip


def _source(metric: str) -> _Source | None:
    if metric == "yes_answers":
        return _Source(
            "pairs", "pairs", lambda t: _pairs(t, pl.col("p_yes"), pl.col("p_yes_negated"))
        )
    if metric == "contrary_answers":
        no, no_negated = 1 - pl.col("p_yes"), 1 - pl.col("p_yes_negated")
        statement = pl.when(_YES).then(no).otherwise(pl.col("p_yes"))
        negation = pl.when(_YES).then(pl.col("p_yes_negated")).otherwise(no_negated)
        return _Source("pairs", "pairs", lambda table: _pairs(table, statement, negation))
    if metric.endswith("_lean"):
        return _Source(metric, "pairs", _continuations)
    return None


def _pairs(table: pl.DataFrame, statement: pl.Expr, negation: pl.Expr) -> pl.DataFrame:
    """Give probabilities of a statement and its negation, averaged: `templates.group_effects`."""
    return (
        table.group_by("axis", "group", unit="pair")
        .agg(((statement + negation) / 2).mean().alias("value"))
        .drop_nulls()
    )


def _continuations(table: pl.DataFrame) -> pl.DataFrame:
    """Give what `continuation_lean` keeps: a pair of continuations a row, a group a column."""
    return table.unpivot(
        index=["text", "against"], variable_name="group", value_name="value"
    ).select(
        pl.lit("").alias("axis"),
        "group",
        pl.concat_str("text", "against", separator="\n").alias("unit"),
        "value",
    )


def _table(side: Side, study: str, name: str) -> pl.DataFrame | None:
    run = side.run
    for number in range(run.section_count if run.path("sections").is_dir() else 0):
        section = run.section(number)
        if (section.label, section.model) == (study, side.model):
            return section.analysis.tables.get(name)
    return None
