r"""The difference that is found with 80% power, searched by simulated audits.

An estimate with standard error :math:`\sigma` passes a hurdle of :math:`c` standard errors with
probability :math:`\Phi(e/\sigma - c)` if the difference is :math:`e`. Both are not known: what
tests, their number, their adjustment and controls ask for is in :math:`c`. Every audit with a
planted difference says yes or no; each is planted where the difference sought is believed to be,
so that the answer rests on what happens there and hardly on the form of the curve. Some audits find
nothing however large the difference is (intervals over two prompts may be wide by chance); how
many is not known either, and where it is a fifth no difference is found with 80% power.

Source: Watson (2017), QUEST+: a general multidimensional Bayesian adaptive psychometric method,
Journal of Vision 17(3), of which this is the case with three parameters and the target placed
directly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr, ndtri

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.stats.arrays import Floats

_ERRORS, _HURDLES = 160, 23
_BEYOND = 10.0
"""Of the largest difference: where one is put that is never found often enough."""

_LEAST = 1e-3
"""The smallest standard error that is thought of, of the largest difference."""

_LAPSES = np.array([0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5])
_LIKELY = np.array([0.5, 0.2, 0.1, 0.05, 0.05, 0.04, 0.03, 0.02, 0.01])
"""How often nothing is found, however large the difference is, and what is believed of that."""

_HURDLE, _SPREAD = 3.0, 1.0
"""What is believed of the hurdle beforehand: that of one test is 2, that of 1,000 is 4."""


class PowerSearch:
    """Finds the difference that is found with 80% power.

    Parameters
    ----------
    most
        The largest difference that can be planted; above 0.
    power
        How often it is to be found.
    """

    def __init__(self, most: float, power: float = 0.8):
        error = np.geomspace(_LEAST * most, most, _ERRORS)[:, None, None]
        hurdle = np.linspace(1.0, 6.5, _HURDLES)[None, :, None]
        self._most, self._error, self._hurdle = most, error, hurdle
        # What is never found so often is looked for beyond all that can be planted.
        share = np.minimum(power / (1 - _LAPSES), 1)
        sought = np.where(share < 1, error * (hurdle + ndtri(share)), np.inf)
        self._sought = np.minimum(sought, _BEYOND * most)
        self._belief = -0.5 * ((hurdle - _HURDLE) / _SPREAD) ** 2 + np.log(_LIKELY) + 0 * error

    def told(self, difference: float, found: int, audits: int) -> None:
        """Learn in how many audits a planted difference was found.

        Parameters
        ----------
        difference
            That was planted.
        found, audits
            In how many of how many it was found.
        """
        curve = ndtr(difference / self._error - self._hurdle)
        seen = np.maximum((1 - _LAPSES) * curve, 1e-3)
        self._belief += found * np.log(seen) + (audits - found) * np.log1p(-seen)

    @property
    def next(self) -> float:
        """Where to plant: where the difference is believed to be, or the largest that there is."""
        (middle,) = self._quantiles([0.5])
        return float(min(middle, self._most))

    def difference(self) -> tuple[float, float, float] | None:
        """Give the difference with its 95% interval; `None` if even the largest is too small."""
        low, middle, high = self._quantiles([0.025, 0.5, 0.975])
        if middle >= self._most:
            return None
        return float(middle), float(low), float(min(high, self._most))

    def _quantiles(self, at: Sequence[float]) -> Floats:
        weight = np.exp(self._belief - self._belief.max()).ravel()
        order = np.argsort(self._sought, axis=None)
        total = np.cumsum(weight[order])
        sorted_ = self._sought.ravel()[order]
        return np.interp(at, (total - weight[order] / 2) / total[-1], sorted_)
