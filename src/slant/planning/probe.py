"""Asking a few questions, to see how long they take."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.engine.event_loop import in_event_loop

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.models.model import Model
    from slant.planning.walk import Walked
    from slant.records import Answer, Item

PROBED = 8
"""Questions of each study that are asked."""


@dataclass(frozen=True)
class Probed:
    """What a few questions of a study showed.

    Attributes
    ----------
    seconds
        How long one took, with as many under way at once as in an audit.
    completion_tokens
        Mean of an answer, as the model counts; `None` where it does not say.
    failed
        Why none was answered; empty where one was.
    """

    seconds: float
    completion_tokens: float | None
    failed: str = ""


def probe(model: Model, walks: Mapping[str, Walked], seed: int) -> dict[str, Probed]:
    """Ask a model a few questions of each study, in one batch each, and time them.

    Parameters
    ----------
    model
        Whom.
    walks
        The questions, by study.
    seed
        As of the audit.
    """

    async def ask() -> dict[str, Probed]:
        try:
            model.fingerprint()  # loads the model, which is no part of a question's time
            return {label: await _timed(model, _some(each), seed) for label, each in walks.items()}
        finally:
            await model.close()

    return in_event_loop(ask())


def _some(walked: Walked) -> list[Item]:
    every = [item for each in walked.rounds for item in each.sample]
    return every[:: max(len(every) // PROBED, 1)][:PROBED]


async def _timed(model: Model, items: Sequence[Item], seed: int) -> Probed:
    begun = time.perf_counter()
    answers: list[Answer] = await model.answer(items, seed) if items else []
    taken = time.perf_counter() - begun
    counted = [a.completion_tokens for a in answers if a.completion_tokens is not None]
    failed = "" if any(a.outcome != "error" for a in answers) else str(
        answers[0].reason if answers else "there is no question"
    )  # fmt: skip
    return Probed(
        taken / max(len(items), 1) / model.concurrency,
        sum(counted) / len(counted) if counted else None,
        failed,
    )
