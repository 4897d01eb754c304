"""Means of groups whose units are each of one group only: captions, articles, people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.permutation import permutation_test
from slant.stats.rest import median_of_others

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats
    from slant.stats.chance import Chance


@dataclass(frozen=True, slots=True, eq=False)
class UnitMeans:
    """What `unit_means` finds; arrays have shape (groups,), in the unit of the values.

    Attributes
    ----------
    mean, mean_low, mean_high
        Each group's mean over its units, with its interval.
    value, low, high
        Its difference from the median of the other groups' means, with its interval.
    p
        Two-sided p-value of that difference.
    chance
        The difference if it did not matter which group a unit is of.
    effect
        The difference divided by the pooled standard deviation of the units: Cohen's d.
    """

    mean: Floats
    mean_low: Floats
    mean_high: Floats
    value: Floats
    low: Floats
    high: Floats
    p: Floats
    chance: Chance
    effect: Floats


def unit_means(
    values: ArrayLike, groups: ArrayLike, *, resamples: int = 10_000, rng: np.random.Generator
) -> UnitMeans:
    """Compare the means of groups over units that have nothing to do with each other.

    p-values exchange the groups of the units; intervals resample units within their groups.

    Parameters
    ----------
    values
        Shape (units,), finite.
    groups
        Shape (units,): the group of each unit, as numbers from 0; each with at least two units.
    resamples
        Number of permutations, and of bootstrap resamples.
    rng
        Source of randomness.

    Raises
    ------
    ValueError
        A value is not finite, there is a single group, or a group has fewer than two units.

    References
    ----------
    Good (2005), Permutation, Parametric and Bootstrap Tests of Hypotheses, section 3.2. Cohen
    (1988), Statistical Power Analysis, section 2.2.
    """
    data, group = np.asarray(values, dtype=np.float64), np.asarray(groups, dtype=np.intp)
    n = np.bincount(group)
    if not np.isfinite(data).all() or len(n) < 2 or n.min() < 2:
        raise ValueError("need finite values, two groups or more, and two units of each")

    def means(rows: Floats, labels: NDArray[np.intp]) -> Floats:
        each = [rows[..., labels == place].mean(axis=-1) for place in range(len(n))]
        return np.stack(each, axis=-1)

    def apart(rows: Floats, labels: NDArray[np.intp]) -> Floats:
        own = means(rows, labels)
        return own - median_of_others(own)

    tested = permutation_test(data, group, apart, resamples=resamples, rng=rng)
    drawn = np.stack(
        [
            rng.choice(data[group == place], size=(resamples, size)).mean(axis=1)
            for place, size in enumerate(n)
        ],
        axis=-1,
    )
    mean_low, mean_high = np.quantile(drawn, (0.025, 0.975), axis=0)
    low, high = np.quantile(drawn - median_of_others(drawn), (0.025, 0.975), axis=0)
    own = means(data, group)
    within = ((data - own[group]) ** 2).sum() / (len(data) - len(n))
    spread = np.full(len(n), np.sqrt(within))
    value = tested.observed
    return UnitMeans(
        mean=own, mean_low=mean_low, mean_high=mean_high, value=value,
        low=np.minimum(low, value), high=np.maximum(high, value), p=tested.p,
        chance=tested.chance,
        effect=np.divide(value, spread, out=np.zeros(len(n)), where=spread > 0),
    )  # fmt: skip
