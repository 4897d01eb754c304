"""One question of each study, what was replied, and what was read from it."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.engine.diagnosis.asked import ask
from slant.engine.suite import load_suite
from slant.engine.tables import shown_prompt
from slant.errors import InputError
from slant.readings.choice import read_choice
from slant.records import Choose, request_to_json
from slant.studies.study import Circumstances

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from slant.engine.diagnosis.asked import Heard
    from slant.models.model import Model
    from slant.records import Item


@dataclass(frozen=True)
class Sample:
    """One question of a study.

    Attributes
    ----------
    study
        Its label.
    asked, replied
        The question, and the reply as it came.
    outcome
        What it counts as.
    read
        What the study works with.
    aside
        What of the reply was set aside, in words; empty where nothing was.
    reason
        Why nothing was asked or read.
    """

    study: str
    asked: str = ""
    replied: str = ""
    outcome: str = ""
    read: str = ""
    aside: str = ""
    reason: str = ""


async def sample_each(model: Model) -> list[Sample]:
    """Put the first question of each study of the suite `quick` that the model can be asked."""
    circumstances = Circumstances(
        model.name,
        model.abilities,
        fingerprint=model.fingerprint(),
        restriction=model.restriction,
    )
    samples = []
    for planned in load_suite("quick").studies:
        try:
            study = planned.for_model(circumstances)
        except InputError as error:
            samples.append(Sample(planned.label, reason=str(error)))
            continue
        item = next(_first(study.rounds()), None)
        if item is None:
            samples.append(Sample(planned.label, reason="it asks nothing of such a model"))
            continue
        samples.append(_told(planned.label, item, await ask(model, item)))
    return samples


def _first(rounds: Iterator[Iterable[Item]]) -> Iterator[Item]:
    return itertools.islice(next(rounds, ()), 1)


def _told(study: str, item: Item, heard: Heard) -> Sample:
    answer, aside = heard.read, heard.read.aside
    read, reason = answer.text or "", answer.reason or ""
    if isinstance(item.request, Choose):
        choice = read_choice(answer.text, answer.logprobs, item.request.options)
        read = "" if choice.option is None else item.request.options[choice.option]
        if choice.mass is not None:
            read += f" (the options hold {choice.mass:.0%} of the mass)"
    elif answer.text is None and answer.logprobs is not None:
        read = f"log P = {sum(answer.logprobs):.2f} over {len(answer.logprobs)} tokens"
    said = {} if aside is None else {
        "thought": aside.thought, "preamble": aside.preamble, "afterword": aside.afterword,
        "mark-up": aside.reply,
    }  # fmt: skip
    return Sample(
        study,
        shown_prompt(request_to_json(item.request)),
        heard.raw.text or "",
        answer.outcome,
        read,
        ", ".join(name for name, text in said.items() if text),
        reason,
    )
