"""How a difference between groups compares with those between groups that cannot matter."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaincinv, ndtr, softmax

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats

_ANGLES = 512
r"""Values of :math:`\tau` that are weighed against each other."""


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
    possible, weights
        Shape (values,): what :math:`\tau` may be, and how probable each is after what was measured.
    """

    value: float
    low: float
    high: float
    differences: int
    possible: Floats = field(repr=False, compare=False)
    weights: Floats = field(repr=False, compare=False)
    pooled: float = 0.0

    def p_value(self, value: ArrayLike, error: ArrayLike) -> Floats:
        r"""Say how probable so large a difference is if the group is one like the placebo groups.

        :math:`\sum_j w_j\,2\Phi(-|v|/\sqrt{\tau_j^2 + s^2})` over all that :math:`\tau` may be: the
        predictive distribution of one more placebo difference. With exact measurements it is
        Student's t with one degree of freedom for all but one of the placebo differences; with
        noisy ones it stays cautious where :math:`\hat\tau` is 0 because noise hides it, which no
        plug-in does.

        Parameters
        ----------
        value, error
            Differences and their standard errors, of one shape.
        """
        size = np.abs(np.asarray(value, dtype=np.float64))[..., None]
        noise = np.asarray(error, dtype=np.float64)[..., None] ** 2
        total = np.sqrt(np.maximum(self.possible, self.pooled) ** 2 + noise)
        far = np.where(size > 0, np.inf, np.zeros_like(total))
        beyond = 2 * ndtr(-np.divide(size, total, out=far, where=total > 0))
        return np.asarray(np.minimum(1.0, beyond @ self.weights))

    def smallest(self, error: float, alpha: float) -> float:
        """Say from what difference on the p of a placebo is below some level.

        Parameters
        ----------
        error
            Standard error of the difference.
        alpha
            The level, above 0.
        """
        high = max(float(self.possible[0]), self.pooled, error)
        if high == 0:
            return 0.0
        while self.p_value(high, error) >= alpha:
            high *= 2
        return float(brentq(lambda v: float(self.p_value(v, error)) - alpha, 0.0, high))


def placebo_spread(
    values: ArrayLike, errors: ArrayLike, noise: ArrayLike | None = None
) -> PlaceboSpread:
    r"""Separate what placebo groups differ by from the noise of measuring it.

    :math:`\hat\tau^2 = (\overline{v^2} - \overline{s^2})_+`: differences from the rest average 0,
    and their standard errors say what noise adds. Interval: :math:`\sum v^2` over its variance is
    taken for chi-squared with one degree of freedom for all but one of the differences. How
    probable each :math:`\tau` is: the normal likelihood of the differences, each with the mean of
    the noise, times a uniform prior density of :math:`\tau`.

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
    "Meta-analysis in clinical trials", Controlled Clinical Trials 7. Gelman (2006), "Prior
    distributions for variance parameters in hierarchical models", Bayesian Analysis 1.
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
    return PlaceboSpread(value, low, high, len(data), *_probable(total, len(data), expected))


def _probable(total: float, count: int, noise: float) -> tuple[Floats, Floats]:
    r"""Weigh what :math:`\tau` may be, at equal angles: from 0 to without end."""
    scale = math.sqrt(total / count + noise)
    if scale == 0:
        return np.zeros(1), np.ones(1)
    angles = (np.arange(_ANGLES) + 0.5) * (np.pi / 2 / _ANGLES)
    possible = scale * np.tan(angles)
    variance = possible**2 + noise
    density = -0.5 * (count * np.log(variance) + total / variance) - 2 * np.log(np.cos(angles))
    return possible, softmax(density)
