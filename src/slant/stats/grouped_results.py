"""What `grouped_rates` returns."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from slant.stats.arrays import taken
from slant.stats.chance import Chance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slant.stats.arrays import Floats
    from slant.stats.group_permutation import Unit


@dataclass(frozen=True, slots=True, eq=False)
class RateEstimates:
    """The groups' own rates; all arrays have shape (groups,).

    Attributes
    ----------
    n
        Trials over all clusters.
    value
        Rate, in [0, 1]; NaN without trials.
    low, high
        Its interval.
    """

    n: Floats
    value: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Contrast:
    """The groups' rates against something; all arrays have shape (groups,).

    NaN throughout for groups that cannot be compared: those without trials, and the reference.

    Attributes
    ----------
    value
        Difference of rates, in [−1, 1].
    low, high
        Its interval; always holds the value.
    p
        p-value of the permutation test, two-sided, for each group alone.
    chance
        The value if it did not matter which group was asked about.
    cohen_h
        Cohen's h of the two rates, signed like the value.
    odds_ratio, odds_low, odds_high
        Ratio of the two odds, above 0, and its interval; always finite.
    odds_chance
        The ratio if it did not matter: where the differences of `chance` take it.
    permuted
        What the permutation test exchanged: single observations, or whole cells.
    """

    value: Floats
    low: Floats
    high: Floats
    p: Floats
    chance: Chance
    cohen_h: Floats
    odds_ratio: Floats
    odds_low: Floats
    odds_high: Floats
    odds_chance: Chance
    permuted: Unit


@dataclass(frozen=True, slots=True, eq=False)
class GroupedRates:
    """All that follows from one table of counts.

    Attributes
    ----------
    rates
        Each group's own rate.
    vs_rest
        Each group's rate against the median rate of the other groups.
    vs_reference
        Each group's rate against the reference group's; `None` when there is no reference.
    """

    rates: RateEstimates
    vs_rest: Contrast
    vs_reference: Contrast | None


def incomparable(groups: int) -> Contrast:
    """Make the contrast of groups of which none can be compared: NaN throughout."""
    unknown = np.full(groups, np.nan)
    chance = Chance(unknown, unknown, unknown, [None] * groups)
    given: dict[str, Any] = dict.fromkeys((field.name for field in fields(Contrast)), unknown)
    given |= {"chance": chance, "odds_chance": chance, "permuted": "observations"}
    return Contrast(**given)


_Result = TypeVar("_Result", RateEstimates, Contrast)


def over_groups(result: _Result, places: NDArray[np.intp]) -> _Result:
    """Put the rows of a result in another order; −1 stands for a group that has none: NaN."""
    values: dict[str, Any] = {field.name: getattr(result, field.name) for field in fields(result)}
    for name, value in values.items():
        if isinstance(value, np.ndarray):
            values[name] = taken(value, places)
        elif isinstance(value, Chance):
            values[name] = value.at(places)
    return replace(result, **values)
