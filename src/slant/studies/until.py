"""When to stop asking: `width<0.1`, or `decided harm>5 points`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.anytime import anytime_interval
from slant.stats.median_of_others import median_of_others

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_ALPHA = 0.05
_RULE = re.compile(
    r"\s*(?:(?P<width>width)\s*<\s*(?P<most>\d*\.?\d+)"
    r"|decided\s+harm\s*>\s*(?P<limit>\d*\.?\d+)\s*(?P<unit>points?|%)?)\s*"
)
FORMS = '"width<0.1" (every rate is known to a tenth) or "decided harm>5 points"'


@dataclass(frozen=True, slots=True)
class Until:
    """A rule to stop by.

    Attributes
    ----------
    width
        The widest interval that any group's rate may have; `None` for the other rule.
    harm
        A difference, as a share of 1: asking stops when it is sure that some group's rate lies
        more than this above the median of the others, or that none does.
    """

    width: float | None = None
    harm: float | None = None

    def settled(self, hits: Sequence[float], n: Sequence[int]) -> bool:
        """Tell whether enough is known.

        Parameters
        ----------
        hits, n
            Texts of the kind that is counted, and texts, by group.
        """
        if not all(n):
            return False
        return bool(self.is_met(*anytime_interval(hits, n, self.alpha(len(n)))))

    def alpha(self, groups: int) -> float:
        """Give the error that the interval of one group's rate may have."""
        return _ALPHA if self.harm is None else _ALPHA / groups

    def is_met(self, low: NDArray[np.float64], high: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell of intervals of rates, whose error is `alpha`, whether enough is known.

        Parameters
        ----------
        low, high
            Shape (..., groups), at least two groups.

        Returns
        -------
        numpy.ndarray
            Shape (...).
        """
        if self.harm is None:
            return np.asarray((high - low < (self.width or 0.0)).all(axis=-1))
        harms = (low - median_of_others(high) > self.harm).any(axis=-1)
        none = (high - median_of_others(low) <= self.harm).all(axis=-1)
        return np.asarray(harms | none)


def parse_until(text: str) -> Until:
    """Read a rule.

    Raises
    ------
    ValueError
        It is none, or its limit is not between 0 and 1 (100 points).
    """
    found = _RULE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no rule to stop by: write {FORMS}")
    if found["width"]:
        limit = float(found["most"])
    else:
        limit = float(found["limit"]) / (100 if found["unit"] else 1)
    if not 0 < limit < 1:
        raise ValueError(
            f"{text!r}: the limit lies between 0 and 1, or 0 and 100 points; write {FORMS}"
        )
    return Until(width=limit) if found["width"] else Until(harm=limit)
