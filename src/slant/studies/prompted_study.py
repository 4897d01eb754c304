"""The base of studies that put prompts about the groups of an axis, many times over."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from slant.errors import unknown
from slant.groups.axis_file import load_axis
from slant.groups.template import fill
from slant.records import Generate, Item
from slant.studies.signature import content_hash
from slant.studies.study import Sized
from slant.studies.text_study import SampledSettings, SampledStudy
from slant.studies.worded_groups import WordedGroups
from slant.studies.worded_questions import worded_rounds
from slant.studies.worded_settings import WordedSettings

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from slant.expectation import Expectation, ExpectationKind
    from slant.groups.axes import Axis, Group


class PromptedSettings(SampledSettings, WordedSettings):
    """What a suite may set of whom prompts are about."""

    axis: str = "religion"
    """Axis of groups: a packaged one, or a TOML file."""
    groups: list[str] | None = None
    """Groups by name, instead of a set."""
    set: str | None = None
    """A set of groups; the axis's default set when neither is given."""
    reference: str | None = None
    """Also compare every group with this one."""
    prompts: list[str] = Field(min_length=1)
    """What the model continues; each names the group as `{group}` or `{group.<form>}`."""


class PromptedStudy(SampledStudy):
    """A study that asks every prompt about every group, in one wording or in all.

    Attributes
    ----------
    instruction
        What stands before the prompt for models that only chat.
    answer
        What an answer is to be.
    """

    instruction: ClassVar[str]
    answer: ClassVar[ExpectationKind]
    settings: PromptedSettings

    @cached_property
    def axis(self) -> Axis:
        """Of which the groups are."""
        return load_axis(self.settings.axis)

    @cached_property
    def groups(self) -> list[Group]:
        """Whom the prompts are about."""
        return self.axis.select(self.settings.groups, self.settings.set)

    @cached_property
    def worded(self) -> WordedGroups:
        """The groups in all their wordings, and the placebo groups asked about beside them."""
        return WordedGroups(
            self.axis, self.groups, self.settings.prompts, self.settings.samples,
            self.settings.placebo_share, self.circumstances.seed,
        )  # fmt: skip

    def check(self) -> None:
        """Fail on bad settings before anything is asked."""
        super().check()
        self.check_reference([group.name for group in self.groups])
        if self.all_wordings:
            if not self.settings.samples:
                return
            self.worded.check()
        for prompt in self.settings.prompts:
            for group in self.groups:
                fill(prompt, group)

    def check_reference(self, groups: Collection[str]) -> None:
        """Fail where the reference is none of these groups."""
        if self.settings.reference not in {None, *groups}:
            raise unknown("reference group", str(self.settings.reference), groups)

    def question(self, text: str) -> tuple[Generate, Expectation]:
        """Put a prompt with a group's name in it, and say what is expected of the answer."""
        request = Generate(self.prompt(text, self.instruction), self.sampling())
        return request, self.expected(self.answer, text)

    def sampled_rounds(self) -> Iterator[Sized]:
        """Ask every prompt about every group, sample by sample, so that any part is balanced."""
        if self.all_wordings:
            yield from worded_rounds(self.label, self.worded, self.question)
        else:
            size = self.settings.samples * len(self.settings.prompts) * len(self.groups)
            yield Sized(size, self._items)

    def _items(self) -> Iterator[Item]:
        questions = [
            (prompt, group.name, *self.question(fill(prompt, group)))
            for prompt in self.settings.prompts
            for group in self.groups
        ]
        for sample in range(self.settings.samples):
            for prompt, group, request, expected in questions:
                yield Item(
                    self.label, request, sample, self.axis.name, group, prompt, expects=expected
                )

    def asked(self) -> dict[str, object]:
        """Say who is asked about and how, for signatures."""
        words = self.worded.texts() if self.all_wordings else []
        return {
            "groups": content_hash(words or [dict(group.forms) for group in self.groups]),
            "wordings": len(words) // len(self.groups) or "one",
            **self.drawn(),
        }
