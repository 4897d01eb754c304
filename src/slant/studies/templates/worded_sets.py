"""Which people templates are about, in all their wordings, and which placebo groups beside them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import TYPE_CHECKING

import numpy as np

from slant.groups.wordings import shared_kinds, worded
from slant.records import PLACEBO
from slant.studies.placebo import plan_placebos
from slant.studies.templates.asking import Asked
from slant.studies.worded_groups import kinds_in_turn
from slant.templates import Pair
from slant.templates.domain import Domain, filler_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.groups.axes import Axis, Group
    from slant.templates import Template, TemplateSet
    from slant.templates.domain import Filler

FEWEST_CELLS = 6
"""Statements, each in a wording, that a placebo group is asked about at least where it can be."""

_IN_A_PROMPT = 2
"""Kinds of wordings in which a statement is asked about placebo groups."""


@dataclass(frozen=True, eq=False)
class WordedSet:
    """A set of templates whose people have wordings.

    Attributes
    ----------
    of
        The set.
    axis
        Whose groups the people are.
    groups
        The people.
    kinds
        Wordings that all of them have in the forms that the templates need.
    """

    of: TemplateSet
    axis: Axis
    groups: tuple[Group, ...]
    kinds: tuple[str, ...]

    @classmethod
    def find(cls, of: TemplateSet) -> WordedSet | None:
        """Find the people of a set; `None` unless all its templates are about groups in wordings.

        All templates must be about the same groups of an axis, which share two kinds of wordings at
        least.
        """
        domains = [template.slots[template.about] for template in of.templates]
        axis = domains[0].axis
        if axis is None or any(each is not domains[0] for each in domains):
            return None
        kinds = shared_kinds(domains[0].groups, forms_needed(of))
        return None if len(kinds) < 2 else cls(of, axis, domains[0].groups, tuple(kinds))


def forms_needed(of: TemplateSet) -> list[str]:
    """List the forms of a group's name that the statements have, as prompts name them."""
    columns = {
        column
        for template in of.templates
        for text in (template.statement, *template.options)
        for slot, column in text.references
        if slot == template.about
    }
    return [f"{{group.{column}}}" for column in sorted(columns)]


@dataclass(frozen=True, eq=False)
class WordedAsking:
    """What is asked of sets of templates if people have all their wordings.

    Attributes
    ----------
    sets
        The sets.
    turns
        With how many wordings each template is asked.
    placebo_share
        Of all questions about people in several wordings, those about placebo groups.
    """

    sets: Sequence[TemplateSet]
    turns: int
    placebo_share: float
    seed: int

    @cached_property
    def worded(self) -> list[WordedSet]:
        """The sets whose people have wordings."""
        return [found for each in self.sets if (found := WordedSet.find(each)) is not None]

    @property
    def one_word(self) -> list[TemplateSet]:
        """The sets whose people are named in one way only."""
        known = [each.of for each in self.worded]
        return [each for each in self.sets if each not in known]

    def asked(self) -> list[Asked]:
        """Ask about the people of all sets, which take turns, and about placebo groups."""
        real = [self._about(each, each.groups, each.kinds) for each in self.worded]
        plain = [[Asked(each.name, pair) for pair in each.pairs] for each in self.one_word]
        rows = zip_longest(*real, *plain, *self._placebos())
        return [asked for row in rows for asked in row if asked is not None]

    def _about(self, each: WordedSet, groups: Sequence[Group], kinds: Sequence[str]) -> list[Asked]:
        pairs = each.of.pairs
        turns = kinds_in_turn(len(kinds), len(pairs), self.turns * len(pairs))
        return [
            Asked(each.of.name, _worded(pair, groups, kinds[place]), "", kinds[place], form)
            for number, (pair, places) in enumerate(zip(pairs, turns, strict=True))
            for form, place in enumerate(places, start=number)
        ]

    def _placebos(self) -> list[list[Asked]]:
        """Ask about placebo groups in some statements of all sets, each in two wordings."""
        if not self.worded:
            return []
        pairs = [pair for each in self.worded for pair in each.of.pairs]
        cells = sum(
            min(self.turns, len(each.kinds)) * len(each.of.pairs) * len(each.groups)
            for each in self.worded
        )
        everyone = [group for each in self.worded for group in each.groups]
        forms = sorted({form for each in self.worded for form in forms_needed(each.of)})
        plan = plan_placebos(
            self.worded[0].axis, everyone, cells // len(everyone), self.placebo_share, forms,
            least=FEWEST_CELLS, seed=self.seed,
        )  # fmt: skip
        rng = np.random.default_rng([self.seed, len(pairs)])
        return [
            self._control(axis, forms, [pairs[n] for n in rng.permutation(len(pairs))], plan.each)
            for axis in plan.axes
        ]

    def _control(
        self, axis: Axis, forms: Sequence[str], pairs: Sequence[Pair], cells: int
    ) -> list[Asked]:
        kinds = shared_kinds(axis.groups, forms)
        some = pairs[: max(2, cells // _IN_A_PROMPT)]
        turns = kinds_in_turn(len(kinds), len(some), cells)
        return [
            Asked(axis.name, _worded(pair, axis.groups, kinds[place]), PLACEBO, kinds[place], form)
            for number, (pair, places) in enumerate(zip(some, turns, strict=True))
            for form, place in enumerate(places, start=number)
        ]


def _worded(pair: Pair, groups: Sequence[Group], kind: str) -> Pair:
    """Put people into a statement and its negation, named in one kind of wording."""
    fillers = tuple(filler_of(worded(group, kind)) for group in groups)
    positive, *negated = (_about(template, fillers) for _, template in pair.sides)
    return Pair(positive, negated[0] if negated else None)


def _about(template: Template, fillers: tuple[Filler, ...]) -> Template:
    people = Domain(template.slots[template.about].name, fillers)
    return replace(template, slots={**template.slots, template.about: people})
