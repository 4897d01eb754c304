"""What a statistic would be if the labels did not matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.stats.chance import Chance
from slant.stats.inference import batches, p_value, permuted_within, strata_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats
    from slant.stats.inference import Alternative

_VALUES_AT_ONCE = 2**20


@dataclass(frozen=True, slots=True, eq=False)
class PermutationResult:
    """Outcome of a permutation test; arrays have the shape of the statistic.

    Attributes
    ----------
    observed
        The statistic of the data.
    p
        p-value, at least 1/(1 + resamples).
    chance
        The statistic over the permutations; always of shape (k,), with k = 1 for a single one.
    """

    observed: Floats
    p: Floats
    chance: Chance


def permutation_test(
    values: ArrayLike,
    labels: ArrayLike,
    statistic: Callable[..., Any],
    *,
    strata: ArrayLike | None = None,
    resamples: int = 10_000,
    alternative: Alternative = "two-sided",
    rng: np.random.Generator,
) -> PermutationResult:
    r"""Test whether the labels matter, by exchanging them at random.

    :math:`p = (1 + \#\{|t^*| \ge |t|\})/(1 + B)` over :math:`B` random permutations, or the same
    without the absolute values for a one-sided alternative. The data count as one permutation:
    p is never 0, and the test is exact for every :math:`B`.

    Parameters
    ----------
    values
        Shape (n,). For observations that are more than a number, pass `numpy.arange(n)` and let
        the statistic look them up.
    labels
        Shape (n,): the group of each value, two groups or more.
    statistic
        `statistic(values, labels)` with values of shape (..., n) and labels of shape (n,) gives
        one or more statistics for every row: shape (...) or (..., k).
    strata
        Shape (n,): labels are exchanged within each stratum only.
    resamples
        Number of permutations, B.
    alternative
        Which statistics count as extreme: those far from 0, large ones, or small ones.

    Returns
    -------
    PermutationResult
        Arrays of shape () or (k,).

    Raises
    ------
    ValueError
        Shapes that do not match, NaN among the values, a single group, no resamples, or an
        unknown alternative.

    References
    ----------
    Phipson and Smyth (2010), as in `inference.p_value`.
    """
    data, group = np.asarray(values), np.asarray(labels)
    stratum = np.zeros(data.shape, dtype=int) if strata is None else np.asarray(strata)
    if data.ndim != 1 or group.shape != data.shape or stratum.shape != data.shape:
        raise ValueError(
            "values, labels and strata need the same shape (n,), not "
            f"{data.shape}, {group.shape} and {stratum.shape}"
        )
    if np.isnan(data).any():
        raise ValueError("values hold NaN: leave out what was not measured")
    if len(np.unique(group)) < 2:
        raise ValueError("need labels of at least two groups")
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples}")

    members = strata_of(stratum)
    exchanged = (
        permuted_within(data, members, rows.stop - rows.start, rng)
        for rows in batches(resamples, _VALUES_AT_ONCE // len(data))
    )
    null = np.concatenate([np.asarray(statistic(each, group), np.float64) for each in exchanged])
    observed = np.asarray(statistic(data, group), dtype=np.float64)
    return PermutationResult(
        observed=observed,
        p=p_value(null, observed, alternative),
        chance=Chance.of(null.reshape(resamples, -1)),
    )
