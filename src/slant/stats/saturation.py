"""Whether asking on would bring anything new: distinct findings against the number of requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats


def rarefaction(counts: ArrayLike, sizes: ArrayLike) -> Floats:
    r"""Give the expected number of distinct kinds in a random part of the observations.

    :math:`E(m) = \sum_i 1 - \binom{N - n_i}{m} / \binom{N}{m}`.

    Parameters
    ----------
    counts
        How often each kind was seen, at least once.
    sizes
        Numbers of observations *m*, between 0 and their total.

    Returns
    -------
    numpy.ndarray
        Shape of `sizes`; between 0 and the number of kinds.

    References
    ----------
    Hurlbert (1971), "The nonconcept of species diversity", Ecology 52.
    """
    n = np.asarray(counts, dtype=np.float64)
    m = np.asarray(sizes, dtype=np.float64)[..., None]
    total = n.sum()
    left = total - n - m
    possible = left >= 0
    log = (
        gammaln(total - n + 1) - gammaln(np.where(possible, left, 0) + 1)
        - gammaln(total + 1) + gammaln(total - m + 1)
    )  # fmt: skip
    return np.asarray((1 - np.where(possible, np.exp(log), 0)).sum(axis=-1))


def chance_of_new(counts: ArrayLike) -> float:
    """Estimate the probability that the next observation is of a kind not seen before.

    The share of observations whose kind was seen once; NaN without observations.

    References
    ----------
    Good (1953), "The population frequencies of species and the estimation of population
    parameters", Biometrika 40.
    """
    n = np.asarray(counts, dtype=np.float64)
    total = n.sum()
    return float((n == 1).sum() / total) if total else float("nan")
