"""Which ranks are possible, given how uncertain what is ranked is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats

_LEVEL, _NO_ERROR = 0.95, 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """Ranks, 1 for the largest.

    Attributes
    ----------
    rank
        By the estimates.
    low, high
        Ranks that are possible, both ends included, for all at once with 95% confidence.
    """

    rank: Floats
    low: Floats
    high: Floats


def rank_intervals(
    values: ArrayLike, errors: ArrayLike, *, draws: int = 9999, rng: np.random.Generator
) -> Ranks:
    r"""Rank estimates, with simultaneous 95% intervals of their ranks.

    A rank is 1 + the number of those that are larger. Of :math:`J` estimates all differences are
    compared at once: :math:`i` is surely above :math:`j` if
    :math:`x_i - x_j > c \sqrt{s_i^2 + s_j^2}`, with :math:`c` the 95% quantile of the largest
    standardised difference in draws from the estimates' own errors (a parametric bootstrap). To
    draw ranks themselves would not do: among near ties their intervals are too short.

    Parameters
    ----------
    values, errors
        Estimates and their standard errors, shape (J,).
    draws
        How many to draw.
    rng
        Source of randomness.

    References
    ----------
    Mogstad, Romano, Shaikh and Wilhelm (2024), "Inference for ranks with applications to mobility
    across neighbourhoods and academic achievement across countries", Review of Economic Studies 91.
    """
    x = np.asarray(values, dtype=float)
    s = np.maximum(np.asarray(errors, dtype=float), _NO_ERROR)
    apart = x[:, None] - x[None, :]
    of_pairs = np.sqrt(s[:, None] ** 2 + s[None, :] ** 2)
    noise = rng.normal(size=(draws, len(x))) * s
    largest = np.max(
        np.abs(noise[:, :, None] - noise[:, None, :]) / of_pairs, axis=(1, 2), initial=0.0
    )
    surely = apart > np.quantile(largest, _LEVEL) * of_pairs
    return Ranks(
        1.0 + (apart.T > 0).sum(axis=1),
        1.0 + surely.sum(axis=0),
        len(x) - surely.sum(axis=1).astype(float),
    )
