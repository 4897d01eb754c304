"""Means by subject of observations that come in lineages, and how each differs from the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.inference import Draws, GroupMeans, itself, vs_rest

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats
    from slant.stats.chains import Chains


def chain_means(
    values: ArrayLike,
    lineages: Chains,
    rng: np.random.Generator,
    *,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    resamples: int = 2000,
) -> GroupMeans:
    """Average by subject and compare every subject with the median of the others.

    Intervals: percentiles of a bootstrap that draws whole lineages, with deviations stretched as
    `Chains.stretch` says. A subject whose observations are all equal has no spread to resample;
    it gets that of the average subject, divided by its number of observations, so that few equal
    observations do not pass for certainty. p-values count distances from the average permutation.
    Subjects with fewer than `FEWEST_CHAINS` have no p: NaN. The effect is the difference over the
    standard deviation of observations within subjects. With a single subject there is nothing to
    compare with: NaN.

    Parameters
    ----------
    values
        Shape (n,), without NaN.
    lineages
        What each belongs to.
    bounds
        Within which means can lie.
    resamples
        Of bootstrap and permutation.

    References
    ----------
    Davison and Hinkley (1997), Bootstrap Methods and their Application, section 3.8; Good (2005),
    Permutation, Parametric and Bootstrap Tests of Hypotheses.
    """
    x = np.asarray(values, dtype=np.float64)
    both = np.stack([x, np.ones_like(x)], axis=1)
    sums = lineages.sums(both)
    value = sums[:, 0] / sums[:, 1]
    variances = _variances(x, value, lineages)
    within = float((variances * lineages.n).sum() / lineages.n.sum())
    draws = _draw(both, value, within, lineages, bounds, resamples, rng)
    figure = vs_rest if lineages.count > 1 else _nothing
    own, against = (draws.estimate(each, centred=True) for each in (itself, figure))
    own, against = (
        replace(each, p=np.where(lineages.few, np.nan, each.p)) for each in (own, against)
    )
    effect = against.value / np.sqrt(within) if within > 0 else np.full(lineages.count, np.nan)
    return GroupMeans(own, against, effect)


def _draw(
    both: Floats,
    value: Floats,
    within: float,
    lineages: Chains,
    bounds: tuple[float, float],
    resamples: int,
    rng: np.random.Generator,
) -> Draws:
    """Resample whole lineages, and exchange what `Chains.exchanged` says."""
    drawn = lineages.resampled(both, resamples, rng)
    share = np.divide(drawn[..., 0], drawn[..., 1], where=drawn[..., 1] > 0,
                      out=np.broadcast_to(value, drawn.shape[:2]).copy())  # fmt: skip
    deviation = (share - value) * lineages.stretch(resamples, rng)
    flat = np.where(share.std(axis=0) > 0, 0.0, np.sqrt(within / lineages.n))
    deviation += rng.standard_normal(deviation.shape) * flat
    permuted = lineages.permuted(both, resamples, rng)
    return Draws(
        observed=value,
        resampled=np.clip(value + deviation, *bounds),
        exchanged=permuted[..., 0] / permuted[..., 1],
        unit="lineages",
    )


def _nothing(means: Floats) -> Floats:
    return means * np.nan


def _variances(x: Floats, means: Floats, lineages: Chains) -> Floats:
    squares = lineages.sums(((x - means[lineages.subject]) ** 2)[:, None])[:, 0]
    return squares / np.maximum(lineages.n - 1, 1)
