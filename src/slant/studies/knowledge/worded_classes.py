"""Classes whose subjects are named in all their wordings, and placebo groups beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from slant.errors import InputError
from slant.groups.axes import axis_names, placebo_names
from slant.groups.axis_file import load_axis
from slant.groups.wordings import shared_kinds, worded
from slant.studies.knowledge.classes import People, load_prompts
from slant.studies.knowledge.growth import Lead
from slant.studies.placebo import several_makes
from slant.studies.worded_groups import check_kinds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.groups.axes import Group
    from slant.studies.knowledge.settings import KnowledgeSettings

_NAMED = ["{group}"]


class WordedClasses(NamedTuple):
    """Whom graphs are about.

    Attributes
    ----------
    classes, placebos
        Real ones, and those of groups that cannot matter.
    leads
        How their lineages name subjects, by class.
    """

    classes: list[People]
    placebos: list[People]
    leads: Mapping[str, Sequence[Lead]]

    def texts(self) -> list[list[str]]:
        """List what the lineages of the real classes call their subjects, and what leads them."""
        return [
            [lead.prefix, *lead.called.values()]
            for each in self.classes
            for lead in self.leads[each.name]
        ]


def word_classes(
    classes: Sequence[People], settings: KnowledgeSettings, seed: int
) -> WordedClasses:
    """Find the wordings of all subjects, and placebo groups for their share of the triples.

    Raises
    ------
    InputError
        A subject is no group of an axis with wordings.
    """
    groups = {each.name: _groups(each) for each in classes}
    count = sum(map(len, groups.values()))
    controls = _placebos(count, settings.placebo_share, seed, set(groups))
    placebos = [
        People.model_construct(
            name=axis, title=axis, plural=axis, prefix=classes[0].prefix, suffix="", source="",
            axis=axis, subjects=tuple(each.name for each in some),
        )
        for axis, some in controls.items()
    ]  # fmt: skip
    every = {**groups, **controls}
    leads = {
        each.name: _leads(each, every[each.name], settings.lineages)
        for each in (*classes, *placebos)
    }
    return WordedClasses(list(classes), placebos, leads)


def _groups(people: People) -> list[Group]:
    """Look the subjects of a class up on its axis."""
    name = people.axis or people.name
    if not people.axis and name not in axis_names():
        raise InputError(
            f'wordings = "all" needs subjects with wordings, and class {people.name!r} names no '
            'axis: write axis = "…" into its file, or set wordings = "one"'
        )
    axis = load_axis(name)
    found = [axis.group(subject) for subject in people.subjects]
    check_kinds(shared_kinds(found, _NAMED), axis)
    return found


def _placebos(count: int, share: float, seed: int, but: set[str]) -> dict[str, list[Group]]:
    """Choose placebo groups, at least three of each axis that is taken."""
    if share == 0:
        return {}
    wanted = round(count * share / (1 - share))
    axes = [load_axis(name) for name in placebo_names() if name not in but]
    chosen = several_makes(axes, wanted, seed, "placebos")
    return {each.name: list(each.groups) for each in chosen}


def _leads(people: People, groups: Sequence[Group], lineages: int) -> list[Lead]:
    """Let wordings and prefixes take turns, so that no two lineages have both alike early on."""
    kinds = shared_kinds(groups, _NAMED)
    prefixes = list(dict.fromkeys((people.prefix, *load_prompts().prefixes)))
    found = []
    for lineage in range(lineages):
        kind = kinds[lineage % len(kinds)]
        called = {group.name: worded(group, kind).form("plural") for group in groups}
        turn = (lineage + lineage // len(kinds)) % len(prefixes)
        found.append(Lead(called, prefixes[turn], kind))
    return found
