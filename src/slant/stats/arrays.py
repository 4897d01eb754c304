"""The arrays that go in and come out: their types, and the checks that every function shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

Floats: TypeAlias = NDArray[np.float64]


def counts(successes: ArrayLike, trials: ArrayLike) -> tuple[Floats, Floats]:
    """Check that the counts are possible, and broadcast them against each other.

    Parameters
    ----------
    successes, trials
        How many of how many; any shapes that broadcast.

    Returns
    -------
    tuple of numpy.ndarray
        Both in their common shape. The arrays may share memory with the input: read only.

    Raises
    ------
    ValueError
        A count is negative or not finite, or there are more successes than trials.
    """
    k, n = np.broadcast_arrays(
        np.asarray(successes, dtype=np.float64), np.asarray(trials, dtype=np.float64)
    )
    possible = (k >= 0) & (k <= n) & np.isfinite(n)
    if not possible.all():
        wrong_k, wrong_n = k[~possible].flat[0], n[~possible].flat[0]
        raise ValueError(
            f"counts must satisfy 0 <= successes <= trials, not {wrong_k:g} of {wrong_n:g}"
        )
    return k, n


def taken(values: Floats, places: NDArray[np.intp]) -> Floats:
    """Give the values at some places, in their shape; −1 stands for one that is not known: NaN."""
    result = np.full(places.shape, np.nan)
    known = places >= 0
    result[known] = values[places[known]]
    return result


def proportion(successes: Floats, trials: Floats) -> Floats:
    """Divide successes by trials; where there are no trials the share is NaN."""
    unknown = np.full(trials.shape, np.nan)
    return np.asarray(np.divide(successes, trials, out=unknown, where=trials > 0))


def probabilities(*values: ArrayLike) -> list[Floats]:
    """Check that all values lie in [0, 1] or are NaN (unknown), and turn them into arrays.

    Raises
    ------
    ValueError
        A value lies outside [0, 1].
    """
    arrays = [np.asarray(value, dtype=np.float64) for value in values]
    for array in arrays:
        wrong = (array < 0) | (array > 1)
        if wrong.any():
            raise ValueError(f"expected values between 0 and 1, not {array[wrong].flat[0]:g}")
    return arrays


def tails(level: float) -> tuple[float, float]:
    """Give the two quantiles between which an equal-tailed interval lies: 0.95 → 0.025, 0.975.

    Raises
    ------
    ValueError
        `level` is not strictly between 0 and 1.
    """
    if not 0 < level < 1:
        raise ValueError(f"level must lie strictly between 0 and 1, not {level}")
    return (1 - level) / 2, (1 + level) / 2


def critical_value(level: float) -> float:
    """Give the standard normal quantile of a two-sided interval: 0.95 → 1.96."""
    return float(ndtri(tails(level)[1]))
