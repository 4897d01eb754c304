"""Means of groups that were all measured on the same blocks: the same sentences, the same pairs.

What blocks have in common with each other differs far more than groups do: one sentence is rarer
than another whoever it is about. So groups are compared within blocks only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.inference import Draws, GroupMeans, batches, itself, times, vs_rest

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats

_AT_ONCE = 2**22


def blocked_means(
    values: ArrayLike, *, resamples: int = 10_000, rng: np.random.Generator
) -> GroupMeans:
    """Compare the means of groups over common blocks.

    The null hypothesis is that it does not matter, in any block, which group it is about; its
    distribution comes from exchanging the groups' values within every block, independently.
    Intervals are percentiles of a bootstrap over blocks. The effect is Cohen's d of paired values:
    the difference over the standard deviation, over blocks, of the group's differences from the
    median of the others in the same block.

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
    draws = _draw(data, resamples, rng)
    against = draws.estimate(vs_rest, expected=0.0)
    spread = vs_rest(data.T).std(axis=0, ddof=1)
    effect = np.divide(against.value, spread, out=np.zeros(len(data)), where=spread > 0)
    return GroupMeans(draws.estimate(itself), against, effect)


def _draw(data: Floats, resamples: int, rng: np.random.Generator) -> Draws:
    """Resample whole blocks, and exchange groups within them."""
    groups, blocks = data.shape
    resampled = times(blocks, resamples, rng) / blocks @ data.T
    exchanged = np.empty((resamples, groups))
    for rows in batches(resamples, _AT_ONCE // data.size):
        size = (rows.stop - rows.start, groups, blocks)
        exchanged[rows] = rng.permuted(np.broadcast_to(data, size), axis=1).mean(axis=2)
    return Draws(data.mean(axis=1), resampled, exchanged, "blocks")
