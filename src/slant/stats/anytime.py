r"""Intervals of a rate that hold whenever one looks: sampling may stop for what they show.

A 95% interval of a fixed number of answers is wrong more often than in 5% of runs if one looks
again and again, and stops when it shows what one waits for. A *confidence sequence* holds at all
times at once, so that it holds at the time at which one stops, whatever the rule was.

Answers :math:`x_i` in [0, 1] come one after the other; :math:`\mu_i` is what the next one is
expected to be, given all before it: the rate of the prompt and wording that is asked next. By the
convexity of the exponential function, for every :math:`\lambda`,

.. math:: \prod_i e^{\lambda x_i} / (1 - \mu_i + \mu_i e^\lambda)

expects at most 1, and since the logarithm is concave, it is at least
:math:`e^{\lambda S} / (1 - \bar\mu + \bar\mu e^\lambda)^n` with the sum of answers :math:`S` and
the mean :math:`\bar\mu` of the :math:`\mu_i`. A mixture over :math:`\lambda` is again such a
process; by Ville's inequality it ever exceeds :math:`1/\alpha` with probability :math:`\alpha` at
most. The interval holds the means for which it does not. So it is one of the **mean over what was
asked**, and needs not that all prompts have one rate.

Source: Howard, Ramdas, McAuliffe and Sekhon (2021), Time-uniform, nonparametric, nonasymptotic
confidence sequences, Annals of Statistics 49(2): sub-Bernoulli processes and discrete mixtures;
Robbins (1970) for mixtures.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_TILTS = np.geomspace(0.02, 6.0, 40)
"""The values of lambda; the mixture weighs them alike."""

_HALVINGS = 40


def anytime_interval(
    hits: ArrayLike, n: ArrayLike, alpha: float = 0.05
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give intervals of rates that hold at all times at once, each by itself.

    Parameters
    ----------
    hits
        Sums of the answers so far, each answer from 0 to 1; shape (groups,).
    n
        How many answers there are; likewise.
    alpha
        How probable it may be that a rate's interval ever misses the mean over what was asked.

    Returns
    -------
    tuple of arrays
        Lower and upper ends, shape (groups,); 0 and 1 where nothing was answered.
    """
    hits, n = np.atleast_1d(np.asarray(hits, float)), np.atleast_1d(np.asarray(n, float))
    ends = _low(np.concatenate([hits, n - hits]), np.concatenate([n, n]), alpha / 2)
    return ends[: len(n)], 1.0 - ends[len(n) :]


def _low(hits: NDArray[np.float64], n: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """Give the least means that so many hits do not speak against, by halving."""
    limit = math.log(len(_TILTS)) - math.log(alpha)
    gained = _TILTS * hits[:, None]
    low, high = np.zeros(len(n)), hits / np.maximum(n, 1)
    for _ in range(_HALVINGS):
        mean = (low + high) / 2
        against = gained - n[:, None] * np.log1p(mean[:, None] * np.expm1(_TILTS))
        top = against.max(axis=1)
        refused = top + np.log(np.exp(against - top[:, None]).sum(axis=1)) > limit
        low, high = np.where(refused, mean, low), np.where(refused, high, mean)
    return low


def anytime_contrasts(
    hits: ArrayLike, n: ArrayLike, alpha: float = 0.05, *, reference: int | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give intervals of each group's rate minus the median of the others', at all times at once.

    The intervals of all groups hold together with probability 1 − alpha (Bonferroni), and the
    median does not fall where a rate grows.

    Parameters
    ----------
    hits, n
        As `anytime_interval` takes them.
    alpha
        How probable it may be that any of the groups' intervals is ever wrong.
    reference
        A group to compare with, instead of the median of all others.
    """
    low, high = anytime_interval(hits, n, alpha / np.size(n))
    return low - _against(high, reference), high - _against(low, reference)


def _against(ends: NDArray[np.float64], reference: int | None) -> NDArray[np.float64]:
    if reference is not None:
        return np.full(len(ends), ends[reference])
    return np.array([np.median(np.delete(ends, place)) for place in range(len(ends))])


def anytime_p(
    hits: ArrayLike, n: ArrayLike, *, reference: int | None = None
) -> NDArray[np.float64]:
    """Give p-values of the same differences that hold at all times at once.

    Each is the least alpha at which `anytime_contrasts` leaves 0 out; all groups are accounted for.
    """
    within = np.linspace(0.0, _LEAST_EXPONENT, 121)
    p = np.ones(np.size(n))
    for exponent in within[1:]:
        low, high = anytime_contrasts(hits, n, 10**exponent, reference=reference)
        out = (low > 0) | (high < 0)
        if not out.any():
            break
        p = np.where(out, 10**exponent, p)
    return p


_LEAST_EXPONENT = -12.0
"""Of ten: smaller p-values are not told apart."""
