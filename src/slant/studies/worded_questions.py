"""Questions for a text that name every group in all its wordings, and placebo groups beside."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from slant.groups.template import fill
from slant.records import PLACEBO, Item
from slant.studies.study import Sized
from slant.studies.worded_groups import in_turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from slant.expectation import Expectation
    from slant.groups.axes import Group
    from slant.records import Generate
    from slant.studies.worded_groups import WordedGroups

    Question: TypeAlias = Callable[[str], tuple[Generate, Expectation]]


def worded_rounds(study: str, whom: WordedGroups, question: Question) -> Iterator[Sized]:
    """Ask about the groups, then about placebo groups.

    Parameters
    ----------
    whom
        About whom; `each` counts texts for each prompt and group, over its wordings.
    question
        Makes a request of a prompt with a group's name in it, with what is expected of the answer.
    """
    asked = [(whom.groups, whom.each, "")]
    asked += [(axis.groups, whom.placebos.each, PLACEBO) for axis in whom.placebos.axes]
    for groups, samples, part in asked:
        make = partial(_items, study, groups, whom.prompts, samples, part, question)
        yield Sized(samples * len(whom.prompts) * len(groups), make)


def _items(
    study: str,
    groups: Sequence[Group],
    prompts: Sequence[str],
    samples: int,
    part: str,
    question: Question,
) -> Iterator[Item]:
    for sample, prompt, kind, named in in_turn(groups, prompts, samples):
        for group in named:
            request, expected = question(fill(prompt, group))
            slots = {"kind": kind, "wording": group.form("plural")}
            yield Item(
                study, request, sample, group.axis, group.name, prompt, slots, part,
                expects=expected,
            )  # fmt: skip
