"""The tables behind the pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from slant.records import OUTCOMES
from slant.stats import wilson
from slant.studies.triggers.asking import ALL, NONE
from slant.studies.triggers.drift import DRIFT
from slant.studies.triggers.findings import VERSUS_NONE, by_condition
from slant.studies.triggers.side_effects import FLUENCY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding
    from slant.studies.triggers.conditions import Condition

_SHOWN = 12
"""Conditions in the bars, at most."""


def labels(conditions: Sequence[Condition]) -> dict[tuple[str, str], str]:
    """Say what pictures call each condition, by group and name: as short as it is unmistakable."""
    several = len({each.group for each in conditions if each.name != NONE}) > 1
    return {
        (each.group, each.name): f"{each.group}, {each.name}"
        if several or each.name == NONE
        else each.name
        for each in conditions
    }


def condition_table(
    conditions: Sequence[Condition], findings: Sequence[Finding], metric: str
) -> pl.DataFrame:
    """List every condition with its rate."""
    rates, called = by_condition(findings, metric, "rate"), labels(conditions)
    rows = []
    for each in conditions:
        found = rates[each.group, each.name]
        rows.append(
            (called[each.group, each.name], each.group, each.name, each.single, found.value,
             found.low, found.high, found.n)
        )  # fmt: skip
    schema: dict[str, pl.DataType] = {
        "group": pl.String(), "about": pl.String(), "condition": pl.String(),
        "single": pl.Boolean(), "value": pl.Float64(), "low": pl.Float64(), "high": pl.Float64(),
        "n": pl.Int64(),
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def bar_table(conditions: pl.DataFrame) -> pl.DataFrame:
    """Keep what the bars show: all that is no single trigger, and the first few triggers."""
    single = conditions.filter("single").head(_SHOWN)["group"].to_list()
    return conditions.filter(~pl.col("single") | pl.col("group").is_in(single)).drop("single")


def outcome_table(conditions: Sequence[Condition]) -> pl.DataFrame:
    """Count the outcomes of every condition that is no single trigger."""
    called = labels(conditions)
    rows = [
        (called[each.group, each.name], *each.outcomes.values())
        for each in conditions
        if not each.single
    ]
    schema = ["group", *OUTCOMES]
    return pl.DataFrame(rows, schema=schema, orient="row")


def price_table(
    conditions: Sequence[Condition], findings: Sequence[Finding], metric: str
) -> pl.DataFrame:
    """Put each condition's rate beside what it costs: drift of the topic, and fluency."""
    sources = {
        "rate": by_condition(findings, metric, "rate"),
        "drift": by_condition(findings, DRIFT, VERSUS_NONE),
        "log_perplexity": by_condition(findings, FLUENCY, "mean"),
    }
    called = labels(conditions)
    rows = []
    for each in conditions:
        row: dict[str, Any] = {"condition": called[each.group, each.name]}
        for name, source in sources.items():
            found = source.get((each.group, each.name))
            for part, column in (("value", name), ("low", f"{name}_low"), ("high", f"{name}_high")):
                row[column] = None if found is None else getattr(found, part)
        if each.name == NONE:
            row["drift"] = 0.0
        rows.append(row)
    return pl.DataFrame(rows, infer_schema_length=None)


def ranking_table(rows: pl.DataFrame, findings: Sequence[Finding], metric: str) -> pl.DataFrame:
    """List the triggers as the search ranked them, beside what was found on prompts held out.

    A trigger's rate in the search is drawn to the low side for those that came far: they were
    chosen for it.
    """
    searched = rows.filter(pl.col("split") == "search", pl.col("trigger") != NONE)
    held = by_condition(findings, metric, "rate")
    groups = searched["group"].unique(maintain_order=True).to_list()
    table = (
        searched.group_by("group", "trigger", maintain_order=True)
        .agg(
            pl.col("round").cast(pl.Int64).max(),
            (pl.col("value") == 1).sum().cast(pl.Int64).alias("k"),
            pl.col("value").count().cast(pl.Int64).alias("search_n"),
        )
        .with_columns(
            pl.when(pl.col("search_n") > 0)
            .then((pl.col("k") + 0.5) / (pl.col("search_n") + 1))
            .alias("drawn_in")
        )
        .sort("round", "drawn_in", descending=[True, False], nulls_last=True, maintain_order=True)
    )
    low, high = wilson(table["k"].to_numpy(), table["search_n"].to_numpy())
    known = pl.col("search_n") > 0
    table = table.with_columns(
        pl.when(known).then(pl.col("k") / pl.col("search_n")).alias("search"),
        pl.when(known).then(pl.Series(low, dtype=pl.Float64)).alias("search_low"),
        pl.when(known).then(pl.Series(high, dtype=pl.Float64)).alias("search_high"),
    )
    found = [held.get((row["group"], row["trigger"])) for row in table.iter_rows(named=True)]
    bases = [held.get((row["group"], NONE)) for row in table.iter_rows(named=True)]
    columns = {
        "held_out": [None if each is None else each.value for each in found],
        "held_out_low": [None if each is None else each.low for each in found],
        "held_out_high": [None if each is None else each.high for each in found],
        "no_trigger": [None if each is None else each.value for each in bases],
    }
    table = table.with_columns(
        *(pl.Series(name, values, pl.Float64) for name, values in columns.items()),
        pl.Series("held_out_n", [0 if each is None else each.n for each in found], pl.Int64),
    )
    label = pl.format("{}, {}", "group", "trigger") if len(groups) > 1 else pl.col("trigger")
    held_first = pl.col("held_out").is_null()  # random search's choice may have gone out early
    return (
        table.with_columns(label.alias("trigger"))
        .sort(held_first, maintain_order=True)
        .drop("k", "drawn_in")
    )


def search_table(rows: pl.DataFrame, findings: Sequence[Finding], metric: str) -> pl.DataFrame:
    """Say what each way of searching spent, and what it found.

    `exhaustive` is what it would take to ask every trigger as often as the winner was asked.
    """
    held = by_condition(findings, metric, "rate")
    found = []
    ways = (
        ("successive halving", "search", "rank", "1"),
        ("random search", "random", "random", "yes"),
    )
    winner_asked = tried = 0
    for way, split, slot, mark in ways:
        own = rows.filter(split=split)
        chosen = rows.filter(pl.col("split") == "held_out", pl.col(slot) == mark)
        chosen = chosen.filter(pl.col("condition") != ALL)
        if chosen.is_empty() or own.is_empty():
            continue
        group, trigger = chosen["group"][0], chosen["trigger"][0]
        mine = own.filter(trigger=trigger)["value"].drop_nulls()
        if split == "search":
            winner_asked, tried = own.filter(trigger=trigger).height, own["arm"].n_unique()
        result = held[group, trigger]
        found.append(
            {
                "way": way, "triggers": own["arm"].n_unique(), "completions": own.height,
                "choice": trigger, "search": mine.mean() if len(mine) else None,
                "search_n": len(mine), "held_out": result.value,
                "low": result.low, "high": result.high, "held_out_n": result.n,
            }
        )  # fmt: skip
    if winner_asked:
        found.append(
            {"way": "exhaustive (not asked)", "triggers": tried,
             "completions": tried * winner_asked}
        )  # fmt: skip
    whole = dict.fromkeys(("triggers", "completions", "search_n", "held_out_n"), pl.Int64())
    shares = dict.fromkeys(("search", "held_out", "low", "high"), pl.Float64())
    kinds = {"way": pl.String(), "choice": pl.String(), **whole, **shares}
    order = ["way", "triggers", "completions", "choice", "search", "search_n", "held_out", "low",
             "high", "held_out_n"]  # fmt: skip
    return pl.DataFrame(found, schema={name: kinds[name] for name in order})
