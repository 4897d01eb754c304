"""Whom profiles are about, and which groups of names are compared."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from slant.studies.profiles.profile import Profile

EVERYONE = "all groups"
"""What figures that hold for all groups together are filed under."""

MOST = 3000
"""How many profiles are compared at most: the classifier's memory grows with their square."""


CROSSED = "ethnicity × gender"
"""The axis of both together."""


def every_group(axis: str) -> str:
    """Name what figures that hold for all groups of an axis together are filed under."""
    return f"groups by {axis}"


@dataclass(frozen=True)
class Person:
    """What a name stands for; what nobody said is empty."""

    group: str
    gender: str = ""
    ethnicity: str = ""


@dataclass(frozen=True)
class Cast:
    """The profiles of one condition, seen by one axis.

    Attributes
    ----------
    axis
        What findings call it: `ethnicity × gender`, `ethnicity`, `gender`, `group`.
    condition
        How the profiles were asked for.
    groups
        Who is compared.
    names
        Names of these groups that have a profile.
    code
        The group of each name: shape (names,).
    profiles
        Their profiles.
    who
        The name of each profile: shape (profiles,).
    """

    axis: str
    condition: str
    groups: list[str]
    names: list[str]
    code: NDArray[np.int64]
    profiles: list[Profile]
    who: NDArray[np.int64]


def axes_of(people: Mapping[str, Person]) -> dict[str, dict[str, str]]:
    """Give the axes that these names can be compared on: axis to name to group."""
    everyone = people.values()
    found = {}
    if all(each.gender and each.ethnicity for each in everyone):
        found[CROSSED] = {name: each.group for name, each in people.items()}
        found["ethnicity"] = {name: each.ethnicity for name, each in people.items()}
        found["gender"] = {name: each.gender for name, each in people.items()}
    else:
        found["group"] = {name: each.group for name, each in people.items()}
    # Two axes that part the names alike are one.
    seen: set[tuple[frozenset[str], ...]] = set()
    kept = {}
    for axis, groups in found.items():
        members: dict[str, set[str]] = {}
        for name, group in groups.items():
            members.setdefault(group, set()).add(name)
        parts = tuple(sorted(map(frozenset, members.values()), key=sorted))
        if len(members) > 1 and parts not in seen:
            kept[axis] = groups
            seen.add(parts)
    return kept


def cast(
    axis: str, groups: Mapping[str, str], condition: str, profiles: Iterable[Profile]
) -> Cast | None:
    """Pick the profiles that are compared; `None` if no two groups have two names each."""
    own = [
        each
        for each in profiles
        if each.condition == condition and each.values and each.name in groups
    ]
    own = _thinned(own)
    names = list(dict.fromkeys(each.name for each in own))
    sizes = Counter(groups[name] for name in names)
    kept = [group for group in dict.fromkeys(groups.values()) if sizes[group] >= 2]
    if len(kept) < 2:
        return None
    names = [name for name in names if groups[name] in kept]
    number = {name: place for place, name in enumerate(names)}
    own = [each for each in own if each.name in number]
    return Cast(
        axis=axis,
        condition=condition,
        groups=kept,
        names=names,
        code=np.array([kept.index(groups[name]) for name in names]),
        profiles=own,
        who=np.array([number[each.name] for each in own]),
    )


def _thinned(profiles: Sequence[Profile]) -> list[Profile]:
    """Keep the first profiles of every name, so many that few enough are left."""
    names = len({each.name for each in profiles})
    most = max(1, MOST // max(names, 1))
    seen: Counter[str] = Counter()
    kept = []
    for each in profiles:
        if seen[each.name] < most:
            kept.append(each)
        seen[each.name] += 1
    return kept


def ambiguous(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Name the names that stand in several groups."""
    groups: dict[str, set[str]] = {}
    for name, group in pairs:
        groups.setdefault(name, set()).add(group)
    return [name for name, own in groups.items() if len(own) > 1]
