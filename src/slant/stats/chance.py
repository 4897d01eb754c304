"""Where statistics fall if nothing but chance is at work: what a simulated null comes down to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.by_chance import Interval
from slant.stats.arrays import tails, taken
from slant.stats.histogram import histograms, moved

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slant.by_chance import Histogram
    from slant.stats.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    """What draws of some statistics say; the arrays have shape (rows,), one row a statistic.

    Attributes
    ----------
    expected
        Mean of the draws, or what theory says it is.
    low, high
        Their 2.5% and 97.5% quantiles.
    histograms
        How they are distributed; `None` where that is not known.
    """

    expected: Floats
    low: Floats
    high: Floats
    histograms: Sequence[Histogram | None]

    @classmethod
    def of(cls, draws: Floats, expected: float | None = None) -> Chance:
        """Boil draws down.

        Parameters
        ----------
        draws
            Shape (resamples, rows).
        expected
            Their expectation, where theory knows it; else their mean is taken.
        """
        low, high = np.quantile(draws, tails(0.95), axis=0)
        mean = draws.mean(axis=0) if expected is None else np.full(low.shape, expected)
        return cls(mean, low, high, histograms(draws))

    def __getitem__(self, row: int) -> Interval | None:
        """Give one statistic's; `None` where it is not known."""
        ends = float(self.expected[row]), float(self.low[row]), float(self.high[row])
        return None if np.isnan(ends).any() else Interval(*ends, self.histograms[row])

    def at(self, rows: NDArray[np.intp]) -> Chance:
        """Give the rows in another order; −1 stands for one that is not known."""
        return Chance(
            taken(self.expected, rows),
            taken(self.low, rows),
            taken(self.high, rows),
            [None if row < 0 else self.histograms[row] for row in rows],
        )


def chance_of(draws: Floats, expected: float | None = None) -> Interval:
    """Boil the draws of a single statistic down; shape (resamples,), all finite."""
    found = Chance.of(draws[:, None], expected)
    ends = float(found.expected[0]), float(found.low[0]), float(found.high[0])
    return Interval(*ends, found.histograms[0])


def moved_chance(chance: Interval, by: float, low: float, high: float) -> Interval:
    """Shift where chance puts a figure that cannot leave a range: from a difference to a rate."""
    expected, least, most = (
        min(max(each + by, low), high) for each in (chance.expected, chance.low, chance.high)
    )
    bins = None if chance.histogram is None else moved(chance.histogram, by, low, high)
    return Interval(expected, least, most, bins)
