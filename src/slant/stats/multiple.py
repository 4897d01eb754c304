"""p-values and intervals of many comparisons that are shown together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtrit

from slant.stats.arrays import probabilities

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats


def benjamini_hochberg(p: ArrayLike) -> Floats:
    r"""Adjust p-values so that a threshold on them bounds the false discovery rate.

    With the :math:`m` p-values in ascending order, :math:`q_{(i)} = \min_{j \ge i} m p_{(j)}/j`.
    Whoever reports all comparisons with :math:`q < 0.05` has, in expectation, at most 5% false
    ones among them, for independent or positively dependent tests.

    Parameters
    ----------
    p
        p-values of one family, in any shape. NaN marks a comparison that could not be made: it
        passes through and does not count towards :math:`m`.

    Returns
    -------
    numpy.ndarray
        q-values in the shape of `p`, in [0, 1] and never below p.

    Raises
    ------
    ValueError
        A p-value outside [0, 1].

    References
    ----------
    Benjamini and Hochberg (1995), "Controlling the false discovery rate: a practical and powerful
    approach to multiple testing", Journal of the Royal Statistical Society B 57.
    """
    (values,) = probabilities(p)
    q = np.full(values.shape, np.nan)
    known = ~np.isnan(values)
    family = values[known]
    descending = np.argsort(-family)
    rank = np.arange(len(family), 0, -1)
    adjusted = np.empty_like(family)
    adjusted[descending] = np.minimum.accumulate(family[descending] * (len(family) / rank))
    q[known] = adjusted
    return q


_MANY = 1e9
"""Degrees of freedom of what is as good as normal."""


def selected_width(
    selected: int, tested: int, freedom: ArrayLike = _MANY, level: float = 0.95
) -> Floats:
    r"""Say how much wider intervals are of what was selected for being large.

    Of R selected from m comparisons each has an interval of level :math:`1 - \alpha R/m`. Then of
    the intervals that are shown the expected share that miss the truth is at most
    :math:`\alpha`, as it is not if only the largest of many are shown with their 95% intervals.

    Parameters
    ----------
    selected, tested
        R and m.
    freedom
        Degrees of freedom of the intervals; as good as normal when left out.
    level
        Of the intervals as they are.

    Returns
    -------
    numpy.ndarray
        Shape of `freedom`, at least 1: by what the distance of the ends from the value is to be
        multiplied.

    Raises
    ------
    ValueError
        More selected than tested, or none.

    References
    ----------
    Benjamini and Yekutieli (2005), "False discovery rate-adjusted multiple confidence intervals for
    selected parameters", Journal of the American Statistical Association 100.
    """
    if not 0 < selected <= tested:
        raise ValueError(f"{selected} of {tested} comparisons cannot be selected")
    degrees = np.asarray(freedom, dtype=np.float64)
    missed = (1 - level) / 2
    return np.asarray(stdtrit(degrees, missed * selected / tested) / stdtrit(degrees, missed))
