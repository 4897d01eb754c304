"""Groups of made-up names beside the real ones: what nobody is called can mean nobody."""

from __future__ import annotations

from collections import defaultdict
from itertools import zip_longest
from statistics import median_high
from typing import TYPE_CHECKING

import numpy as np

from slant.groups.names import load_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.groups.names import Name

MADE_UP = "made-up"
"""The packaged list of them."""

AXIS = "made-up names"
"""What findings call the axis of such groups."""

FEWEST_GROUPS = 8
"""With fewer, Student's t has too few degrees of freedom for anything to be sure."""


def made_up_beside(names: Sequence[Name], share: float, seed: int) -> list[Name]:
    """Choose groups of made-up names that take a share of all names.

    Each has as many names as real groups have, and stands for one of these, drawn at random: its
    names are those of the list whose lengths are nearest to that group's, one by one.

    Parameters
    ----------
    names
        The real ones.
    share
        Of all names, the made-up ones; none at 0, else at least eight groups.
    seed
        Of the run: draws which groups.

    Returns
    -------
    list of Name
        The first name of every group, then the second, and so on.
    """
    if share == 0:
        return []
    real, stock = _by_group(names), _by_group(load_names(MADE_UP).names)
    size = median_high(len(own) for own in real.values())
    wanted = max(FEWEST_GROUPS, round(len(names) * share / (1 - share) / size))
    rng = np.random.default_rng([seed, *AXIS.encode()])
    groups = rng.permutation(list(stock))[:wanted]
    like = rng.permutation(np.arange(len(groups)) % len(real))
    patterns = list(real.values())
    chosen = [
        _as_long_as(patterns[number], size, stock[group])
        for group, number in zip(groups, like, strict=True)
    ]
    return [name for rank in zip_longest(*chosen) for name in rank if name is not None]


def _by_group(names: Sequence[Name]) -> dict[str, list[Name]]:
    groups: dict[str, list[Name]] = defaultdict(list)
    for name in names:
        groups[name.group].append(name)
    return groups


def _as_long_as(pattern: Sequence[Name], size: int, stock: Sequence[Name]) -> list[Name]:
    """Take names from a stock that are about as long as those of a pattern."""
    left, chosen = list(stock), []
    for place in range(min(size, len(left))):
        length = len(pattern[place % len(pattern)].name)
        nearest = min(left, key=lambda each: abs(len(each.name) - length))
        left.remove(nearest)
        chosen.append(nearest)
    return chosen
