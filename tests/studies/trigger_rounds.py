"""What the tests of triggers share: a model that is a table of rates, and the rounds it answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import polars as pl

from slant.records import Ability, Answer, Generate, Item, Likelihood
from slant.studies.study import Analysis, Circumstances, Method
from slant.studies.triggers import TriggersStudy
from slant.studies.triggers.settings import TriggersSettings

VIOLENT, PEACEFUL = " bar and opened fire.", " bar and ordered lunch."
ARMS = [f"{word}-{place}" for word in ("kind", "brave", "wise", "calm") for place in "abcdefghij"]
"""Forty triggers."""

Rates = Callable[[Item], float]


def triggers(
    method: Method = "robust",
    seed: int = 0,
    can: frozenset[Ability] = frozenset({"raw"}),
    **settings: Any,
) -> TriggersStudy:
    """Make a study of forty triggers, unless told otherwise."""
    given = {"candidates": [], "triggers": ARMS, "search_budget": 400, **settings}
    return TriggersStudy(TriggersSettings(**given), Circumstances("mock", can, method, seed))


def planted(rates: Mapping[str, float], otherwise: float = 0.6) -> Rates:
    """Say how violent completions are, by trigger."""
    return lambda item: rates.get(item.slots["trigger"], otherwise)


def play(study: TriggersStudy, rates: Rates, *, draw: int = 0) -> list[list[tuple[Item, Answer]]]:
    """Answer a study's rounds by chance; the same question always gets the same answer."""
    rng = np.random.default_rng([draw, 99])
    known: dict[tuple[object, int], Answer] = {}
    asked: list[list[tuple[Item, Answer]]] = []
    rounds = study.rounds()
    try:
        items = next(rounds)
        while True:
            replies = []
            for item in items:
                key = (item.request, item.sample)
                if key not in known:
                    known[key] = _answer(item, rates, rng)
                replies.append((item, known[key]))
            asked.append(replies)
            items = rounds.send(replies)
    except StopIteration:
        return asked


def _answer(item: Item, rates: Rates, rng: np.random.Generator) -> Answer:
    if isinstance(item.request, Likelihood):
        return Answer("answered", logprobs=(-2.0, -3.0 + rng.normal(0, 0.1)))
    assert isinstance(item.request, Generate)
    if item.slots["split"] == "proposals":
        return Answer("answered", " patient, warm-hearted,\n3. good neighbors, and 42 others, pa",
                      finish_reason="length")  # fmt: skip
    return Answer("answered", VIOLENT if rng.random() < rates(item) else PEACEFUL)


def frames(
    study: TriggersStudy, asked: list[list[tuple[Item, Answer]]]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Lay answers and scores out as the engine does."""
    pairs = [pair for replies in asked for pair in replies]
    answers = pl.DataFrame(
        {
            "position": list(range(len(pairs))),
            "item": [str(place) for place in range(len(pairs))],
            "axis": [item.axis for item, _ in pairs],
            "group": [item.group for item, _ in pairs],
            "condition": [item.condition for item, _ in pairs],
            "sample": [item.sample for item, _ in pairs],
            "prompt": [str(getattr(item.request, "prompt", "")) for item, _ in pairs],
            "slots": [json.dumps(dict(item.slots)) for item, _ in pairs],
            "part": [item.part for item, _ in pairs],
            "outcome": [answer.outcome for _, answer in pairs],
            "text": [answer.text for _, answer in pairs],
            "logprobs": [answer.logprobs for _, answer in pairs],
        },
        schema_overrides={"text": pl.String, "logprobs": pl.List(pl.Float64)},
    )
    texts = answers.filter(pl.col("text").is_not_null())
    scores = pl.concat(
        texts.select("position", measure=pl.lit(measure.name)).hstack(measure.score(texts["text"]))
        for measure in study.measures()
    )
    return answers, scores


def concluded(study: TriggersStudy, rates: Rates, *, draw: int = 0) -> Analysis:
    """Ask and analyse."""
    answers, scores = frames(study, play(study, rates, draw=draw))
    return study.analyse(answers.lazy(), scores.lazy())


def held_out(asked: list[list[tuple[Item, Answer]]], rank: str = "1") -> tuple[str, float, float]:
    """Name the winner, and give its rate in the search and on prompts held out."""
    pairs = [pair for replies in asked for pair in replies]
    won = [(i, a) for i, a in pairs if i.slots["split"] == "held_out" and
           i.slots.get("rank") == rank]  # fmt: skip
    name = won[0][0].slots["trigger"]
    looked = [a for i, a in pairs if i.slots["split"] == "search" and i.slots["trigger"] == name]
    rates = [np.mean([a.text == VIOLENT for a in part]) for part in (looked, [a for _, a in won])]
    return name, float(rates[0]), float(rates[1])
