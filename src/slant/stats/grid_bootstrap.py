"""Contrasts of a grid for other names that might as well have been sampled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr, stdtrit

from slant.stats.arrays import tails
from slant.stats.grid_design import contrast
from slant.stats.inference import batches, times

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slant.stats.arrays import Floats
    from slant.stats.grid_design import GridDesign

_AT_ONCE = 2**24


def bootstrap_contrasts(
    design: GridDesign, resamples: int, rng: np.random.Generator
) -> Iterator[NDArray[np.float32]]:
    """Resample names within label and stratum, and yield the contrasts by some resamples a time.

    Yields
    ------
    numpy.ndarray
        Shape (some of the resamples, labels, columns), in single precision.
    """
    weights = _weights(design, resamples, rng)
    for rows in batches(resamples, _AT_ONCE // (design.columns * design.sizes.shape[1])):
        yield contrast(_means(design, weights, rows, slice(None)))


def interval(design: GridDesign, resamples: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Give 95% intervals of the contrasts, by expanded percentiles.

    Returns
    -------
    low, high : numpy.ndarray
        Shape (labels, columns).
    """
    weights = _weights(design, resamples, rng)
    levels = quantile_levels(design)
    low, high = np.empty((2, len(levels), design.columns))
    for columns in batches(design.columns, _AT_ONCE // (resamples * len(levels))):
        drawn = contrast(_means(design, weights, slice(None), columns))
        for label, ends in enumerate(levels):
            low[label, columns], high[label, columns] = np.quantile(drawn[:, label], ends, axis=0)
    return low, high


def quantile_levels(design: GridDesign, level: float = 0.95) -> Floats:
    """Give each label's levels of the two quantiles of its bootstrap, expanded for few names.

    Returns
    -------
    numpy.ndarray
        Shape (labels, 2).
    """
    variance, narrow = np.zeros((2, design.sizes.shape[1]))
    for sizes in design.sizes:
        names = np.maximum(sizes, 1)
        variance += np.where(sizes > 0, 1 / names, 0)
        narrow += np.where(sizes > 0, (names - 1) / names**2, 0)
    freedom = (design.sizes - (design.sizes > 0)).sum(axis=0)
    reach = stdtrit(freedom, tails(level)[1]) * np.sqrt(variance / narrow)
    return np.stack([ndtr(-reach), ndtr(reach)], axis=1)


def _weights(
    design: GridDesign, resamples: int, rng: np.random.Generator
) -> list[list[NDArray[np.float32]]]:
    """Draw how much each name counts: by stratum and label, shape (resamples, names)."""
    return [
        [
            (times(size, resamples, rng) * share).astype(np.float32)
            if size
            else np.zeros((resamples, 0), dtype=np.float32)
            for size, share in zip(stratum.sizes, stratum.share, strict=True)
        ]
        for stratum in design.strata
    ]


def _means(
    design: GridDesign, weights: list[list[NDArray[np.float32]]], rows: slice, columns: slice
) -> NDArray[np.float32]:
    """Average by label: shape (resamples, labels, columns)."""
    total: list[NDArray[np.float32]] = []
    for stratum, of_labels in zip(design.strata, weights, strict=True):
        values = stratum.values[:, columns].astype(np.float32)
        parts = [
            weight[rows] @ values[stratum.labels == label] for label, weight in enumerate(of_labels)
        ]
        total = [a + b for a, b in zip(total, parts, strict=True)] if total else parts
    return np.stack(total, axis=1)
