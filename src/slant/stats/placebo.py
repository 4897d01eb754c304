"""How a difference between groups compares with those between groups that cannot matter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaincinv, ndtr, ndtri, stdtr, stdtrit

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats


@dataclass(frozen=True, slots=True)
class PlaceboSpread:
    r"""What differences between placebo groups come to, without the noise of measuring them.

    Attributes
    ----------
    value, low, high
        :math:`\tau`, the standard deviation of the differences themselves, and its 95% interval.
    differences
        From how many it was estimated.
    pooled
        :math:`\tau` of all tables of the family together, which holds where it is larger: a dozen
        differences do not tell which of a hundred nouns a model makes nothing of.
    """

    value: float
    low: float
    high: float
    differences: int
    pooled: float = 0.0

    def share_exceeded(self, value: float, error: float) -> float:
        r"""Say what share of placebo differences, measured as precisely, are smaller.

        :math:`2\Phi(|v|/\sqrt{w^2\tau^2 + s^2}) - 1` with the difference :math:`v`, its standard
        error :math:`s`, and :math:`w` the ratio of Student's 97.5% quantile with one degree of
        freedom for all but one placebo difference to the normal one, since :math:`\tau` is only
        estimated. If mere words do nothing, it is one minus the p-value of a z test.

        Parameters
        ----------
        value, error
            The difference and its standard error.
        """
        unsure = stdtrit(self.differences - 1, 0.975) / ndtri(0.975)
        scale = float(np.hypot(unsure * max(self.value, self.pooled), error))
        if scale == 0:
            return float(value != 0)
        return float(2 * ndtr(abs(value) / scale) - 1)

    def p_value(self, value: ArrayLike, error: ArrayLike) -> Floats:
        r"""Say how probable so large a difference is if the group is one like the placebo groups.

        Student's t of :math:`v/\sqrt{\tau^2 + s^2}`, with the degrees of freedom that go with
        :math:`\tau^2` having those of all but one placebo difference and :math:`s^2` no end of
        them (Satterthwaite). Unlike `share_exceeded`, which is close to one minus this near 95%, it
        holds far out, where differences are that are looked for among many.

        Parameters
        ----------
        value, error
            Differences and their standard errors, of one shape.
        """
        size = np.abs(np.asarray(value, dtype=np.float64))
        words = max(self.value, self.pooled) ** 2
        noise = np.asarray(error, dtype=np.float64) ** 2
        total = np.sqrt(words + noise)
        freedom = np.inf if words == 0 else (self.differences - 1) * (1 + noise / words) ** 2
        far = np.where(size > 0, np.inf, 0.0)
        return np.asarray(2 * stdtr(freedom, -np.divide(size, total, out=far, where=total > 0)))


def placebo_spread(
    values: ArrayLike, errors: ArrayLike, noise: ArrayLike | None = None
) -> PlaceboSpread:
    r"""Separate what placebo groups differ by from the noise of measuring it.

    :math:`\hat\tau^2 = (\overline{v^2} - \overline{s^2})_+`: differences from the rest average 0,
    and their standard errors say what noise adds. Interval: :math:`\sum v^2` over its variance is
    taken for chi-squared with one degree of freedom for all but one of the differences.

    Parameters
    ----------
    values, errors
        Shape (differences,), at least two: each placebo group's difference from the others of its
        axis, and the standard error of that.
    noise
        Squares of the errors where these are cautious and the squares are not: only without bias
        is what noise adds right on average, and :math:`\tau` not too small.

    Raises
    ------
    ValueError
        Fewer than two differences, or shapes that do not match.

    References
    ----------
    Efron (2004), "Large-scale simultaneous hypothesis testing: the choice of a null hypothesis",
    Journal of the American Statistical Association 99. DerSimonian and Laird (1986),
    "Meta-analysis in clinical trials", Controlled Clinical Trials 7.
    """
    data, spread = np.asarray(values, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    if data.ndim != 1 or len(data) < 2 or data.shape != spread.shape:
        raise ValueError(f"need two differences or more with errors: {data.shape}, {spread.shape}")
    squares = spread**2 if noise is None else np.asarray(noise, dtype=np.float64)
    total, expected = float((data**2).sum()), max(0.0, float(squares.mean()))
    most, least = (2 * float(gammaincinv((len(data) - 1) / 2, level)) for level in (0.975, 0.025))
    low, value, high = (
        math.sqrt(max(0.0, total / freedom - expected)) for freedom in (most, len(data), least)
    )
    return PlaceboSpread(value, low, high, len(data))
