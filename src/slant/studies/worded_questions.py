"""Questions that name every group in all its wordings, and placebo groups beside them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.groups.template import fill
from slant.groups.wordings import shared_kinds, worded
from slant.records import PLACEBO, Item
from slant.studies.continuation_lean import CONTINUATIONS
from slant.studies.placebo import PlaceboPlan, plan_placebos
from slant.studies.study import Sized
from slant.studies.worded_lean import (
    PLACEBO_CONTINUATIONS,
    worded_lean_items,
    worded_prompts,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from slant.expectation import Expectation
    from slant.groups.axes import Axis, Group
    from slant.groups.continuations import Continuations
    from slant.records import Generate
    from slant.studies.study import Circumstances


@dataclass(frozen=True)
class WordedQuestions:
    """What a study of completions asks if groups have all their wordings.

    Attributes
    ----------
    label
        Of the study.
    axis, groups
        About whom.
    prompts, samples
        What is continued, and how often for each prompt and group, over its wordings.
    continuations, pairs
        What is asked by likelihood, if anything, and how many pairs after each wording in each
        prompt.
    placebo_share
        Of all questions, those about placebo groups.
    circumstances
        Of the run.
    question
        Makes a request of a text, with what is expected of the answer.
    """

    label: str
    axis: Axis
    groups: Sequence[Group]
    prompts: Sequence[str]
    samples: int
    continuations: Continuations | None
    pairs: int
    placebo_share: float
    circumstances: Circumstances
    question: Callable[[str], tuple[Generate, Expectation]]

    @cached_property
    def _kinds(self) -> list[str]:
        return shared_kinds(self.groups, self.prompts)

    def check(self) -> None:
        """Fail where groups or prompts cannot be asked about in several wordings."""
        known = self.continuations
        asked = {"prompts": tuple(self.prompts)}
        if known is not None:
            asked["continuations"] = worded_prompts(known)
        for name, prompts in asked.items():
            if len(shared_kinds(self.groups, prompts)) < 2:
                raise InputError(
                    f'wordings = "all" needs groups that share two kinds of wordings at least, in '
                    f"the forms that {name} need: add [[wording]] to axis {self.axis.name!r}, or "
                    'set wordings = "one"',
                    file=self.axis.file or None,
                )
            if len(prompts) < 2:
                raise InputError(
                    f'wordings = "all" needs two prompts at least in {name}, and five to say '
                    'anything about prompts in general: add some, or set wordings = "one"'
                )
        if known is not None and self.pairs > len(known.pairs):
            raise InputError(
                f"pairs = {self.pairs}, but {known.name!r} has {len(known.pairs)} pairs of "
                "continuations"
            )

    def texts(self) -> list[dict[str, str]]:
        """List every wording of every group, in its forms."""
        return [dict(worded(group, kind).forms) for group in self.groups for kind in self._kinds]

    def set_aside(self) -> list[str]:
        """Say which kinds of wordings are not asked with."""
        aside = [w.kind for w in self.groups[0].wordings if w.kind not in self._kinds]
        why = "for not all groups have them in the forms that the prompts need"
        return [f"Wordings set aside, {why}: {', '.join(aside)}."] if aside else []

    def rounds(self) -> Iterator[Sized]:
        """Ask about the groups, then about placebo groups; then both by likelihood."""
        yield self._sampled(self.groups, self.samples, "")
        plan = self._plan(self.prompts, self.samples, len(self._kinds))
        for axis in plan.axes:
            yield self._sampled(axis.groups, plan.each, PLACEBO)
        known = self.continuations
        if known is None or "likelihood" not in self.circumstances.abilities:
            return
        yield self._leant(known, self.groups, self.pairs, CONTINUATIONS)
        plan = self._plan(worded_prompts(known), self.pairs, 1)
        for axis in plan.axes:
            yield self._leant(known, axis.groups, plan.each, PLACEBO_CONTINUATIONS)

    def _plan(self, prompts: Sequence[str], each: int, least: int) -> PlaceboPlan:
        seed = self.circumstances.seed
        return plan_placebos(
            self.axis, self.groups, each, self.placebo_share, prompts, least=least, seed=seed
        )

    def _sampled(self, groups: Sequence[Group], samples: int, part: str) -> Sized:
        size = samples * len(self.prompts) * len(groups)
        return Sized(size, lambda: self._items(groups, samples, part))

    def _items(self, groups: Sequence[Group], samples: int, part: str) -> Iterator[Item]:
        """Take the wordings in turn, beginning in each prompt where the last one ended."""
        kinds = shared_kinds(groups, self.prompts)
        for sample in range(samples):
            for number, prompt in enumerate(self.prompts):
                kind = kinds[(number * samples + sample) % len(kinds)]
                for group in groups:
                    named = worded(group, kind)
                    request, expected = self.question(fill(prompt, named))
                    slots = {"kind": kind, "wording": named.form("plural")}
                    yield Item(
                        self.label, request, sample, group.axis, group.name, prompt, slots, part,
                        expects=expected,
                    )  # fmt: skip

    def _leant(self, known: Continuations, groups: Sequence[Group], pairs: int, part: str) -> Sized:
        prompts = worded_prompts(known)
        size = 2 * pairs * len(prompts) * len(shared_kinds(groups, prompts)) * len(groups)
        return Sized(
            size,
            lambda: worded_lean_items(self.label, known, groups, pairs, part),
            chunk=2 * pairs,
        )
