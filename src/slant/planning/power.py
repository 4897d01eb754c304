"""What a study could see: by an earlier run, a formula, or simulated audits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.gating.allowance import Allowance
from slant.planning.made_up import MadeUp
from slant.planning.planned import POWER, Power
from slant.reports.visible import Visible, visible
from slant.stats.power_search import PowerSearch
from slant.stats.proportions import wilson
from slant.studies.prompted_study import PromptedStudy
from slant.studies.text_study import SampledStudy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from slant.engine.suite import PlannedStudy
    from slant.planning.earlier import Earlier
    from slant.planning.planned import StudyPlan
    from slant.studies.study import Study

RATE = 0.15
"""How often made-up answers are violent, whomever they are about."""

MOST = 5_000
"""Texts of a study that are simulated; more take too long, and their number tells the rest."""

AT_ONCE = 5
"""Audits with the same difference, before it is thought over where the next are planted."""

_NOT_MADE_UP = "no answers can be made up for it; --from RUN tells"


def powers(
    planned: PlannedStudy,
    study: Study,
    asked: StudyPlan,
    limit: int | None,
    told: Earlier | None,
    wished: Allowance | None,
    audits: int,
    progress: Callable[[str, int, int], None],
) -> tuple[tuple[Power, ...], str]:
    """Say what a study would see, and if that is not known, why.

    Parameters
    ----------
    planned, study
        Which one, for the model that is planned for.
    asked
        How many questions that are.
    limit
        The most questions of the audit.
    told
        What an earlier run tells, which goes before all else.
    wished
        The difference that one wants to see.
    audits
        How many audits are simulated; 0 for none, so that only what a formula gives is known.
    progress
        Is called with the study, the audits done, and all.
    """
    questions = max(asked.questions, 1)
    if told is not None and told.visible:
        factor = math.sqrt(told.questions / questions)
        by = "an earlier run" if factor == 1 else f"an earlier run of {told.questions:,} questions"
        return tuple(_power(each, factor, questions, wished, by) for each in told.visible), ""
    if not audits and not _has_formula(study):
        return (), "--simulate 200 tells, or --from RUN"
    size = questions
    if asked.exact and isinstance(study, SampledStudy):
        size = limit = min(questions, MOST)
    made_up = MadeUp(planned, study, limit)
    if made_up.subject is None:
        return (), _NOT_MADE_UP
    seen: Sequence[Visible] = []
    power = POWER
    if audits:
        found = searched(made_up, audits, lambda done: progress(study.label, done, audits))
        if isinstance(found, str):
            return (), found
        seen, by, power = [found], _by_audits(found), found.power
    else:
        seen, by = _by_formula(made_up, study.label), f"by formula, at a rate of {RATE:.0%}"
    if not seen:
        return (), _NOT_MADE_UP
    factor = math.sqrt(size / questions)
    if any(each.scale == "share" and each.difference * factor >= 1 for each in seen):
        return (), "so few questions show no difference at all"
    by += f", of {size:,} questions" if size < questions else ""
    return tuple(_power(each, factor, questions, wished, by, power) for each in seen), ""


def _has_formula(study: Study) -> bool:
    """Tell whether a formula says what it could see: it counts texts of one prompt, in one wording.

    Where prompts or wordings are drawn too, one made-up audit says too little of how they differ.
    """
    alone = isinstance(study, PromptedStudy) and len(study.settings.prompts) == 1
    return alone and not study.all_wordings


def _by_formula(made_up: MadeUp, label: str) -> list[Visible]:
    """Take what an audit says it could see."""
    seen = visible(made_up.findings, label)
    return [each for each in seen if each.metric == made_up.planting.metric]


@dataclass(frozen=True)
class Searched(Visible):
    """What simulated audits found.

    Attributes
    ----------
    low, high
        The 95% interval of the difference that is found in 80% of audits.
    planted
        The same difference as it was planted: a share of texts or words, or nats a word.
    found, checked
        In how many of how many other audits it was found.
    """

    low: float
    high: float
    planted: float
    found: int
    checked: int

    @property
    def power(self) -> float:
        """How often the difference is found."""
        return self.found / self.checked


def _by_audits(seen: Searched) -> str:
    """Say how sure the power is, and where the difference lies that is found in 80%."""
    low, high = (f"{each:.0%}" for each in wilson(seen.found, seen.checked))
    first, last = (str(Allowance(each, seen.scale)) for each in (seen.low, seen.high))
    return (
        f"{seen.checked} simulated audits, {low.removesuffix('%')} to {high}; "
        f"{POWER:.0%} is reached between {first.removesuffix(' points')} and {last}"
    )


def searched(made_up: MadeUp, audits: int, progress: Callable[[int], None]) -> Searched | str:
    """Search the difference that is found in 80% of audits, and count in how many it is.

    Parameters
    ----------
    made_up
        The study.
    audits
        How many are simulated, 2 at least: one half to search by, the other to count.
    progress
        Is called with those that are done.

    Returns
    -------
    Searched or str
        Of the comparison that shows what is planted; or why there is none.
    """
    search, first = PowerSearch(made_up.most), made_up.seed + 1
    shown: list[tuple[float, float]] = []
    half = (audits + 1) // 2
    for done in range(0, half, AT_ONCE):
        effect, seeds = search.next, range(first + done, first + min(done + AT_ONCE, half))
        found, values = made_up.found(effect, seeds)
        search.told(effect, found, len(seeds))
        shown += [(effect, value) for value in values]
        progress(done + len(seeds))
    sought = search.difference()
    if sought is None or not shown:
        return f"in {half} simulated audits even the largest difference was found too seldom"
    planted, values = np.array(shown).T
    # What the metric shows of what was planted: a line through nothing.
    size, low, high = (float(abs(planted @ values / (planted @ planted)) * x) for x in sought)
    hits = 0
    for done in range(half, audits, AT_ONCE):
        seeds = range(first + done, first + min(done + AT_ONCE, audits))
        hits += made_up.found(sought[0], seeds)[0]
        progress(done + len(seeds))
    return Searched(
        made_up.planting.metric, made_up.scale, size, low, high, sought[0], hits, audits - half
    )


def _power(
    seen: Visible, factor: float, questions: int, wished: Allowance | None, by: str,
    power: float = POWER,
) -> Power:  # fmt: skip
    difference = seen.difference * factor
    needed = None
    if wished is not None and wished.scale == seen.scale:
        needed = math.ceil(questions * (difference / wished.amount) ** 2)
    return Power(seen.metric, seen.scale, difference, needed, by, power)
