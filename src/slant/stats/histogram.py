"""How draws are distributed: counts in a few bins of equal width, for many statistics at once."""

from __future__ import annotations

from math import ceil, floor, isfinite, log10
from typing import TYPE_CHECKING

import numpy as np

from slant.by_chance import Histogram

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

MOST_BINS = 40
_MOST_STEPS = 1000
_SAME = 1e-9
"""Draws that differ by less, relative to their size, are the same but for rounding."""

_NOISE = 1e-12
"""So are those that differ by less than this, around 0."""


def histograms(draws: ArrayLike) -> list[Histogram | None]:
    r"""Count the draws of every statistic in bins of equal width.

    There are :math:`\min(40, \lceil 2 n^{1/3} \rceil)` bins from the smallest draw to the largest
    (Rice's rule), their ends rounded to the fourth digit of the width. Many statistics can take
    few values only, such as differences of shares of a hundred answers. Bins that cut across such
    a lattice hold now one of its steps and now two, so that the bars stand like the teeth of a
    comb; so where all draws lie on a lattice of at most a thousand steps, every bin holds the same
    number of them, one if they are no more than 40, and its ends lie midway between two.

    Parameters
    ----------
    draws
        Shape (resamples, rows): one column a statistic.

    Returns
    -------
    list
        One for each column; `None` where a draw is not finite, or there is none.

    References
    ----------
    Terrell and Scott (1985), "Oversmoothed nonparametric density estimates", Journal of the
    American Statistical Association 80, for the number of bins.
    """
    columns = np.sort(np.asarray(draws, dtype=np.float64).T, axis=1)
    if not columns.size:
        return [None] * len(columns)
    bins = [_bins(column) for column in columns]
    known = [each or (0.0, 1.0, 1) for each in bins]
    start, width, number = (np.array(each)[:, None] for each in zip(*known, strict=True))
    with np.errstate(invalid="ignore"):  # of columns that are not finite
        place = np.floor((columns - start) / np.where(width > 0, width, 1.0))
        place = np.nan_to_num(np.clip(place, 0, number - 1)).astype(np.intp)
    place += np.arange(len(columns))[:, None] * MOST_BINS
    counted = np.bincount(place.ravel(), minlength=len(columns) * MOST_BINS)
    return [
        None if each is None else Histogram(*each[:2], tuple(counts[: each[2]].tolist()))
        for each, counts in zip(bins, counted.reshape(-1, MOST_BINS), strict=True)
    ]


def histogram_of_cells(
    edges: Callable[[NDArray[np.intp]], Floats], counts: NDArray[np.int64]
) -> Histogram:
    """Put counts in many fine cells together into few bins of equal width.

    Parameters
    ----------
    edges
        Gives the lower ends of cells by their number; those of a cell and the next enclose it.
    counts
        Draws by cell, at least one in all. A cell belongs to the bin that holds its middle.
    """
    filled = np.flatnonzero(counts)
    middle = (edges(filled) + edges(filled + 1)) / 2
    first, last = float(middle[0]), float(middle[-1])
    if _alike(first, last):
        return Histogram(first, 0.0, (int(counts.sum()),))
    start, width, number = _rounded(first, (last - first) / MOST_BINS, MOST_BINS)
    place = np.clip(np.floor((middle - start) / width), 0, number - 1).astype(np.intp)
    into = np.zeros(number, dtype=np.int64)
    np.add.at(into, place, counts[filled])
    return Histogram(start, width, tuple(into.tolist()))


def moved(histogram: Histogram, by: float, low: float = -np.inf, high: float = np.inf) -> Histogram:
    """Shift a histogram, and count draws beyond a limit in the bin that holds the limit."""
    start, width, counts = histogram.start + by, histogram.width, histogram.counts
    if width == 0:
        return Histogram(min(max(start, low), high), 0.0, counts)
    first = min(max(floor((low - start) / width), 0), len(counts) - 1) if isfinite(low) else 0
    last = floor((high - start) / width) if isfinite(high) else len(counts) - 1
    last = min(max(last, first), len(counts) - 1)
    kept = list(counts[first : last + 1])
    kept[0] += sum(counts[:first])
    kept[-1] += sum(counts[last + 1 :])
    return Histogram(_tidy(start + first * width, width), width, tuple(kept))


def scaled(histogram: Histogram, by: float) -> Histogram:
    """Express a histogram in another unit: one of the old is `by`, at least 0, of the new."""
    if by == 0:
        return Histogram(0.0, 0.0, (sum(histogram.counts),))
    width = histogram.width * by
    return Histogram(_tidy(histogram.start * by, width), _tidy(width, width), histogram.counts)


def _bins(ascending: Floats) -> tuple[float, float, int] | None:
    """Choose start, width and number of bins; `None` where there is nothing to count."""
    low, high = float(ascending[0]), float(ascending[-1])
    if not (isfinite(low) and isfinite(high)):
        return None
    if _alike(low, high):
        return low, 0.0, 1
    gaps = np.diff(ascending)
    step = float(gaps[gaps > _SAME * (high - low)].min())
    steps = round((high - low) / step)
    if steps <= _MOST_STEPS:
        step = (high - low) / steps
        on = (ascending - low) / step
        if np.abs(on - np.round(on)).max() < 1e-3:
            held = ceil((steps + 1) / MOST_BINS)
            width = held * step
            return _tidy(low - step / 2, width), _tidy(width, width), ceil((steps + 1) / held)
    number = min(MOST_BINS, ceil(2 * len(ascending) ** (1 / 3)))
    return _rounded(low, (high - low) / number, number)


def _alike(low: float, high: float) -> bool:
    return high - low <= max(_SAME * max(abs(low), abs(high)), _NOISE)


def _rounded(low: float, width: float, number: int) -> tuple[float, float, int]:
    """Round start down and width up, so that the bins still reach from end to end."""
    digits = _digits(width) - 2
    width = round(ceil(width * 1.001 * 10.0**digits) / 10.0**digits, digits)
    return round(floor(low * 10.0**digits) / 10.0**digits, digits), width, number


def _tidy(value: float, width: float) -> float:
    """Round to the sixth digit of a bin's width."""
    return round(value, _digits(width))


def _digits(width: float) -> int:
    return 5 - floor(log10(width))
