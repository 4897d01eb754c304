"""Means by subject of observations that come in lineages, and how each differs from the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.chance import Chance
from slant.stats.rest import median_of_others

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats
    from slant.stats.lineages import Lineages


@dataclass(frozen=True, slots=True, eq=False)
class LineageMeans:
    """What `lineage_means` finds; arrays have shape (subjects,).

    Attributes
    ----------
    value, low, high
        Mean with its 95% interval.
    chance
        The mean if it did not matter whom an observation is about.
    difference, difference_low, difference_high
        Mean minus the median of the other subjects' means; NaN if there is but one subject.
    null
        The same if it did not matter.
    p
        Two-sided, of the difference; NaN if there is but one subject.
    effect
        Difference over the standard deviation of observations within subjects.
    """

    value: Floats
    low: Floats
    high: Floats
    chance: Chance
    difference: Floats
    difference_low: Floats
    difference_high: Floats
    null: Chance
    p: Floats
    effect: Floats


def lineage_means(
    values: ArrayLike,
    lineages: Lineages,
    rng: np.random.Generator,
    *,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    resamples: int = 2000,
) -> LineageMeans:
    r"""Average by subject and compare every subject with the median of the others.

    Intervals: percentiles of a bootstrap that draws whole lineages, with deviations stretched as
    `Lineages.stretch` says. A subject whose observations are all equal has no spread to resample;
    it gets that of the average subject, divided by its number of observations, so that few equal
    observations do not pass for certainty. p-values:
    :math:`p = (1 + \#\{|d^* - \bar d^*| \ge |d - \bar d^*|\})/(1 + B)`.

    Parameters
    ----------
    values
        Shape (n,), without NaN.
    lineages
        What each belongs to.
    rng
        Source of randomness.
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
    drawn = lineages.resampled(both, resamples, rng)
    share = np.divide(drawn[..., 0], drawn[..., 1], where=drawn[..., 1] > 0,
                      out=np.broadcast_to(value, drawn.shape[:2]).copy())  # fmt: skip
    deviation = (share - value) * lineages.stretch(resamples, rng)
    flat = np.where(share.std(axis=0) > 0, 0.0, np.sqrt(within / lineages.n))
    deviation += rng.standard_normal(deviation.shape) * flat
    means = np.clip(value + deviation, *bounds)
    permuted = lineages.permuted(both, resamples, rng)
    null = permuted[..., 0] / permuted[..., 1]
    unknown = np.full(lineages.count, np.nan)
    difference, p = unknown, unknown
    drawn_difference, null_difference = means * np.nan, null * np.nan
    if lineages.count > 1:
        difference = value - median_of_others(value)
        drawn_difference = means - median_of_others(means)
        null_difference = null - median_of_others(null)
        middle = null_difference.mean(axis=0)
        beyond = np.abs(null_difference - middle) >= np.abs(difference - middle) * (1 - 1e-12)
        p = (1 + beyond.sum(axis=0)) / (1 + resamples)
    low, high = np.quantile(means, (0.025, 0.975), axis=0)
    d_low, d_high = np.quantile(drawn_difference, (0.025, 0.975), axis=0)
    effect = difference / np.sqrt(within) if within > 0 else unknown
    return LineageMeans(
        value, np.minimum(low, value), np.maximum(high, value),
        Chance.of(null),
        difference, np.fmin(d_low, difference), np.fmax(d_high, difference),
        Chance.of(null_difference), p, effect,
    )  # fmt: skip


def _variances(x: Floats, means: Floats, lineages: Lineages) -> Floats:
    squares = lineages.sums(((x - means[lineages.subject]) ** 2)[:, None])[:, 0]
    return squares / np.maximum(lineages.n - 1, 1)
