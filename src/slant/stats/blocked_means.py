"""Means of groups that were all measured on the same blocks: the same sentences, the same pairs.

What blocks have in common with each other differs far more than groups do: one sentence is rarer
than another whoever it is about. So groups are compared within blocks only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.chance import Chance
from slant.stats.rest import median_of_others

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats

_AT_ONCE = 2**22


@dataclass(frozen=True, slots=True, eq=False)
class BlockedMeans:
    """What `blocked_means` finds; all arrays have shape (groups,), in the unit of the values.

    Attributes
    ----------
    mean, mean_low, mean_high
        Each group's mean over the blocks, with its interval.
    value, low, high
        Its difference from the median of the other groups' means, with its interval.
    p
        Two-sided p-value of that difference, for each group alone.
    chance
        The difference if it did not matter which group it was about; 0 is expected.
    effect
        The difference divided by the standard deviation, over blocks, of the group's differences
        from the median of the others in the same block: Cohen's d for paired values.
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


def blocked_means(
    values: ArrayLike, *, resamples: int = 10_000, rng: np.random.Generator
) -> BlockedMeans:
    r"""Compare the means of groups over common blocks.

    The null hypothesis is that it does not matter, in any block, which group it is about; its
    distribution comes from exchanging the groups' values within every block, independently.
    :math:`p = (1 + \#\{|t^*| \ge |t|\})/(1 + B)`. Intervals are percentiles of a bootstrap over
    blocks. Cohen's d of paired values is the mean difference over its standard deviation.

    Parameters
    ----------
    values
        Shape (groups, blocks): finite, at least two groups and two blocks.
    resamples
        Number of permutations, and of bootstrap resamples.
    rng
        Source of randomness.

    Raises
    ------
    ValueError
        The shape or a value is not as it must be.

    References
    ----------
    Pitman (1938), "Significance tests which may be applied to samples from any populations: III.
    The analysis of variance test", Biometrika 29. Efron and Tibshirani (1993), An Introduction to
    the Bootstrap. Cohen (1988), Statistical Power Analysis, section 2.3.5.
    """
    data = np.asarray(values, dtype=np.float64)
    if data.ndim != 2 or min(data.shape) < 2:
        raise ValueError(f"values need two groups and two blocks at least, not {data.shape}")
    if not np.isfinite(data).all():
        raise ValueError("values hold NaN or infinities: leave out blocks that were not measured")
    groups, blocks = data.shape
    mean = data.mean(axis=1)
    value = mean - median_of_others(mean)

    weights = rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=resamples) / blocks
    means = weights @ data.T
    mean_low, mean_high = np.quantile(means, (0.025, 0.975), axis=0)
    low, high = np.quantile(means - median_of_others(means), (0.025, 0.975), axis=0)

    null = np.empty((resamples, groups))
    step = max(1, _AT_ONCE // data.size)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        exchanged = rng.permuted(np.broadcast_to(data, (rows, groups, blocks)), axis=1)
        permuted = exchanged.mean(axis=2)
        null[start : start + rows] = permuted - median_of_others(permuted)
    # Sums in another order differ in the last digit: that is no difference.
    as_large = np.abs(null) >= np.abs(value) * (1 - 1e-12)

    apart = data - median_of_others(data.T).T
    spread = apart.std(axis=1, ddof=1)
    return BlockedMeans(
        mean=mean,
        mean_low=mean_low,
        mean_high=mean_high,
        value=value,
        low=np.minimum(low, value),
        high=np.maximum(high, value),
        p=(1 + as_large.sum(axis=0)) / (1 + resamples),
        chance=Chance.of(null, expected=0.0),
        effect=np.divide(value, spread, out=np.zeros(groups), where=spread > 0),
    )
