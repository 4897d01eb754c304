"""Calibration: whether what is held to be probable is as often right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """What `calibration` finds.

    Attributes
    ----------
    error
        Expected calibration error, in [0, 1].
    confidence, accuracy
        Mean confidence and share of right answers in each bin.
    n
        Answers in each bin.
    """

    error: float
    confidence: Floats
    accuracy: Floats
    n: NDArray[np.int64]


def calibration(confidence: ArrayLike, right: ArrayLike, bins: int = 10) -> Calibration:
    r"""Compare confidence with accuracy in bins of as many answers each.

    .. math:: \mathrm{ECE} = \sum_b \frac{n_b}{n} |\mathrm{acc}_b - \mathrm{conf}_b|

    Bins hold equal numbers of answers, in the order of confidence: where all confidences are high,
    bins of equal width would be nearly empty.

    Parameters
    ----------
    confidence
        Shape (n,): probability of the answer that was given, in [0, 1]; at least one.
    right
        Shape (n,): whether that answer was right.
    bins
        Number of bins; fewer if there are fewer answers.

    Raises
    ------
    ValueError
        There are no answers, shapes differ, or a confidence lies outside of [0, 1].

    References
    ----------
    Naeini, Cooper and Hauskrecht (2015), "Obtaining well calibrated probabilities using Bayesian
    binning", AAAI. Nguyen and O'Connor (2015), "Posterior calibration and exploratory analysis for
    natural language processing models", EMNLP, for bins of equal numbers.
    """
    held = np.asarray(confidence, dtype=np.float64)
    was = np.asarray(right, dtype=np.float64)
    if held.ndim != 1 or held.shape != was.shape or not held.size:
        raise ValueError("confidence and right must be two lists of the same length, not empty")
    if not ((held >= 0) & (held <= 1)).all():
        raise ValueError("a confidence lies outside of [0, 1]")
    order = np.argsort(held, kind="stable")
    parts = [part for part in np.array_split(order, bins) if part.size]
    n = np.array([part.size for part in parts])
    mean = np.array([held[part].mean() for part in parts])
    share = np.array([was[part].mean() for part in parts])
    return Calibration(float((n * np.abs(share - mean)).sum() / n.sum()), mean, share, n)
