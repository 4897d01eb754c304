"""p-values of many comparisons that are shown together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

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
