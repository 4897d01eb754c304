"""How small a difference a planned number of questions can show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri, stdtrit

from slant.stats.arrays import probabilities

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats


def smallest_detectable_difference(
    n: ArrayLike, baseline: ArrayLike, alpha: float = 0.05, power: float = 0.8
) -> Floats:
    r"""Smallest difference of two proportions that a two-sided test of size alpha is likely to see.

    Solves, for two groups of :math:`n` answers each, one with the baseline proportion,

    .. math::
        |p_2 - p_1| \sqrt n = z_{1-\alpha/2} \sqrt{2 \bar p (1 - \bar p)}
        + z_{\mathrm{power}} \sqrt{p_1 (1 - p_1) + p_2 (1 - p_2)}, \qquad
        \bar p = (p_1 + p_2)/2.

    The other proportion lies on the side where there is more room: above a baseline up to ½,
    below it otherwise, which is also the side where the difference is harder to see. For
    :math:`m` comparisons, `alpha / m` gives the pessimistic answer (Bonferroni).

    Parameters
    ----------
    n
        Answers per group.
    baseline
        Proportion in the group compared with. Broadcasts against `n`.
    alpha
        Size of the test.
    power
        Probability of seeing the difference.

    Returns
    -------
    numpy.ndarray
        Differences in (0, 1], in the broadcast shape; NaN where not even the largest possible
        difference would be seen that often.

    Raises
    ------
    ValueError
        n below 1, baseline outside [0, 1], or alpha ≥ power, or either outside (0, 1).

    References
    ----------
    Fleiss, Levin and Paik (2003), Statistical Methods for Rates and Proportions, 3rd edition,
    chapter 4 (without continuity correction).
    """
    if not 0 < alpha < power < 1:
        raise ValueError(f"need 0 < alpha < power < 1, not alpha={alpha}, power={power}")
    (rate,) = probabilities(baseline)
    size, rate = np.broadcast_arrays(np.asarray(n, dtype=np.float64), rate)
    if not (size >= 1).all():
        raise ValueError("n must be at least 1 in every group")
    first = np.minimum(rate, 1 - rate)
    low, high = np.zeros(size.shape), 1 - first
    seen_at_most = _is_seen(high, first, size, alpha, power)
    for _ in range(60):
        middle = (low + high) / 2
        seen = _is_seen(middle, first, size, alpha, power)
        low, high = np.where(seen, low, middle), np.where(seen, middle, high)
    return np.where(seen_at_most, high, np.nan)


def visible_difference(
    width: float,
    tests: int,
    *,
    freedom: float = np.inf,
    rate: float | None = None,
    groups: int = 2,
    placebo: float = 0.0,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float:
    r"""Say how large a group's difference must be for a run like this one to find it.

    :math:`(t_{1 - \alpha/2m} + t_{power})\,\mathrm{SE}`: the first discovery of
    Benjamini-Hochberg among m tests must pass :math:`\alpha/m`. Of a rate the standard error is
    not what it was without the difference: the group itself, whose rate is nearer to one half,
    varies more, and so does what the labels of all groups are permuted among. Where placebo groups
    were asked about it must pass what they ask for, too.

    Parameters
    ----------
    width
        Of the 95% range of the difference where there is none.
    tests
        How many comparisons were tested together.
    freedom
        Degrees of freedom of the range, at least 1; t is normal without.
    rate
        What is compared, if it is a rate or a mean of shares: that of most groups.
    groups
        How many are compared.
    placebo
        From which size on a difference stands out among those of placebo groups.
    alpha, power
        Size of the test, and probability of finding the difference.
    """

    def t(level: float) -> float:
        return float(ndtri(level) if np.isinf(freedom) else stdtrit(freedom, level))

    error = width / (2 * t(1 - alpha / 2))
    needed, spare = t(1 - alpha / (2 * max(tests, 1))), t(power)
    found = max(error * needed, placebo) + error * spare
    if rate is None or not 0 < rate < 1:
        return found
    base, typical = rate * (1 - rate), np.pi / 2 / max(groups - 1, 1)
    for _ in range(60):
        other = min(rate + found, 1.0) if rate <= 0.5 else max(rate - found, 0.0)
        pooled = rate + (other - rate) / max(groups, 2)
        null = np.sqrt(pooled * (1 - pooled) / base)
        own = np.sqrt((other * (1 - other) / base + typical) / (1 + typical))
        passed = max(error * float(needed * null), placebo)
        found = (found + passed + error * float(spare * own)) / 2
    return found


def _is_seen(
    difference: Floats, first: Floats, n: Floats, alpha: float, power: float
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    second = first + difference
    mean = (first + second) / 2
    under_null = float(ndtri(1 - alpha / 2)) * np.sqrt(2 * mean * (1 - mean))
    variance = first * (1 - first) + second * np.maximum(1 - second, 0)
    needed = under_null + float(ndtri(power)) * np.sqrt(variance)
    return np.asarray(difference * np.sqrt(n) >= needed)
