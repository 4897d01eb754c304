"""What a statistic would be if the labels did not matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from slant.stats.chance import Chance

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]

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
    rng
        Source of randomness.

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
    Phipson and Smyth (2010), "Permutation p-values should never be zero", Statistical
    Applications in Genetics and Molecular Biology 9.
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

    members = [np.flatnonzero(stratum == which) for which in np.unique(stratum)]
    at_once = max(1, _VALUES_AT_ONCE // len(data))
    batches = []
    for start in range(0, resamples, at_once):
        batch = np.tile(data, (min(at_once, resamples - start), 1))
        for where in members:
            batch[:, where] = rng.permuted(batch[:, where], axis=1)
        batches.append(np.asarray(statistic(batch, group), dtype=np.float64))
    null = np.concatenate(batches)
    observed = np.asarray(statistic(data, group), dtype=np.float64)
    return PermutationResult(
        observed=observed,
        p=permutation_p(null, observed, alternative),
        chance=Chance.of(null.reshape(resamples, -1)),
    )


def permutation_p(null: Floats, observed: Floats, alternative: Alternative = "two-sided") -> Floats:
    """Share of the permutations, the data among them, that are at least as extreme as the data.

    Parameters
    ----------
    null
        Statistics of the permutations, of shape (resamples, ...).
    observed
        Statistics of the data, of shape (...).
    alternative
        Which statistics count as extreme: those far from 0, large ones, or small ones.

    Returns
    -------
    numpy.ndarray
        p-values in (0, 1], of shape (...). Statistics that differ by a rounding error only count
        as equal.

    Raises
    ------
    ValueError
        An unknown alternative.
    """
    if alternative == "two-sided":
        null, observed = np.abs(null), np.abs(observed)
    elif alternative == "less":
        null, observed = -null, -observed
    elif alternative != "greater":
        raise ValueError(
            f"alternative must be 'two-sided', 'greater' or 'less', not {alternative!r}"
        )
    rounding = 1e-12 * np.maximum(np.abs(null).max(axis=0), np.abs(observed))
    extreme = (null >= observed - rounding).sum(axis=0)
    return np.asarray((1 + extreme) / (1 + len(null)))
