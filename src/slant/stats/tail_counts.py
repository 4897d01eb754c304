"""How often draws were as large as something, without keeping the draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slant.stats.arrays import Floats

_BINS = 2**16
_SAME = 1e-5  # draws may be in single precision: what differs in the last digits is equal


class TailCounts:
    """Counts of absolute values in fine bins, for p-values from hundreds of millions of draws.

    A value x falls into one of 65,536 equal bins of x/(1 + x): at x = 5 a bin is 0.0006 wide, at
    x = 50 0.04. A whole bin counts as at least as large as a value in it, so p errs upwards, by
    less than 1% of itself for tails like the normal distribution's up to x = 6.
    """

    def __init__(self) -> None:
        self._counts = np.zeros(_BINS, dtype=np.int64)

    def add(self, draws: NDArray[Any]) -> None:
        """Count draws, of any shape and sign."""
        self._counts += np.bincount(_bins(draws).ravel(), minlength=_BINS)

    def p(self, values: NDArray[Any]) -> Floats:
        """Give (1 + draws at least as large in absolute value)/(1 + draws), shaped as `values`."""
        at_least = np.cumsum(self._counts[::-1])[::-1]
        same = np.asarray(values) * (1 - _SAME)
        return np.asarray((1 + at_least[_bins(same)]) / (1 + at_least[0]))

    def critical(self, p: float) -> float:
        """Give the absolute value from which on p-values lie below `p`."""
        at_least = np.cumsum(self._counts[::-1])[::-1]
        beyond = (1 + at_least) / (1 + at_least[0]) < p
        edge = (np.argmax(beyond) if beyond.any() else _BINS - 1) / _BINS
        return float(edge / (1 - edge) / (1 - _SAME))


def _bins(values: NDArray[Any]) -> NDArray[np.int32]:
    size = np.abs(values)
    size /= size + 1
    size *= _BINS
    # An infinite size or one that rounds up to the very end belongs to the last bin.
    return np.asarray(np.minimum(size.astype(np.int32), _BINS - 1))
