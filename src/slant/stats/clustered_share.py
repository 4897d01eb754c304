"""The share of texts that score 1, where texts come in units that have something in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtrit

from slant.stats.proportions import score_ends

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def clustered_share(values: ArrayLike, units: ArrayLike) -> tuple[float, float, float]:
    r"""Give a share with an interval for what units drawn anew would give.

    Of :math:`G` units with :math:`n_g` texts, :math:`y_g` of which score 1, the share
    :math:`w = \sum y_g / N` has the variance
    :math:`\frac{G}{G-1} \sum (y_g - w n_g)^2 / N^2`, at least that of single texts,
    :math:`w (1 - w) / N`; with Student's quantile for :math:`G - 1` degrees of freedom it becomes a
    score interval. Where no text scores 1, or each does, units count as single texts do.

    Parameters
    ----------
    values
        0 or 1, one each text.
    units
        What each is of, in any numbers.

    Returns
    -------
    tuple of float
        The share with its 95% interval; NaN without texts, and from 0 to 1 of a single unit.

    References
    ----------
    Cochran (1977), Sampling Techniques, section 3.12: a ratio estimate from clusters.
    """
    y = np.asarray(values, np.float64)
    if not len(y):
        return (np.nan, np.nan, np.nan)
    _, of = np.unique(np.asarray(units), return_inverse=True)
    n = np.bincount(of)
    groups, share = len(n), float(y.mean())
    if groups < 2:
        return share, 0.0, 1.0
    apart = np.bincount(of, y) - share * n
    variance = max(
        groups / (groups - 1) * float((apart**2).sum()) / len(y) ** 2, share * (1 - share) / len(y)
    )
    if share in (0.0, 1.0):
        near = (groups * share + 0.5) / (groups + 1)
        variance = near * (1 - near) / groups
    half = float(stdtrit(groups - 1, 0.975)) * variance**0.5
    return share, *score_ends(share, half, groups)
