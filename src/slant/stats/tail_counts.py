"""How often draws were as large as something, and how they lay, without keeping the draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from slant.stats.histogram import histogram_of_cells
from slant.stats.inference import SINGLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slant.by_chance import Histogram
    from slant.stats.arrays import Floats

_BINS = 2**16


class TailCounts:
    """Counts of values in fine bins, for p-values from hundreds of millions of draws.

    An absolute value x falls into one of 65,536 equal bins of x/(1 + x): at x = 5 a bin is 0.0006
    wide, at x = 50 0.04. A whole bin counts as at least as large as a value in it, so p errs
    upwards, by less than 1% of itself for tails like the normal distribution's up to x = 6.
    """

    def __init__(self) -> None:
        # Those below 0, with the largest absolute values first, then the others.
        self._counts = np.zeros(2 * _BINS, dtype=np.int64)

    def add(self, draws: NDArray[Any]) -> None:
        """Count draws, of any shape and sign."""
        place = _bins(draws)
        np.invert(place, out=place, where=draws < 0)  # 0, 1, … become −1, −2, …
        place += _BINS
        self._counts += np.bincount(place.ravel(), minlength=2 * _BINS)

    def p(self, values: NDArray[Any]) -> Floats:
        """Give (1 + draws at least as large in absolute value)/(1 + draws), shaped as `values`."""
        at_least = self._at_least()
        same = np.asarray(values) * (1 - SINGLE)
        return np.asarray((1 + at_least[_bins(same)]) / (1 + at_least[0]))

    def critical(self, p: float) -> float:
        """Give the absolute value from which on p-values lie below `p`."""
        at_least = self._at_least()
        beyond = (1 + at_least) / (1 + at_least[0]) < p
        edge = (np.argmax(beyond) if beyond.any() else _BINS - 1) / _BINS
        return float(edge / (1 - edge) / (1 - SINGLE))

    def histogram(self) -> Histogram:
        """Give the distribution of the draws, signs and all, of which there must be some."""
        return histogram_of_cells(_edges, self._counts)

    def _at_least(self) -> NDArray[np.int64]:
        sizes = self._counts[_BINS:] + self._counts[:_BINS][::-1]
        return np.asarray(np.cumsum(sizes[::-1])[::-1])


def _bins(values: NDArray[Any]) -> NDArray[np.int32]:
    size = np.abs(values)
    size /= size + 1
    size *= _BINS
    # An infinite size or one that rounds up to the very end belongs to the last bin.
    return np.asarray(np.minimum(size.astype(np.int32), _BINS - 1))


def _edges(cells: NDArray[np.intp]) -> Floats:
    """Give the lower ends of cells: x from x/(1 + |x|); an infinite end is taken a bin earlier."""
    share = np.clip(cells / _BINS - 1, 1 / _BINS - 1, 1 - 1 / _BINS)
    return np.asarray(share / (1 - np.abs(share)))
