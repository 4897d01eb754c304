"""Means of groups whose units are each of one group only: captions, articles, people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.inference import Draws, GroupMeans, batches, itself, permuted_within, vs_rest

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

_AT_ONCE = 2**20


def unit_means(
    values: ArrayLike, groups: ArrayLike, *, resamples: int = 10_000, rng: np.random.Generator
) -> GroupMeans:
    """Compare the means of groups over units that have nothing to do with each other.

    p-values exchange the groups of the units; intervals resample units within their groups. The
    effect is Cohen's d: the difference over the pooled standard deviation of the units.

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
    draws = _draw(data, group, resamples, rng)
    against = draws.estimate(vs_rest)
    within = ((data - draws.observed[group]) ** 2).sum() / (len(data) - len(n))
    spread = np.full(len(n), np.sqrt(within))
    effect = np.divide(against.value, spread, out=np.zeros(len(n)), where=spread > 0)
    return GroupMeans(draws.estimate(itself), against, effect)


def _draw(data: Floats, group: NDArray[np.intp], resamples: int, rng: np.random.Generator) -> Draws:
    """Exchange the groups of all units, and resample units within their groups."""
    own = [group == place for place in range(group.max() + 1)]

    def means(rows: Floats) -> Floats:
        return np.stack([rows[..., where].mean(axis=-1) for where in own], axis=-1)

    everyone = [np.arange(len(data))]
    exchanged = np.concatenate(
        [
            means(permuted_within(data, everyone, rows.stop - rows.start, rng))
            for rows in batches(resamples, _AT_ONCE // len(data))
        ]
    )
    resampled = np.stack(
        [rng.choice(data[where], size=(resamples, where.sum())).mean(axis=1) for where in own],
        axis=-1,
    )
    return Draws(means(data), resampled, exchanged, "units")
