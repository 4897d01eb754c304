"""Means of groups whose units are each of one group only: captions, articles, people."""

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
    permuted_within,
    stretch,
    vs_rest,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

_AT_ONCE = 2**20


def unit_means(
    values: ArrayLike, groups: ArrayLike, *, resamples: int = 10_000, rng: np.random.Generator
) -> GroupMeans:
    """Compare the means of groups over units that have nothing to do with each other.

    p-values exchange the groups of the units, and compare differences over their standard errors
    (those of Welch's t, from `inference.moderated` variances), so that neither unequal spread nor
    unequal numbers make a difference. Intervals resample units within their groups, with
    deviations stretched for few of them (`inference.stretch`). The effect is Cohen's d: the
    difference over the pooled standard deviation of the units.

    Parameters
    ----------
    values
        Shape (units,), finite.
    groups
        Shape (units,): the group of each unit, as numbers from 0; each with at least two units.

    Raises
    ------
    ValueError
        A value is not finite, there is a single group, or a group has fewer than two units.

    References
    ----------
    Chung and Romano (2013), "Exact and asymptotically robust permutation tests", Annals of
    Statistics 41. Cohen (1988), Statistical Power Analysis, section 2.2.
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
    n = np.bincount(group)
    own = [group == place for place in range(len(n))]
    least = max(ROUNDING * float(np.abs(data).max()), np.finfo(float).tiny)

    def means(rows: Floats) -> Floats:
        return np.stack([rows[..., where].mean(axis=-1) for where in own], axis=-1)

    def error(rows: Floats) -> Floats:
        variance = np.stack([rows[..., where].var(axis=-1, ddof=1) for where in own], axis=-1)
        part = moderated(variance, n - 1) / n
        others = (part.sum(axis=-1, keepdims=True) - part) / (len(n) - 1) ** 2
        return np.asarray(np.maximum(np.sqrt(part + others), least))

    everyone = [np.arange(len(data))]
    exchanged, errors = np.empty((2, resamples, len(n)))
    for rows in batches(resamples, _AT_ONCE // len(data)):
        drawn = permuted_within(data, everyone, rows.stop - rows.start, rng)
        exchanged[rows], errors[rows] = means(drawn), error(drawn)
    observed = means(data)
    resampled = np.stack(
        [rng.choice(data[where], size=(resamples, where.sum())).mean(axis=1) for where in own],
        axis=-1,
    )
    return Draws(
        observed,
        observed + (resampled - observed) * stretch(n, resamples, rng),
        exchanged,
        "units",
        units=n.astype(np.float64),
        error=error(data),
        exchanged_error=errors,
    )
