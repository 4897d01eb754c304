"""Means of groups that were all measured on the same blocks: the same sentences, the same pairs.

What blocks have in common with each other differs far more than groups do: one sentence is rarer
than another whoever it is about. So groups are compared within blocks only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.inference import (
    ROUNDING,
    Draws,
    GroupMeans,
    batches,
    itself,
    moderated,
    stretch,
    times,
    vs_rest,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats

_AT_ONCE = 2**22


def blocked_means(
    values: ArrayLike, *, resamples: int = 10_000, rng: np.random.Generator
) -> GroupMeans:
    """Compare the means of groups over common blocks.

    The null hypothesis is that it does not matter, in any block, which group it is about; its
    distribution comes from exchanging the groups' values within every block, independently. What
    is compared is the difference over its standard error, that of the group's differences from
    the mean of the others over the blocks (`inference.moderated`), so that a group whose values
    vary more than the others' is not found for that. Intervals resample blocks, with deviations
    stretched for few of them (`inference.stretch`). The effect is Cohen's d of paired values:
    the difference over the standard deviation, over blocks, of the group's differences from the
    median of the others in the same block.

    Parameters
    ----------
    values
        Shape (groups, blocks): finite, at least two groups and two blocks.

    Raises
    ------
    ValueError
        The shape or a value is not as it must be.

    References
    ----------
    Pitman (1938), "Significance tests which may be applied to samples from any populations: III.
    The analysis of variance test", Biometrika 29. Efron and Tibshirani (1993), An Introduction to
    the Bootstrap. Chung and Romano (2013), "Exact and asymptotically robust permutation tests",
    Annals of Statistics 41, for dividing by standard errors. Cohen (1988), Statistical Power
    Analysis, section 2.3.5.
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
    blocks = data.shape[1]
    means = data.mean(axis=1)
    deviation = times(blocks, resamples, rng) / blocks @ data.T - means
    exchanged, error, exchanged_error = exchange_groups(data, resamples, rng)
    return Draws(
        means,
        means + deviation * stretch([blocks], resamples, rng),
        exchanged,
        "blocks",
        units=blocks,
        error=error,
        exchanged_error=exchanged_error,
    )


def exchange_groups(
    data: Floats, resamples: int, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Exchange the values of all groups within every block.

    Parameters
    ----------
    data
        Shape (groups, blocks), two of each at least.
    resamples
        Number of exchanges.

    Returns
    -------
    means : numpy.ndarray
        Shape (resamples, groups), less what all groups have in common.
    error, exchanged_error : numpy.ndarray
        Standard errors of a group's difference from the others, for the data, shape (groups,), and
        after every exchange, shape (resamples, groups); above 0.
    """
    groups, blocks = data.shape
    within = data - data.mean(axis=0)  # what blocks have in common is exchanged for itself
    means, spread = np.empty((2, resamples, groups))
    for rows in batches(resamples, _AT_ONCE // data.size):
        size = (rows.stop - rows.start, groups, blocks)
        drawn = rng.permuted(np.broadcast_to(within, size), axis=1)
        means[rows], spread[rows] = drawn.mean(axis=2), drawn.var(axis=2, ddof=1)
    least = max(ROUNDING * float(np.abs(data).max()), float(np.finfo(float).tiny))

    def error(variance: Floats) -> Floats:
        # A group minus the mean of the others is G/(G - 1) times the group minus the block's mean.
        apart = moderated(variance, blocks - 1) * (groups / (groups - 1)) ** 2
        return np.asarray(np.maximum(np.sqrt(apart / blocks), least))

    return means, error(within.var(axis=1, ddof=1)), error(spread)
