r"""How a difference between groups compares with differences between groups that cannot matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

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
    """

    value: float
    low: float
    high: float
    differences: int

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
        unsure = stats.t.ppf(0.975, self.differences - 1) / stats.norm.ppf(0.975)
        scale = float(np.hypot(unsure * self.value, error))
        if scale == 0:
            return float(value != 0)
        return float(2 * stats.norm.cdf(abs(value) / scale) - 1)


def placebo_spread(
    values: ArrayLike, errors: ArrayLike, *, resamples: int = 2_000, rng: np.random.Generator
) -> PlaceboSpread:
    r"""Separate what placebo groups differ by from the noise of measuring it.

    :math:`\hat\tau^2 = \max(0, \overline{v^2} - \overline{s^2})`: differences from the rest
    average 0, and their standard errors say what noise adds. The interval resamples differences
    with their errors.

    Parameters
    ----------
    values, errors
        Shape (differences,), at least two: each placebo group's difference from the others of its
        axis, and the standard error of that.
    resamples
        Number of bootstrap resamples.
    rng
        Source of randomness.

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
    data, noise = np.asarray(values, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    if data.ndim != 1 or len(data) < 2 or data.shape != noise.shape:
        raise ValueError(f"need two differences or more with errors: {data.shape}, {noise.shape}")
    picks = rng.integers(0, len(data), (resamples, len(data)))
    low, high = np.quantile(_spread(data[picks], noise[picks]), (0.025, 0.975))
    value = float(_spread(data, noise))
    return PlaceboSpread(value, min(float(low), value), max(float(high), value), len(data))


def _spread(values: Floats, errors: Floats) -> Floats:
    excess = (values**2).mean(axis=-1) - (errors**2).mean(axis=-1)
    return np.asarray(np.sqrt(np.maximum(excess, 0.0)))
