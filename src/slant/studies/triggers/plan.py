"""What is asked, round by round: the paper's experiment, or a search and a held-out test."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.groups.wordings import shared_kinds
from slant.records import PLACEBO, Generate, Item, Likelihood
from slant.stats.successive_halving import random_search, successive_halving
from slant.studies.counting import judge
from slant.studies.study import Sized
from slant.studies.triggers.asking import ALL
from slant.studies.triggers.searching import search_rounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from slant.groups.axes import Group
    from slant.groups.trigger_sets import Trigger
    from slant.records import Answer
    from slant.studies.counting import Counted
    from slant.studies.study import Rounds
    from slant.studies.triggers.asking import Asker
    from slant.studies.triggers.settings import TriggersSettings

FLUENCY = "fluency"
"""The part of the study that asks how probable completions are."""

EACH_SHARE, BEST_SHARE = 10, 5
"""Of 100 completions of the original prompt, the paper's experiment asks 10 for each adjective
(500 for all fifty), then 20 for each of the best six (120)."""


@dataclass(frozen=True)
class Plan:
    """What a study is about, all settings resolved.

    Attributes
    ----------
    candidates
        The triggers.
    group, reference
        Whom the prompts are about, and whom else they are about without a trigger.
    prompts
        What is searched on.
    settings
        How much is asked.
    asker, counted
        How it is asked, and what is counted.
    seed
        Root of every random choice.
    fluency
        Whether the completions' log-likelihoods are asked for too.
    kinds
        Kinds of wordings that name groups in turn; none where they have their names.
    placebo_groups, neutral
        Groups that cannot matter, and sentences that say nothing.
    """

    candidates: Sequence[Trigger]
    group: Group
    reference: Group | None
    prompts: Sequence[str]
    settings: TriggersSettings
    asker: Asker
    counted: Counted
    seed: int
    fluency: bool
    kinds: Sequence[str] = ()
    placebo_groups: Sequence[Group] = ()
    neutral: Sequence[Trigger] = ()

    def rng(self, purpose: str) -> np.random.Generator:
        """Make the random numbers of one purpose."""
        return np.random.default_rng([self.seed, *purpose.encode()])


def paper_rounds(plan: Plan) -> Rounds:
    """Ask as Abid et al. did: the original, every adjective, then the best of them again.

    The best are those with the lowest share of counted completions, the earlier in the list where
    shares are equal; the paper does not say how it chose. They are asked anew, on the same prompt.
    """
    prompt, asker, samples = plan.prompts[0], plan.asker, plan.settings.samples
    each = max(1, samples // EACH_SHARE)
    original = [
        asker.item(group, None, prompt, sample, "paper")
        for sample in range(samples)
        for group in (plan.group, plan.reference)
        if group is not None
    ]
    replies = yield [
        *original,
        *(
            asker.item(plan.group, trigger, prompt, sample, "paper", arm=str(arm))
            for sample in range(each)
            for arm, trigger in enumerate(plan.candidates)
        ),
    ]
    order = _lowest(list(replies), plan)[: plan.settings.best]
    yield [
        asker.item(
            plan.group, plan.candidates[arm], prompt, each + sample, "held_out", rank=str(rank)
        )
        for sample in range(max(1, samples // BEST_SHARE))
        for rank, arm in enumerate(order, start=1)
    ]


def _lowest(replies: list[tuple[Item, Answer]], plan: Plan) -> list[int]:
    counts = np.zeros((2, len(plan.candidates)))
    judged = judge([answer for _, answer in replies], plan.counted)
    for (item, _), is_of_kind in zip(replies, judged, strict=True):
        if "arm" in item.slots and is_of_kind is not None:
            counts[:, int(item.slots["arm"])] += is_of_kind, 1
    share = np.divide(
        counts[0], counts[1], out=np.full(len(counts[0]), np.inf), where=counts[1] > 0
    )
    return [int(arm) for arm in np.argsort(share, kind="stable")]


def robust_rounds(plan: Plan) -> Rounds:
    """Search on some prompts, then ask about the outcome on others."""
    settings = plan.settings
    wanted = successive_halving(
        len(plan.candidates), settings.search_budget, plan.rng("successive halving")
    )
    shared = (
        plan.candidates, plan.prompts, plan.group, plan.asker, plan.counted, plan.kinds
    )  # fmt: skip
    found = yield from search_rounds(wanted, "search", *shared)
    drawn: int | None = None
    if settings.random_search and len(plan.candidates) > 1:
        search = random_search(
            len(plan.candidates),
            int(found.asked.sum()),
            int(found.asked[found.order[0]]),
            plan.rng("random search"),
        )
        drawn = (yield from search_rounds(search, "random", *shared)).order[0]
    best = found.order[: settings.best]
    first = sum(1 for _ in _held_out(plan, best, drawn, samples=1))
    replies = yield Sized(
        first * _times(plan), lambda: _held_out(plan, best, drawn, samples=_times(plan))
    )
    controls = list(_controls(plan, len(best)))
    if controls:
        yield controls
    if plan.fluency:
        # Read again for every pass: the completions of a large study are never held together.
        yield Sized(sum(1 for _ in _fluency(replies)), lambda: _fluency(replies))


def _times(plan: Plan) -> int:
    """Say how often each condition is asked about each prompt."""
    return math.ceil(plan.settings.samples / len(plan.settings.held_out))


def _held_out(
    plan: Plan, best: Sequence[int], drawn: int | None, *, samples: int
) -> Iterator[Item]:
    """Ask every condition on the prompts held out, sample by sample."""
    prompts, asker, group = plan.settings.held_out, plan.asker, plan.group
    order = plan.rng("all triggers").permutation(len(plan.candidates))
    arms = {arm: {"rank": str(rank)} for rank, arm in enumerate(best, start=1)}
    if drawn is not None:
        arms[drawn] = {**arms.get(drawn, {}), "random": "yes"}
    for sample in range(samples):
        for place, prompt in enumerate(prompts):
            asked: dict[str, str] = {"kind": _kind(plan, place, sample)}
            yield asker.item(group, None, prompt, sample, "held_out", **asked)
            if plan.reference is not None:
                yield asker.item(plan.reference, None, prompt, sample, "held_out", **asked)
            one = plan.candidates[int(order[(sample * len(prompts) + place) % len(order)])]
            yield asker.item(group, one, prompt, sample, "held_out", condition=ALL, **asked)
            for arm, slots in arms.items():
                trigger = plan.candidates[arm]
                yield asker.item(group, trigger, prompt, sample, "held_out", **slots, **asked)


def _kind(plan: Plan, place: int, sample: int) -> str:
    """Let kinds of wordings take turns, beginning in each prompt where the last one ended."""
    return plan.kinds[(place * _times(plan) + sample) % len(plan.kinds)] if plan.kinds else ""


def _controls(plan: Plan, best: int) -> Iterator[Item]:
    """Ask after sentences that say nothing, and about groups that cannot matter, for a share."""
    share, prompts = plan.settings.placebo_share, plan.settings.held_out
    arms = len(plan.neutral) + len(plan.placebo_groups)
    if not arms:
        return
    asked = (2 + (plan.reference is not None) + best) * _times(plan)
    samples = min(_times(plan), max(1, round(asked * share / (1 - share) / arms)))
    own = shared_kinds(plan.placebo_groups, prompts)
    for sample in range(samples):
        for place, prompt in enumerate(prompts):
            # However few there are, they take turns among the wordings that the prompt is asked in.
            like = (place * samples + sample) % _times(plan)
            kind = _kind(plan, place, like)
            for trigger in plan.neutral:
                yield plan.asker.item(plan.group, trigger, prompt, sample, PLACEBO, kind=kind)
            for group in plan.placebo_groups:
                turn = (place * _times(plan) + like) % len(own)
                yield plan.asker.item(group, None, prompt, sample, PLACEBO, kind=own[turn])


def _fluency(replies: Iterable[tuple[Item, Answer]]) -> Iterator[Item]:
    """Ask how probable the model finds its completions, each after its own prompt."""
    for item, answer in replies:
        prompt = item.request.prompt if isinstance(item.request, Generate) else None
        if isinstance(prompt, str) and answer.outcome == "answered" and (answer.text or "").strip():
            slots = {**item.slots, "split": FLUENCY}
            request = Likelihood(str(answer.text), prompt)
            yield Item(
                item.study, request, item.sample, item.axis, item.group, item.condition, slots,
                FLUENCY,
            )  # fmt: skip
