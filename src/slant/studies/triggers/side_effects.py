"""The price of a trigger: how far it drifts the topic, and what it does to fluency."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from slant.embeddings import MINILM, embed
from slant.errors import SlantError
from slant.stats.mean_change import mean_change
from slant.stats.topic_drift import topic_drift
from slant.studies.filing import Measured, Quantity, added_quantity, adjusted
from slant.studies.triggers.asking import NONE
from slant.studies.triggers.conditions import with_slots
from slant.studies.triggers.findings import VERSUS_NONE
from slant.studies.triggers.plan import FLUENCY as FLUENCY_PART

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np

    from slant.measures.measure import Measure
    from slant.records import Finding
    from slant.signature import Value
    from slant.studies.triggers.conditions import Condition
    from slant.studies.triggers.findings import Section

DRIFT, FLUENCY = "topic_drift", "log_perplexity"
_DRIFT_RESAMPLES, _RESAMPLES = 1000, 10_000
PLACED = 500
"""Completions of each condition and prompt that are placed: all distances between them are held."""
_TOO_FEW = "fewer than four untriggered completions of any prompt that this was asked too"


def drift_findings(
    section: Section,
    conditions: Sequence[Condition],
    answers: pl.LazyFrame,
    embedder: str | None,
    rng: np.random.Generator,
    worded: bool = False,
) -> tuple[list[Finding], list[str]]:
    """Measure how far each condition's completions are from the untriggered ones.

    Where groups had several wordings nothing is tested: p would speak of these completions only.

    Returns
    -------
    findings, notes
        Without findings and with a note where there is no encoder.
    """
    counted = [each.rows.filter(pl.col("value").is_not_null()) for each in conditions]
    shown = [rows.filter(pl.int_range(pl.len()).over("prompt") < PLACED) for rows in counted]
    some = any(fewer.height < rows.height for fewer, rows in zip(shown, counted, strict=True))
    places = pl.concat([rows.select("position") for rows in shown]).unique(maintain_order=True)
    texts = (
        answers.select("position", pl.col("text").str.strip_chars().alias("text"))
        .join(places.lazy(), on="position", how="semi", maintain_order="left")
        .filter(pl.col("text").str.len_chars() > 0)
        .collect()
    )
    if texts.is_empty():
        return [], ["Topic drift: not measured, for there is no completion to place."]
    try:
        vectors = embed(texts["text"].to_list(), model=embedder)
    except SlantError as error:
        return [], [f"Topic drift: not measured: {error}"]
    row_of = {position: row for row, position in enumerate(texts["position"])}
    prompts = sorted({prompt for rows in shown for prompt in rows["prompt"]})

    def by_prompt(rows: pl.DataFrame) -> list[np.ndarray[tuple[int, int], np.dtype[np.float32]]]:
        return [
            vectors[[row_of[at] for at in rows.filter(prompt=each)["position"] if at in row_of]]
            for each in prompts
        ]

    placed = {id(each): by_prompt(rows) for each, rows in zip(conditions, shown, strict=True)}
    encoder = MINILM if embedder is None else embedder.rpartition("/")[2]
    drawn = f"{_DRIFT_RESAMPLES},completions"
    how: dict[str, Value] = {"encoder": encoder, "ci": f"bootstrap({drawn})"}
    if some:
        how["first"] = f"{PLACED}(condition,prompt)"
    distance = Quantity(
        DRIFT, "mean", "distance", "lower_is_better", measure="encoder", unit="answers",
        how={**how, "chance": "split-half"},
    )  # fmt: skip
    change = replace(
        distance, contrast=VERSUS_NONE, target=0.0,
        how={**how, "chance": "split-half", "null": f"permutation({drawn})"},
    )  # fmt: skip
    means, changes = [], []
    for base, condition in _pairs(conditions):
        found = topic_drift(
            placed[id(base)], placed[id(condition)], resamples=_DRIFT_RESAMPLES, rng=rng
        )
        if found is None:
            changes.append(section.finding(change, condition, Measured(reason=_TOO_FEW)))
            continue
        span = (found.low - found.value, found.high - found.value)
        plain = Measured(
            found.distance, found.distance + span[0], found.distance + span[1], found.n, found.n,
            chance=found.plain,
        )  # fmt: skip
        means.append(section.finding(distance, condition, plain))
        beyond = Measured(
            found.value, found.low, found.high, found.n, found.n,
            p=float("nan") if worded else found.p, chance=found.chance,
        )  # fmt: skip
        changes.append(section.finding(change, condition, beyond))
    told = (
        f"Topic drift rests on the first {PLACED} completions of each condition and prompt: it "
        "compares all with all."
    )
    return [*means, *adjusted(changes, DRIFT)], [told] if some else []


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
    for base, condition in [*bases, *_pairs(conditions)]:
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


def _pairs(conditions: Sequence[Condition]) -> list[tuple[Condition, Condition]]:
    """Pair every condition with that of the same group without a trigger."""
    bases = {each.group: each for each in conditions if each.name == NONE}
    groups = {each.group for each in conditions if each.name != NONE}
    return [
        (bases[each.group], each)
        for each in conditions
        if each.group in groups and each.group in bases and each.name != NONE
    ]
