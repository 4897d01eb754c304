"""The difference of two estimates of which nothing is known but their 95% intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from slant.stats.arrays import critical_value

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Difference:
    """Second minus first: estimate, 95% interval, two-sided p-value; NaN where not known."""

    value: Floats
    low: Floats
    high: Floats
    p: Floats


def difference_of_estimates(
    first: tuple[ArrayLike, ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike, ArrayLike]
) -> Difference:
    r"""Compare two estimates as if they were independent.

    With :math:`d = b - a`, the distance from it to the end of its interval is that of the nearer
    ends of both, added in squares:

    .. math::
        L = d - \sqrt{(b - l_b)^2 + (u_a - a)^2}, \qquad
        U = d + \sqrt{(u_b - b)^2 + (a - l_a)^2}.

    Of symmetric intervals this is the root of the sum of the squared standard errors (Altman and
    Bland). p is that of the normal distribution with the spread towards zero, so that it is below
    .05 when the interval leaves out zero. Estimates that share what they were sampled from (the
    same names, the same sentences) differ less than independent ones: then the interval is too
    wide rather than too narrow. Ratios are to be given as logarithms.

    Parameters
    ----------
    first, second
        Each an estimate with both ends of its 95% interval; any shapes that broadcast. An estimate
        outside its interval, as a bootstrap may give, stands at its nearer end.

    References
    ----------
    Altman and Bland (2003), "Interaction revisited: the difference between two estimates", BMJ
    326. Zou and Donner (2008), "Construction of confidence limits about effect measures: a general
    approach", Statistics in Medicine 27, for intervals that are not symmetric.
    """
    a, a_low, a_high = (np.asarray(part, dtype=np.float64) for part in first)
    b, b_low, b_high = (np.asarray(part, dtype=np.float64) for part in second)
    value = b - a
    down = np.hypot(np.maximum(b - b_low, 0), np.maximum(a_high - a, 0))
    up = np.hypot(np.maximum(b_high - b, 0), np.maximum(a - a_low, 0))
    towards = np.where(value > 0, down, up)
    known = ~np.isnan(down + up)
    z = np.divide(
        critical_value(0.95) * np.abs(value),
        towards,
        out=np.where(value == 0, 0.0, np.nan),
        where=towards > 0,
    )
    p = np.where(known, 2 * ndtr(-z), np.nan)
    return Difference(value, value - down, value + up, p)
