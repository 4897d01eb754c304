"""Candidates → a balanced list: clusters that agree on a group, a draw, gaps filled and flagged.

The method is that of Siddique et al. (2024), section 3: a name is chosen from a cluster only if
more than half of the cluster belongs to the name's group, for then a language model is likely to
place it there too.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.errors import InputError
from slant.groups.name_building.candidates import LONGEST, SHORTEST, Candidate, usable
from slant.groups.name_building.clusters import SMALLEST, agreement, cluster, own_neighbours

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

_MAJORITY = 0.5
"""The share of a cluster that a group must exceed."""

_WIDER = 2
"""Gaps are filled from this many names for each that is wanted: the very best are all alike."""


@dataclass(frozen=True)
class ChosenName:
    """A name of the list, and how it came there.

    Attributes
    ----------
    candidate
        The name, its group and its source.
    cluster
        The number of its cluster, from 0.
    agreement
        The share of its own group in that cluster, 0 to 1.
    filled
        Whether it was taken to fill a gap, not drawn from a cluster that agrees on its group.
    """

    candidate: Candidate
    cluster: int
    agreement: float
    filled: bool


@dataclass(frozen=True)
class BuiltNames:
    """A list of names, and the counts of how it came about.

    Attributes
    ----------
    names
        By group, then by name.
    candidates
        How many names there were to choose from.
    left_out
        How many were not, by reason.
    clusters
        How many clusters hold names.
    agreeing
        How many of them have at least ten names and agree on a group.
    filled
        How many names were taken to fill the gaps of a group, by group.
    notes
        What else a user should know, in words.
    """

    names: tuple[ChosenName, ...]
    candidates: int
    left_out: dict[str, int]
    clusters: int
    agreeing: int
    filled: dict[str, int]
    notes: tuple[str, ...]


def build_names(
    found: Sequence[Candidate],
    embed: Callable[[Sequence[str]], NDArray[np.float32]],
    *,
    per_group: int = 10,
    clusters: int = 120,
    seed: int = 0,
) -> BuiltNames:
    """Choose names for every group.

    Parameters
    ----------
    found
        Names with their groups, the same one perhaps several times.
    embed
        Names → vectors of length 1, shape (n, d).
    per_group
        How many names a group gets; a group that has fewer gets all of them.
    clusters
        How many clusters at most; there is at most one for every ten names.
    seed
        Of the clusters and of the draw.

    Returns
    -------
    BuiltNames
        Names are drawn at random from the clusters of at least ten names more than half of which
        are the group's. Where these are too few, the gap is filled at random from the best of
        the group's other names, two for each name that is wanted, and the names taken are
        flagged. Best are those with the largest share of their own group among their ten nearest
        neighbours, then in their cluster. Names of one cluster are spelt much alike, so one
        cluster gives at most half of a group's names while others are left.

    Raises
    ------
    InputError
        Fewer than two groups of at least two usable names are there.
    """
    names, left_out = usable(found)
    sizes = Counter(each.group for each in names)
    lonely = [group for group in sizes if sizes[group] < 2]
    names = [each for each in names if sizes[each.group] > 1]
    kinds = sorted({each.group for each in names})
    if len(kinds) < 2:
        counted = ", ".join(
            f"{count} {reason.replace('_', ' ')}" for reason, count in left_out.items() if count
        )
        raise InputError(
            "fewer than two groups of at least two names are left to choose from"
            + (f" ({counted})" if counted else "")
            + f": names must be one word of {SHORTEST} to {LONGEST} Latin letters, each of one "
            "gender and ethnicity"
        )
    groups = np.array([kinds.index(each.group) for each in names], np.intp)
    vectors = embed([each.name for each in names])
    labels = cluster(vectors, clusters, seed)
    shares = agreement(labels, groups)
    counts = np.bincount(labels, minlength=len(shares))
    own = shares[labels, groups]
    agreed = (own > _MAJORITY) & (counts[labels] >= SMALLEST)
    near = own_neighbours(vectors, groups)
    chosen: list[ChosenName] = []
    filled: dict[str, int] = {}
    short = []
    for number, kind in enumerate(kinds):
        members = np.flatnonzero(groups == number)
        drawn = sorted(members[agreed[members]], key=lambda at: _lot(names[at].name, seed))
        others = sorted(
            members[~agreed[members]], key=lambda at: (-near[at], -own[at], names[at].name)
        )
        best = sorted(others[: _WIDER * per_group], key=lambda at: _lot(names[at].name, seed))
        queue = [*drawn, *best, *others[_WIDER * per_group :]]
        taken = _spread(queue, labels, per_group)
        label = " ".join(kind)
        if gap := sum(not agreed[at] for at in taken):
            filled[label] = gap
        if len(taken) < per_group:
            short.append(f"{label} ({len(taken)})")
        chosen.extend(
            ChosenName(names[at], int(labels[at]), float(own[at]), not agreed[at])
            for at in sorted(taken, key=lambda at: names[at].name)
        )
    notes = []
    if lonely:
        notes.append(
            f"left out, for a single name each: {', '.join(map(' '.join, sorted(lonely)))}"
        )
    if short:
        notes.append(f"fewer than {per_group} names: {', '.join(short)}")
    return BuiltNames(
        tuple(chosen),
        len(names),
        left_out,
        len(np.unique(labels)),
        int(((shares.max(axis=1) > _MAJORITY) & (counts >= SMALLEST)).sum()),
        filled,
        tuple(notes),
    )


def _spread(queue: Sequence[np.intp], labels: NDArray[np.intp], count: int) -> list[np.intp]:
    """Take the first in a queue, but at most half from one cluster while others are left."""
    used: Counter[int] = Counter()
    first: list[np.intp] = []
    later: list[np.intp] = []
    for at in queue:
        cluster_of = int(labels[at])
        used[cluster_of] += 1
        (first if 2 * used[cluster_of] <= count + 1 else later).append(at)
    return (first + later)[:count]


def _lot(name: str, seed: int) -> bytes:
    """Give a name its place in the draw, whatever other names there are."""
    return hashlib.sha256(f"{seed}\n{name}".encode()).digest()
