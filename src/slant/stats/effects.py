"""Effect sizes: how large a difference is, whatever the number of observations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln

from slant.stats.arrays import counts, critical_value, probabilities, proportion

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats


def risk_difference(
    successes_1: ArrayLike, trials_1: ArrayLike, successes_2: ArrayLike, trials_2: ArrayLike
) -> Floats:
    r"""Difference of two proportions, :math:`k_1/n_1 - k_2/n_2`.

    Parameters
    ----------
    successes_1, trials_1, successes_2, trials_2
        How many of how many in either group; any shapes that broadcast.

    Returns
    -------
    numpy.ndarray
        In [−1, 1], in the broadcast shape; NaN where a group has no trials. `newcombe` gives the
        interval.

    Raises
    ------
    ValueError
        Impossible counts.
    """
    return proportion(*counts(successes_1, trials_1)) - proportion(*counts(successes_2, trials_2))


def odds_ratio(
    successes_1: ArrayLike,
    trials_1: ArrayLike,
    successes_2: ArrayLike,
    trials_2: ArrayLike,
    level: float = 0.95,
) -> tuple[Floats, Floats, Floats]:
    r"""Odds of the first group over the odds of the second, with its interval.

    One half is added to each of the four cells :math:`a = k_1, b = n_1 - k_1, c = k_2,
    d = n_2 - k_2`, so that the ratio is finite; the interval is

    .. math:: \exp\left(\ln\frac{ad}{bc} \pm z \sqrt{1/a + 1/b + 1/c + 1/d}\right).

    Parameters
    ----------
    successes_1, trials_1, successes_2, trials_2
        How many of how many in either group; any shapes that broadcast.

    Returns
    -------
    ratio, low, high : numpy.ndarray
        Above 0, in the broadcast shape; 1 means no difference; NaN where a group has no trials.

    Raises
    ------
    ValueError
        Impossible counts or level.

    References
    ----------
    Woolf (1955), "On estimating the relation between blood group and disease", Annals of Human
    Genetics 19, for the interval; Haldane (1956), "The estimation and significance of the
    logarithm of a ratio of frequencies", Annals of Human Genetics 20, and Anscombe (1956), "On
    estimating binomial response relations", Biometrika 43, for the halves.
    """
    z = critical_value(level)
    (k1, n1), (k2, n2) = counts(successes_1, trials_1), counts(successes_2, trials_2)
    cells = (k1 + 0.5, n1 - k1 + 0.5, k2 + 0.5, n2 - k2 + 0.5)
    log_ratio = np.log(cells[0] / cells[1]) - np.log(cells[2] / cells[3])
    log_ratio = np.where((n1 > 0) & (n2 > 0), log_ratio, np.nan)
    half = z * np.sqrt(sum(1 / cell for cell in cells))
    return np.exp(log_ratio), np.exp(log_ratio - half), np.exp(log_ratio + half)


def cohen_h(rate_1: ArrayLike, rate_2: ArrayLike) -> Floats:
    r"""Difference of two proportions on the scale where it is equally hard to detect everywhere.

    :math:`h = 2\arcsin\sqrt{p_1} - 2\arcsin\sqrt{p_2}`; by convention 0.2 is small, 0.5 medium,
    0.8 large.

    Parameters
    ----------
    rate_1, rate_2
        Proportions; any shapes that broadcast.

    Returns
    -------
    numpy.ndarray
        In [−π, π], in the broadcast shape; NaN where a proportion is.

    Raises
    ------
    ValueError
        A proportion outside [0, 1].

    References
    ----------
    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd edition, chapter 6.
    """
    first, second = probabilities(rate_1, rate_2)
    return np.asarray(2 * (np.arcsin(np.sqrt(first)) - np.arcsin(np.sqrt(second))))


def cohen_d(first: ArrayLike, second: ArrayLike) -> float:
    r"""Difference of two means in units of the pooled standard deviation.

    :math:`d = (\bar x_1 - \bar x_2)/s`, :math:`s^2 = ((n_1-1)s_1^2 + (n_2-1)s_2^2)/(n_1+n_2-2)`;
    by convention 0.2 is small, 0.5 medium, 0.8 large.

    Parameters
    ----------
    first, second
        The two samples, each of shape (n,) with at least two values.

    Returns
    -------
    float
        0 when the means agree; NaN when they differ and neither sample has any spread.

    Raises
    ------
    ValueError
        A sample that is not one-dimensional, has fewer than two values or holds a NaN.

    References
    ----------
    Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, 2nd edition, chapter 2.
    """
    x, y = _samples(first, second, at_least=2)
    difference = float(x.mean() - y.mean())
    squares = ((x - x.mean()) ** 2).sum() + ((y - y.mean()) ** 2).sum()
    if difference == 0:
        return 0.0
    if squares == 0:
        return float("nan")
    return float(difference / np.sqrt(squares / (len(x) + len(y) - 2)))


def hedges_g(first: ArrayLike, second: ArrayLike) -> float:
    r"""Cohen's d without its upward bias in small samples.

    :math:`g = d\,\Gamma(m/2) / (\sqrt{m/2}\;\Gamma((m-1)/2))` with :math:`m = n_1 + n_2 - 2`.

    Parameters
    ----------
    first, second
        The two samples, each of shape (n,) with at least two values.

    Returns
    -------
    float
        As `cohen_d`, a little nearer to 0.

    Raises
    ------
    ValueError
        As `cohen_d`.

    References
    ----------
    Hedges (1981), "Distribution theory for Glass's estimator of effect size and related
    estimators", Journal of Educational Statistics 6.
    """
    d = cohen_d(first, second)
    half = (np.size(first) + np.size(second) - 2) / 2
    return float(d * np.exp(gammaln(half) - gammaln(half - 0.5)) / np.sqrt(half))


def cliffs_delta(first: ArrayLike, second: ArrayLike) -> float:
    r"""How much more often a value of the first sample is the larger one than the smaller one.

    :math:`\delta = P(X > Y) - P(X < Y)` over all pairs; needs an order only, no scale. Takes
    :math:`O((n_1 + n_2) \log n_2)` time.

    Parameters
    ----------
    first, second
        The two samples, each of shape (n,) with at least one value.

    Returns
    -------
    float
        In [−1, 1]; 0 when neither sample tends to be larger.

    Raises
    ------
    ValueError
        A sample that is not one-dimensional, is empty or holds a NaN.

    References
    ----------
    Cliff (1993), "Dominance statistics: ordinal analyses to answer ordinal questions",
    Psychological Bulletin 114.
    """
    x, y = _samples(first, second, at_least=1)
    ordered = np.sort(y)
    smaller = np.searchsorted(ordered, x, side="left")
    not_larger = np.searchsorted(ordered, x, side="right")
    return float((smaller + not_larger - len(y)).mean() / len(y))


def _samples(first: ArrayLike, second: ArrayLike, at_least: int) -> tuple[Floats, Floats]:
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    for sample in (x, y):
        if sample.ndim != 1 or len(sample) < at_least:
            raise ValueError(
                f"a sample needs shape (n,) with n >= {at_least}, not shape {sample.shape}"
            )
        if np.isnan(sample).any():
            raise ValueError("a sample holds NaN: leave out what was not measured")
    return x, y
