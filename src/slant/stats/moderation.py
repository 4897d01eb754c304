"""Variances of many columns, each estimated better with the help of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import digamma, polygamma

if TYPE_CHECKING:
    from slant.stats.arrays import Floats

_PRECISION = 1e-8


def prior_variance(variances: Floats, freedom: float) -> tuple[float, float]:
    r"""Say which variance to expect of a column, and how many degrees of freedom that is worth.

    The columns' true variances are taken to follow a scaled inverse chi-squared distribution,
    :math:`d_0 s_0^2 / \chi^2_{d_0}`; both parameters are fitted to the mean and the variance of
    the logarithms. A column's variance is then better estimated by
    :math:`(d_0 s_0^2 + d s^2)/(d_0 + d)` than by its own :math:`s^2`: one that is tiny by chance
    makes no large statistic. The more the columns differ, the smaller is :math:`d_0`.

    Parameters
    ----------
    variances
        Sample variances, of shape (columns,). Zeros are no sample of such a distribution and do
        not count.
    freedom
        Degrees of freedom of each.

    Returns
    -------
    variance : float
        :math:`s_0^2`; 0 if all variances are.
    freedom : float
        :math:`d_0`; infinite when the variances differ by no more than chance.

    References
    ----------
    Smyth (2004), "Linear models and empirical Bayes methods for assessing differential expression
    in microarray experiments", Statistical Applications in Genetics and Molecular Biology 3,
    section 6.2.
    """
    positive = variances[variances > 0]
    if len(positive) == 0:
        return 0.0, np.inf
    logs = np.log(positive) - digamma(freedom / 2) + np.log(freedom / 2)
    excess = logs.var(ddof=1) - polygamma(1, freedom / 2) if len(positive) > 1 else 0.0
    if excess <= 0:
        return float(np.exp(logs.mean())), np.inf
    half = _inverse_trigamma(float(excess))
    return float(np.exp(logs.mean() + digamma(half) - np.log(half))), 2 * half


def _inverse_trigamma(value: float) -> float:
    """Solve trigamma(y) = value by Newton's method on 1/trigamma, which is nearly straight."""
    y = 0.5 + 1 / value
    step = np.inf
    while abs(step) > _PRECISION * y:
        trigamma = polygamma(1, y)
        step = trigamma * (1 - trigamma / value) / polygamma(2, y)
        y += step
    return float(y)
