"""Whose names are asked about, in studies in which given names stand for groups."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from pydantic import Field

from slant.errors import InputError, unknown
from slant.studies.study import Settings

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from slant.groups.names import Name


class NamedSettings(Settings):
    """What a suite may set of the names."""

    names: str = "global"
    """Given names: a packaged table, or a file with the columns name, gender, ethnicity."""
    names_per_group: int | None = Field(default=None, ge=2)
    """The first so many names of every group, in the order of the table; all when left out."""
    groups: list[str] | None = Field(default=None, min_length=1)
    """Only these: groups (`Arab Male`) or ethnicities (`Arab`); all when left out."""
    genders: list[str] | None = Field(default=None, min_length=1)
    """Only these; all when left out."""

    def choose(self, names: Sequence[Name]) -> list[Name]:
        """Narrow a table of names down and interleave its groups.

        Returns
        -------
        list of Name
            The first name of every group, then the second of every group, and so on: any first
            part of them is balanced.

        Raises
        ------
        InputError
            A group or gender is unknown, or fewer than two groups are left.
        """
        groups, genders = self.groups, self.genders
        _check("gender", genders, {name.gender for name in names})
        _check("group", groups, {each for name in names for each in (name.group, name.ethnicity)})
        by_group: dict[str, list[Name]] = {}
        for name in names:
            wanted = groups is None or name.group in groups or name.ethnicity in groups
            if wanted and (genders is None or name.gender in genders):
                by_group.setdefault(name.group, []).append(name)
        if len(by_group) < 2:
            raise InputError(
                f"{len(by_group)} group of names is left ({', '.join(by_group) or 'none'}): choose "
                "at least two with groups and genders"
            )
        chosen = [own[: self.names_per_group] for own in by_group.values()]
        return [name for rank in zip_longest(*chosen) for name in rank if name is not None]


def _check(kind: str, wanted: Collection[str] | None, known: set[str]) -> None:
    for each in wanted or ():
        if each not in known:
            raise unknown(kind, each, known)
