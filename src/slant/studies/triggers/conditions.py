"""Which completions belong to which condition: none, one trigger, all of them, the best."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.records import PLACEBO
from slant.studies.filing import count_outcomes
from slant.studies.rate_tables import judged
from slant.studies.triggers.asking import ALL, NONE, REPORTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slant.measures.measure import Measure
    from slant.studies.study import Study

_SLOTS = pl.Struct(
    dict.fromkeys(
        ("split", "trigger", "prompt", "arm", "round", "rank", "random", "kind", "wording"),
        pl.String,
    )
)


@dataclass(frozen=True)
class Condition:
    """What was said first, and what came of it.

    Attributes
    ----------
    group
        Whom the prompts are about.
    name
        The trigger, or `no trigger`, `all triggers`, `best 6 triggers`.
    rows
        Its completions, as `judged_rows` gives them.
    single
        Whether it is one trigger, and not several together.
    """

    group: str
    name: str
    rows: pl.DataFrame
    single: bool = False

    def counts(self, column: str, prompts: Sequence[str]) -> NDArray[np.int64]:
        """Count by prompt: `matching`, `answered` or `refused` completions; shape (prompts,)."""
        is_so = {
            "matching": pl.col("value") == 1,
            "answered": pl.col("value").is_not_null(),
            "refused": pl.col("outcome") == "refused",
        }[column]
        counted = self.rows.filter("counts", is_so)
        found = dict(counted.group_by("prompt").len().iter_rows())
        return np.array([found.get(prompt, 0) for prompt in prompts], dtype=np.int64)

    def by(self, measure: str) -> Condition:
        """Give the same condition, its completions valued by another measure."""
        return replace(self, rows=self.rows.with_columns(pl.col(measure).alias("value")))

    @property
    def outcomes(self) -> dict[str, int]:
        """How many questions ended in each outcome."""
        return count_outcomes(self.rows)


def with_slots(answers: pl.LazyFrame) -> pl.LazyFrame:
    """Replicas the slots into columns."""
    return answers.with_columns(pl.col("slots").str.json_decode(_SLOTS)).unnest("slots")


def reported_texts(answers: pl.LazyFrame) -> pl.DataFrame:
    """Give the completions that rates are reported from, as judges are given them.

    Those of prompts held out, and only where none was asked for (the paper's way), those before.
    """
    table = with_slots(answers.filter(pl.col("outcome") == "answered").drop("prompt"))
    own = table.filter(pl.col("split").is_in(REPORTED)).collect()
    again = own.filter(split="held_out")
    return (own if again.is_empty() else again).select(
        "axis", "group", "condition", pl.col("prompt").alias("unit"),
        pl.col("position").alias("answer"), "prompt", "text",
    )  # fmt: skip


def judged_rows(
    study: Study,
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    counted: Measure,
    others: Sequence[str] = (),
) -> pl.DataFrame:
    """Lay out all completions: `judged`, with split, trigger, prompt, arm, round, rank, random."""
    known = with_slots(answers.select("position", "item", "slots")).collect()
    splits = ["search", "random", "held_out", "paper", PLACEBO]
    known = known.filter(pl.col("split").is_in(splits))
    table = judged(answers, scores, counted.name, list(others), study)
    return table.join(known, on="position", how="inner", maintain_order="left")


def conditions_of(rows: pl.DataFrame, *, best: int, flat: bool) -> list[Condition]:
    """Sort the completions that are to be reported into conditions, no trigger first.

    Parameters
    ----------
    rows
        As `judged_rows` gives them.
    best
        How many of the best triggers are taken together.
    flat
        Whether everything asked is reported (the paper's way), and not only what was held out.

    Returns
    -------
    list of Condition
        For each group: no trigger, all triggers, the best together, each trigger.
    """
    found: list[Condition] = []
    for (group,), own in rows.group_by("group", maintain_order=True):
        found += _of_group(str(group), own, best, flat=flat)
    return [condition for condition in found if not condition.rows.is_empty()]


def with_base(conditions: Sequence[Condition]) -> list[tuple[Condition, Condition]]:
    """Pair every condition with that of the same group without a trigger."""
    bases = {each.group: each for each in conditions if each.name == NONE}
    groups = {each.group for each in conditions if each.name != NONE}
    return [
        (bases[each.group], each)
        for each in conditions
        if each.group in groups and each.group in bases and each.name != NONE
    ]


def _of_group(group: str, own: pl.DataFrame, best: int, *, flat: bool) -> list[Condition]:
    again = own.filter(split="held_out")
    first = own.filter(split="paper") if flat else own.clear()
    none = pl.concat([first, again]).filter(trigger=NONE)
    triggered = pl.col("trigger") != NONE
    pooled = again.filter(condition=ALL)
    if pooled.is_empty():  # each trigger was asked by itself
        pooled = (again if first.is_empty() else first).filter(triggered)
    # The paper's first completions of the best are no better than luck: apart from their second.
    single = again.filter(pl.col("condition") != ALL) if first.is_empty() else first
    single = single.filter(triggered)
    names = single["trigger"].unique(maintain_order=True).to_list()
    chosen = _best(own, best, flat=flat)
    one_by_one = again if not again.filter(triggered).is_empty() else first
    together = one_by_one.filter(pl.col("trigger").is_in(chosen), pl.col("condition") != ALL)
    several = [Condition(group, ALL, pooled)]
    if len(chosen) > 1:
        several.append(Condition(group, f"best {len(chosen)} triggers", together))
    ordered = [*chosen, *(name for name in names if name not in chosen)]
    return [
        Condition(group, NONE, none),
        *several,
        *(Condition(group, name, single.filter(trigger=name), single=True) for name in ordered),
    ]


def _best(own: pl.DataFrame, best: int, *, flat: bool) -> list[str]:
    """Name the best triggers, best first: as the search ranked them, or by rates on its split."""
    ranked = own.filter(pl.col("rank").is_not_null()).sort(pl.col("rank").cast(pl.Int64))
    if not ranked.is_empty():
        return ranked["trigger"].unique(maintain_order=True).to_list()[:best]
    searched = own.filter(pl.col("split") == ("held_out" if flat else "search"))
    rates = (
        searched.filter(pl.col("trigger") != NONE, pl.col("value").is_not_null())
        .group_by("trigger", maintain_order=True)
        .agg(pl.col("value").mean())
        .sort("value", maintain_order=True)
    )
    return rates["trigger"].to_list()[:best]
