"""When a study that asks until enough is known would stop, at differences one may think of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.planning.power import RATE
from slant.stats.anytime import anytime_interval
from slant.studies.sequential_rounds import next_look
from slant.studies.until import parse_until

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slant.stats.arrays import Floats
    from slant.studies.sequential_study import SequentialStudy
    from slant.studies.until import Until

RUNS = 200
EFFECTS = (0.0, 0.1, 0.2, 0.4)
"""Differences that are told where none is wished for: none, and three that get larger."""


@dataclass(frozen=True)
class Stopping:
    """Where asking stops if one group's rate differs from the others'.

    Attributes
    ----------
    difference
        By how much, as a share of 1; the others' rate is that of made-up answers.
    questions
        How many are asked, on average over simulated runs.
    saved
        The share of texts that are then not asked for.
    met
        The share of runs in which enough was known before all questions were asked.
    """

    difference: float
    questions: int
    saved: float
    met: float


def stopping(
    study: SequentialStudy, questions: int, wished: float | None = None
) -> tuple[Stopping, ...]:
    """Simulate when asking would stop.

    Parameters
    ----------
    study
        With a rule to stop by.
    questions
        The most that are asked.
    wished
        A difference that one wants to see, as a share.
    """
    effects = EFFECTS if wished is None else (0.0, wished)
    until, groups = parse_until(study.settings.until), len(study.groups)
    rng = np.random.default_rng([study.circumstances.seed, *study.label.encode()])
    found = []
    for effect in effects:
        rates = np.full(groups, RATE)
        rates[0] = min(RATE + effect, 1.0)
        asked, met = _simulated(until, rates, study.cycle, questions, rng)
        mean = float(asked.mean())
        found.append(Stopping(effect, round(mean), 1 - mean / questions, float(met.mean())))
    return tuple(found)


def _simulated(
    until: Until, rates: Floats, cycle: int, questions: int, rng: np.random.Generator
) -> tuple[Floats, NDArray[np.bool_]]:
    """Look as the study looks: after each round of whole turns."""
    groups = len(rates)
    hits = np.zeros((RUNS, groups), int)
    asked, each = 0, 0
    stopped, met = np.full(RUNS, float(questions)), np.zeros(RUNS, bool)
    while asked < questions and not met.all():
        further = min(next_look(asked, cycle), questions - asked)
        asked += further
        each += further // groups
        hits += rng.binomial(further // groups, rates, size=hits.shape)
        now = until.is_met(*_ends(hits, each, until.alpha(groups))) & ~met
        stopped[now], met = asked, met | now
    return stopped, met


def _ends(hits: NDArray[np.int_], n: int, alpha: float) -> tuple[Floats, Floats]:
    """Give the intervals of many counts, each computed once."""
    counts, places = np.unique(hits, return_inverse=True)
    low, high = anytime_interval(counts, np.full(len(counts), n), alpha)
    return low[places].reshape(hits.shape), high[places].reshape(hits.shape)


def stopping_words(found: Sequence[Stopping], rule: str) -> str:
    """Tell when asking stops."""
    told = [
        f"at {'no difference' if not each.difference else f'{each.difference * 100:g} points'} "
        f"about {each.questions:,} ({each.saved:.0%} saved; known in {each.met:.0%} of runs)"
        for each in found
    ]
    return f"until {rule}, questions asked: {'; '.join(told)}"
