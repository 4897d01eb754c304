"""Intervals for a proportion and for the difference of two independent ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.arrays import counts, critical_value, proportion

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats


def wilson(successes: ArrayLike, trials: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    r"""Score interval of a proportion.

    With :math:`\hat p = k/n` and the normal quantile :math:`z`, the limits are

    .. math:: \frac{\hat p + z^2/2n \pm z \sqrt{\hat p(1-\hat p)/n + z^2/4n^2}}{1 + z^2/n}.

    Unlike the textbook interval it never leaves [0, 1] and has a width at zero successes.

    Parameters
    ----------
    successes, trials
        How many of how many; any shapes that broadcast.

    Returns
    -------
    low, high : numpy.ndarray
        Limits within [0, 1], in the broadcast shape; NaN where there are no trials.

    Raises
    ------
    ValueError
        Impossible counts or level.

    References
    ----------
    Wilson (1927), "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22.
    """
    z = critical_value(level)
    k, n = counts(successes, trials)
    rate, some = proportion(k, n), np.maximum(n, 1)
    middle = rate + z**2 / (2 * some)
    half = z * np.sqrt(rate * (1 - rate) / some + z**2 / (4 * some**2))
    # Rounding must not push a limit past the estimate, or past 0 or 1.
    low = np.clip((middle - half) / (1 + z**2 / some), 0, rate)
    high = np.clip((middle + half) / (1 + z**2 / some), rate, 1)
    return np.where(k == 0, 0 * rate, low), np.where(k == n, 0 * rate + 1, high)


def score_ends(rate: float, half: float, trials: int) -> tuple[float, float]:
    r"""Turn the symmetric interval of a rate into a score interval.

    A rate whose standard error counts more than its answers (wordings, prompts) has the interval
    :math:`\hat p \pm h`, which is too short below and too long above where it is near 0 or 1. With
    :math:`c = h^2 / \tilde p(1 - \tilde p)`, which takes the place of :math:`z^2/n` in Wilson's
    interval, the limits are

    .. math:: \frac{\hat p + c/2 \pm \sqrt{c\,\hat p(1-\hat p) + c^2/4}}{1 + c}.

    Parameters
    ----------
    rate
        In [0, 1].
    half
        Half the width of the symmetric interval, Student's quantile included.
    trials
        Answers that it rests on: :math:`\tilde p = (n \hat p + 1/2)/(n + 1)` is not 0 or 1.

    References
    ----------
    Korn and Graubard (1998), "Confidence intervals for proportions with small expected number of
    positive counts estimated from survey data", Survey Methodology 24. Franco, Little, Louis and
    Slud (2019), "Comparative study of confidence intervals for proportions in complex sample
    surveys", Journal of Survey Statistics and Methodology 7.
    """
    near = (trials * rate + 0.5) / (trials + 1)
    c = half**2 / (near * (1 - near))
    middle = (rate + c / 2) / (1 + c)
    reach = float(np.sqrt(c * rate * (1 - rate) + c**2 / 4)) / (1 + c)
    return max(min(middle - reach, rate), 0.0), min(max(middle + reach, rate), 1.0)


def newcombe(
    successes_1: ArrayLike,
    trials_1: ArrayLike,
    successes_2: ArrayLike,
    trials_2: ArrayLike,
    level: float = 0.95,
) -> tuple[Floats, Floats]:
    r"""Hybrid score interval of the difference of two independent proportions, first − second.

    With the Wilson limits :math:`(l_i, u_i)` of each proportion, the limits are

    .. math::
        d - \sqrt{(\hat p_1 - l_1)^2 + (u_2 - \hat p_2)^2}, \qquad
        d + \sqrt{(u_1 - \hat p_1)^2 + (\hat p_2 - l_2)^2}.

    Parameters
    ----------
    successes_1, trials_1, successes_2, trials_2
        How many of how many in either group; any shapes that broadcast.

    Returns
    -------
    low, high : numpy.ndarray
        Limits within [−1, 1], in the broadcast shape; NaN where a group has no trials.

    Raises
    ------
    ValueError
        Impossible counts or level.

    References
    ----------
    Newcombe (1998), "Interval estimation for the difference between independent proportions:
    comparison of eleven methods", Statistics in Medicine 17, method 10.
    """
    rate_1, rate_2 = (
        proportion(*counts(k, n)) for k, n in ((successes_1, trials_1), (successes_2, trials_2))
    )
    low_1, high_1 = wilson(successes_1, trials_1, level)
    low_2, high_2 = wilson(successes_2, trials_2, level)
    difference = rate_1 - rate_2
    low = difference - np.hypot(rate_1 - low_1, high_2 - rate_2)
    high = difference + np.hypot(high_1 - rate_1, rate_2 - low_2)
    return np.clip(low, -1, 1), np.clip(high, -1, 1)
