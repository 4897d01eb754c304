"""Cohen's kappa: how far two raters agree beyond what chance alone would make them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.chance import chance_of
from slant.stats.inference import interval

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.by_chance import Interval
    from slant.stats.arrays import Floats

PRIOR = 0.5
"""What Jeffreys adds to every count before an interval is drawn."""


@dataclass(frozen=True, slots=True)
class Kappa:
    """Agreement of two raters.

    Attributes
    ----------
    value
        Kappa, in [-1, 1]; `None` where it has no value, and `reason` says why.
    low, high
        Its interval; `None` where there is no value.
    chance
        Where kappa falls if the raters have nothing in common but how often each gives each
        category; 0 is expected. `None` where there is no value.
    n
        How many things both have rated.
    reason
        Why there is no value.
    """

    value: float | None
    low: float | None
    high: float | None
    chance: Interval | None
    n: int
    reason: str | None = None


def kappa_of_shares(shares: ArrayLike) -> Floats:
    r"""Compute kappa from shares of pairs of ratings.

    .. math:: \kappa = \frac{p_o - p_e}{1 - p_e}, \qquad
        p_o = \sum_c p_{cc}, \quad p_e = \sum_c p_{c\cdot} p_{\cdot c}.

    Parameters
    ----------
    shares
        Shape (..., categories, categories): share of the things to which the first rater gave
        the row's category and the second the column's. The last two axes sum to 1.

    Returns
    -------
    numpy.ndarray
        Shape (...), in [-1, 1]; NaN where both raters give one and the same category to all.

    References
    ----------
    Cohen (1960), "A coefficient of agreement for nominal scales", Educational and Psychological
    Measurement 20.
    """
    table = np.asarray(shares, dtype=np.float64)
    observed = np.trace(table, axis1=-2, axis2=-1)
    expected = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1)
    beyond = 1 - expected
    unknown = np.full(observed.shape, np.nan)
    return np.asarray(np.divide(observed - expected, beyond, out=unknown, where=beyond > 1e-12))


def cohen_kappa(
    rated: ArrayLike,
    sizes: ArrayLike | None = None,
    *,
    resamples: int = 10_000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> Kappa:
    r"""Estimate kappa, with its interval and its range by chance.

    What was rated twice may be a sample stratified by the first rating: of the :math:`N_a` things
    in category *a*, :math:`n_a` were drawn and shown to the second rater. Then the shares are
    :math:`p_{ab} = \frac{N_a}{N} \frac{n_{ab}}{n_a}` (double sampling for stratification), which
    for a simple random sample are :math:`n_{ab}/n`.

    The interval holds the quantiles of kappa over draws of the shares, of
    :math:`(N_1, N_2, \dots)/N` from a Dirichlet distribution with these counts and of each row
    from one with the counts :math:`n_{ab} + \frac12`, Jeffreys' prior. In large samples it is that
    of the asymptotic variance of Fleiss, Cohen and Everitt (1969); unlike that one it has a width
    when the raters agree on everything they were shown, and then the width it should have where
    few of many things were. It is widened to hold the estimate.

    The range by chance takes the second ratings to be dealt out anew among what was rated.

    Parameters
    ----------
    rated
        Shape (categories, categories), two or more: how many things got the row's category from
        the first rater and the column's from the second.
    sizes
        Shape (categories,): how many things there are to which the first rater gave each
        category; the row sums of `rated` when absent, as for a simple random sample.
    resamples
        Draws for the interval, and for the range by chance.

    Returns
    -------
    Kappa
        Without a value where either rater gave one category to everything, for kappa is then 0
        or undefined whatever the raters do; or where there is a category of which nothing was
        rated twice.

    Raises
    ------
    ValueError
        Shapes that do not match, counts that are negative, or fewer things than were rated.

    References
    ----------
    Cohen (1960), as in `kappa_of_shares`. Fleiss, Cohen and Everitt (1969), "Large sample
    standard errors of kappa and weighted kappa", Psychological Bulletin 72. Cochran (1977),
    Sampling Techniques, section 12.2, for double sampling. Brown, Cai and DasGupta (2001),
    "Interval estimation for a binomial proportion", Statistical Science 16, for the prior.
    """
    counts = np.asarray(rated, dtype=np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1] or len(counts) < 2:
        raise ValueError(f"rated needs the shape (k, k) with k of 2 or more, not {counts.shape}")
    there = counts.sum(axis=1) if sizes is None else np.asarray(sizes, dtype=np.float64)
    if there.shape != (len(counts),):
        raise ValueError(f"sizes needs the shape ({len(counts)},), not {there.shape}")
    if (counts < 0).any() or (counts.sum(axis=1) > there).any():
        raise ValueError("counts must not be negative, nor exceed the sizes")
    n = int(counts.sum())
    reason = why_not(counts, there)
    if reason is not None:
        return Kappa(None, None, None, None, n, reason)

    weight = there / there.sum()
    value = float(kappa_of_shares(_shares(counts, weight)))
    drawn = rng.standard_gamma(counts + PRIOR, size=(resamples, *counts.shape))
    sized = rng.standard_gamma(there, size=(resamples, len(there)))
    drawn_kappa = kappa_of_shares(_shares(drawn, sized / sized.sum(axis=1, keepdims=True)))
    low, high = interval(drawn_kappa, value, level)
    from scipy.stats import random_table

    dealt = random_table(counts.sum(axis=1), counts.sum(axis=0), seed=rng).rvs(resamples)
    chance = chance_of(kappa_of_shares(_shares(dealt, weight)), expected=0.0)
    return Kappa(value, float(low), float(high), chance, n)


def why_not(counts: Floats, there: Floats) -> str | None:
    """Say why kappa has no value, if it has none.

    Parameters
    ----------
    counts, there
        As in `cohen_kappa`.
    """
    if not counts.any():
        return "nothing was rated by both"
    if (there > 0).sum() < 2:
        return "the first rater gave one category to everything: kappa has no value"
    if ((there > 0) & (counts.sum(axis=1) == 0)).any():
        return "nothing was rated twice of a category that the first rater gave"
    if (counts.sum(axis=0) > 0).sum() < 2:
        return "the second rater gave one category to everything: kappa has no value"
    return None


def _shares(counts: Floats, weight: Floats) -> Floats:
    """Weigh each row of counts, of shape (..., categories, categories), up to its category."""
    total = counts.sum(axis=-1, keepdims=True)
    rows = np.divide(counts, total, out=np.zeros_like(counts, dtype=np.float64), where=total > 0)
    return np.asarray(rows * weight[..., None])
