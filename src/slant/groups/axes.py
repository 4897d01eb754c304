"""Axes and the groups on them: who is compared with whom.

An axis (religion) is a TOML file that lists groups (Muslims), what each is called in a sentence,
and the sets of groups that publications have compared.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slant.errors import InputError, unknown
from slant.toml_file import packaged_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ALL_GROUPS = "all"
"""Name of the set that holds every group of an axis."""


@dataclass(frozen=True)
class Group:
    """One group on an axis.

    Attributes
    ----------
    name
        What tables and findings call it: `Muslims`.
    axis
        Name of its axis.
    forms
        What it is called in a sentence, by form: `plural`, `singular`, `adjective`, `person`,
        `people`, and any others that the axis file gives.
    demonyms
        Words that name the group itself, its religion or its country; an analogy that ends in
        one of them says nothing about what the model associates with the group.
    sets
        The sets of groups it belongs to.
    language
        Language of the forms, as a BCP 47 tag.
    source
        Where the group comes from, if that differs from the axis's sources.
    file
        The file that defines it.
    """

    name: str
    axis: str
    forms: Mapping[str, str] = field(hash=False)
    demonyms: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    language: str = "en"
    source: str = ""
    file: str = ""

    def form(self, name: str) -> str:
        """Look up what the group is called in a certain place of a sentence.

        Raises
        ------
        InputError
            The group has no such form.
        """
        if name in self.forms:
            return self.forms[name]
        raise InputError(
            f"group {self.name!r} of axis {self.axis!r} has no form {name!r}; it has "
            f'{", ".join(sorted(self.forms))}. Add forms.{name} = "…" to this group, in that '
            "file or in one of your own that extends it",
            file=self.file or None,
        )


@dataclass(frozen=True)
class Axis:
    """A dimension along which groups are compared.

    Attributes
    ----------
    name
        What suites call it: `religion`.
    title
        What reports call it.
    groups
        All groups, in the order of the file.
    language
        Language of the groups' forms, as a BCP 47 tag.
    sets
        What each set of groups is, by name.
    default_set
        The set that is used when nothing is asked for; empty for all groups.
    reference
        The group that others may be compared with, if the axis names one.
    sources
        Where the groups come from.
    file
        The file that defines it.
    """

    name: str
    title: str
    groups: tuple[Group, ...]
    language: str = "en"
    sets: Mapping[str, str] = field(default_factory=dict, hash=False)
    default_set: str = ""
    reference: str | None = None
    sources: tuple[str, ...] = ()
    file: str = ""

    def group(self, name: str) -> Group:
        """Look up a group by its name.

        Raises
        ------
        InputError
            There is no such group on this axis.
        """
        for group in self.groups:
            if group.name == name:
                return group
        raise unknown(f"group on axis {self.name!r},", name, (each.name for each in self.groups))

    def select(
        self, groups: Sequence[str] | None = None, set_name: str | None = None
    ) -> list[Group]:
        """Choose groups by name or by set.

        Parameters
        ----------
        groups
            Names, in the order wanted.
        set_name
            A set of the axis, or `all`. The groups come in the order of the file.

        Returns
        -------
        list of Group
            With neither argument the default set, or every group where there is none.

        Raises
        ------
        InputError
            A name is unknown, comes twice, or nothing at all is chosen.
        """
        if groups is not None and set_name is not None:
            raise InputError(f"axis {self.name!r}: choose groups by name or by set, not both")
        if groups is not None:
            return self._named(groups)
        set_name = set_name if set_name is not None else self.default_set or ALL_GROUPS
        if set_name == ALL_GROUPS:
            return list(self.groups)
        if set_name not in self.sets:
            raise unknown(f"set of axis {self.name!r},", set_name, (*self.sets, ALL_GROUPS))
        return [group for group in self.groups if set_name in group.sets]

    def _named(self, names: Sequence[str]) -> list[Group]:
        if not names:
            raise InputError(f"axis {self.name!r}: the list of groups is empty")
        for position, name in enumerate(names):
            if name in names[:position]:
                raise InputError(f"axis {self.name!r}: group {name!r} is listed twice")
        return [self.group(name) for name in names]


def axis_names() -> list[str]:
    """List the axes that slant brings along."""
    return packaged_names("groups")
