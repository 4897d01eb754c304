"""A plan as a terminal shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.gating.allowance import Allowance
from slant.planning.stopping import stopping_words
from slant.reports.safe_text import one_line
from slant.reports.wording import wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.planning.planned import Planned, Power, StudyPlan

_LONGEST, _CENT = 400, 0.01


def lines(planned: Planned, effect: str | None = None) -> list[str]:
    """Tell a plan: studies by model, with what they cost and see, then totals and remarks.

    Parameters
    ----------
    planned
        The plan.
    effect
        The difference that one wants to see, as it was written.
    """
    told = [f"Plan of suite {one_line(planned.suite, 80)}; nothing that is planned has been asked."]
    for model in dict.fromkeys(each.model for each in planned.studies):
        own = [each for each in planned.studies if each.model == model]
        told.append(one_line(model, 120))
        for each in own:
            told += _study(each, effect)
        told.append(f"  in all: {_cost([each for each in own if not each.cannot])}")
    return told + [f"note: {one_line(remark, _LONGEST)}" for remark in planned.remarks]


def _study(each: StudyPlan, effect: str | None) -> list[str]:
    label = one_line(each.study, 60)
    if each.cannot:
        return [f"  {label}: cannot run: {one_line(each.cannot, _LONGEST)}"]
    told = [f"  {label}: {_cost([each])}"]
    if each.stopping:
        told.append(f"    {one_line(stopping_words(each.stopping, each.until), _LONGEST)}")
    elif not each.power:
        told.append(f"    what it could see is not known: {each.power_unknown}")
    return told + [f"    {_seen(power, effect)}" for power in each.power]


def _seen(power: Power, effect: str | None) -> str:
    name = wording(power.metric).name.lower()
    size = Allowance(power.difference, power.scale)
    text = f"could see a difference of {size} in {name} ({power.power:.0%} power; {power.by})"
    if power.questions is not None:
        text += f"; {effect} needs about {power.questions:,} questions"
    return one_line(text, _LONGEST)


def _cost(studies: Sequence[StudyPlan]) -> str:
    """Write questions, tokens, price and time of studies together."""
    about = "" if all(each.exact for each in studies) else "about "
    most = "at most " if any(each.at_most for each in studies) else "about "
    questions = sum(each.questions for each in studies)
    prompt = sum(each.prompt_tokens for each in studies)
    completion = sum(each.completion_tokens for each in studies)
    told = [
        f"{about}{questions:,} questions",
        f"about {prompt:,} tokens in, {most}{completion:,} out",
    ]
    dollars = [each.dollars for each in studies]
    if None not in dollars and any(dollars):
        cost = sum(each or 0.0 for each in dollars)
        told.append(f"{most}${cost:,.2f}" if cost >= _CENT else "less than a cent")
    seconds = [each.seconds for each in studies if each.seconds is not None]
    if seconds:
        part = "" if len(seconds) == len(studies) else " for those whose time is known"
        told.append(f"about {_time(sum(seconds))}{part}")
    return ", ".join(told)


def _time(seconds: float) -> str:
    for size, name in ((3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {name}"
    return f"{seconds:.0f} seconds"
