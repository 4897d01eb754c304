r"""Where the values of a table groups × kinds × prompts come from.

With one value a cell, :math:`y_{gkp} = \mu + G_g + K_k + P_p + (GK)_{gk} + (GP)_{gp} + (KP)_{kp} +
e_{gkp}`, all random: a wording is a group in a kind, :math:`(GK)_{gk}`.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

PARTS = {
    "group": (0,),
    "wording": (0, 1),
    "group in one prompt": (0, 2),
    "kind of wording": (1,),
    "prompt": (2,),
    "kind in one prompt": (1, 2),
    "rest": (0, 1, 2),
}
"""The parts of the variance, each with the factors that tell its values apart."""


def variance_shares(values: ArrayLike) -> dict[str, float]:
    r"""Estimate the variance components from the mean squares.

    The expected mean square of a set of factors is the sum, over all sets that hold it, of their
    component times the number of cells that a value of theirs stands in; solved from the largest
    set down. A component below 0 is 0. In tables without negative components these are the
    estimates of restricted maximum likelihood.

    Parameters
    ----------
    values
        Shape (groups, kinds, prompts), at least two of each; prompts with NaN are left out.

    Returns
    -------
    dict
        The components by the names of `PARTS`, as variances; NaN where fewer than two prompts
        are left.

    References
    ----------
    Searle, Casella and McCulloch (1992), Variance Components, chapter 4.
    """
    data = np.asarray(values, dtype=np.float64)
    data = data[:, :, np.isfinite(data).all(axis=(0, 1))]
    if min(data.shape) < 2:
        return dict.fromkeys(PARTS, np.nan)
    squares = {factors: _mean_square(data, factors) for factors in PARTS.values()}
    found: dict[tuple[int, ...], float] = {}
    for factors in sorted(PARTS.values(), key=len, reverse=True):
        larger = [other for other in found if set(factors) < set(other)]
        rest = sum(found[other] * _cells(data.shape, other) for other in larger)
        found[factors] = (squares[factors] - rest) / _cells(data.shape, factors)
    return {name: max(0.0, float(found[factors])) for name, factors in PARTS.items()}


def _cells(shape: tuple[int, ...], factors: tuple[int, ...]) -> int:
    """Count the cells in which one value of these factors stands."""
    return int(np.prod([size for axis, size in enumerate(shape) if axis not in factors]))


def _mean_square(data: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
                 factors: tuple[int, ...]) -> float:  # fmt: skip
    """Give the mean square of the factors' own effect, without those of fewer factors."""
    effect = np.zeros([data.shape[a] if a in factors else 1 for a in range(3)])
    for size in range(len(factors) + 1):
        for kept in combinations(factors, size):
            others = tuple(axis for axis in range(3) if axis not in kept)
            sign = (-1) ** (len(factors) - size)
            effect = effect + sign * data.mean(axis=others, keepdims=True)
    freedom = np.prod([data.shape[axis] - 1 for axis in factors])
    return float((effect**2).sum() * _cells(data.shape, factors) / freedom)
