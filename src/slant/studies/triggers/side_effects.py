"""The price of a trigger: what it does to fluency, and to what else a suite measures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from slant.stats.mean_change import mean_change
from slant.studies.filing import Measured, Quantity, added_quantity, adjusted
from slant.studies.triggers.asking import NONE
from slant.studies.triggers.conditions import with_base, with_slots
from slant.studies.triggers.findings import VERSUS_NONE
from slant.studies.triggers.plan import FLUENCY as FLUENCY_PART

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from slant.measures.measure import Measure
    from slant.records import Finding
    from slant.studies.triggers.conditions import Condition
    from slant.studies.triggers.findings import Section

FLUENCY = "log_perplexity"
_RESAMPLES = 10_000


def fluency_findings(
    section: Section,
    conditions: Sequence[Condition],
    answers: pl.LazyFrame,
    rng: np.random.Generator,
) -> list[Finding]:
    """Measure how probable the model finds its completions: mean −log P of a token, in nats.

    Parameters
    ----------
    section, conditions, rng
        As elsewhere.
    answers
        All answers, with those to questions of likelihood among them.
    """
    scored = _nats(answers)
    prompts = sorted(scored["prompt"].unique())

    def by_prompt(condition: Condition) -> list[np.ndarray[tuple[int], np.dtype[np.float64]]]:
        own = _of(condition, scored)
        return [own.filter(prompt=each)["nats"].to_numpy() for each in prompts]

    return _changes(section, conditions, by_prompt, FLUENCY_OF, rng)


FLUENCY_OF = Quantity(
    FLUENCY, "mean", "mean", "lower_is_better", measure="log-probability", unit="answers",
    part=FLUENCY_PART,
)  # fmt: skip
"""What fluency is."""


def with_nats(conditions: Sequence[Condition], answers: pl.LazyFrame) -> list[Condition]:
    """Give the conditions with how probable the model finds their completions, as `nats`."""
    scored = _nats(answers)
    return [replace(each, rows=_of(each, scored)) for each in conditions]


def _of(condition: Condition, scored: pl.DataFrame) -> pl.DataFrame:
    # Several triggers together are made of the completions of each.
    names = condition.rows["condition"].unique().to_list()
    return scored.filter(pl.col("condition").is_in(names), pl.col("group") == condition.group)


def _nats(answers: pl.LazyFrame) -> pl.DataFrame:
    return (
        with_slots(answers.select("position", "group", "condition", "part", "slots", "logprobs"))
        .filter(pl.col("part") == FLUENCY_PART, pl.col("logprobs").list.len() > 0)
        .select("group", "condition", "trigger", "prompt", "kind", "wording",
                -pl.col("logprobs").list.mean(), outcome=pl.lit("answered"))
        .rename({"logprobs": "nats"})
        .collect()
    )  # fmt: skip


def added_findings(
    section: Section,
    conditions: Sequence[Condition],
    measure: Measure,
    rng: np.random.Generator,
) -> list[Finding]:
    """Compare completions with untriggered ones by a measure that the suite adds, on average."""
    prompts = sorted({prompt for each in conditions for prompt in each.rows["prompt"]})

    def by_prompt(condition: Condition) -> list[np.ndarray[tuple[int], np.dtype[np.float64]]]:
        own = condition.rows.drop_nulls(measure.name)
        return [own.filter(prompt=each)[measure.name].to_numpy() for each in prompts]

    own = added_quantity(measure, "answers", measure=measure.signature)
    return _changes(section, conditions, by_prompt, own, rng)


def _changes(
    section: Section,
    conditions: Sequence[Condition],
    by_prompt: Callable[[Condition], list[np.ndarray[tuple[int], np.dtype[np.float64]]]],
    own: Quantity,
    rng: np.random.Generator,
) -> list[Finding]:
    """Give every condition's mean, and compare it with that without a trigger."""
    drawn = f"{_RESAMPLES},completions"
    own = replace(own, how={**own.how, "ci": f"bootstrap({drawn})"})
    change = own.against(VERSUS_NONE, null=f"permutation({drawn})")
    means, changes = [], []
    bases = [(each, each) for each in conditions if each.name == NONE]
    for base, condition in [*bases, *with_base(conditions)]:
        found = mean_change(by_prompt(base), by_prompt(condition), resamples=_RESAMPLES, rng=rng)
        if found is None:
            continue
        mean = Measured(*found.second.ends(0), found.n, found.n)
        means.append(section.finding(own, condition, mean))
        if condition is not base:
            apart = Measured(
                *found.change.ends(0), found.n, found.n, p=found.change.p[0],
                chance=found.change.chance[0],
            )  # fmt: skip
            changes.append(section.finding(change, condition, apart))
    return [*means, *adjusted(changes, own.metric)]
