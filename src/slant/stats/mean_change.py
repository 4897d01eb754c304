"""How much a mean changes between two conditions in which the same prompts were asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.inference import Draws, Estimate, batches, permuted_within, times

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slant.stats.arrays import Floats

_VALUES_AT_ONCE = 2**22


@dataclass(frozen=True, slots=True, eq=False)
class MeanChange:
    """A mean under a second condition, and its change from the first; one row each.

    Attributes
    ----------
    second
        The mean under the second condition.
    change
        Second minus first.
    n
        Values under the second condition.
    """

    second: Estimate
    change: Estimate
    n: int


def mean_change(
    first: Sequence[NDArray[np.floating]],
    second: Sequence[NDArray[np.floating]],
    *,
    resamples: int = 10_000,
    rng: np.random.Generator,
) -> MeanChange | None:
    r"""Compare means within prompts: :math:`\frac1P \sum_p (\bar y_{2p} - \bar y_{1p})`.

    Interval: values drawn with replacement within prompt and condition. p-value: conditions
    exchanged at random within prompts.

    Parameters
    ----------
    first, second
        For each prompt the values, of shape (n,). Prompts that lack values under either
        condition are left out.
    resamples
        Number of bootstrap draws, and of permutations.
    rng
        Source of randomness.

    Returns
    -------
    MeanChange or None
        `None` where no prompt is left.
    """
    cells = [
        (np.asarray(one, float), np.asarray(other, float))
        for one, other in zip(first, second, strict=True)
        if len(one) and len(other)
    ]
    if not cells:
        return None
    draws = _draw(cells, resamples, rng)
    return MeanChange(
        second=draws.estimate(lambda means: means[..., 1:]),
        change=draws.estimate(lambda means: means[..., 1:] - means[..., :1]),
        n=sum(len(other) for _, other in cells),
    )


def _draw(
    cells: Sequence[tuple[Floats, Floats]], resamples: int, rng: np.random.Generator
) -> Draws:
    """Resample values within prompt and condition, and exchange conditions within prompts."""
    resampled = [
        np.mean([_redrawn(cell[side], resamples, rng) for cell in cells], axis=0) for side in (0, 1)
    ]
    exchanged = np.mean([_exchanged(*cell, resamples, rng) for cell in cells], axis=0)
    observed = np.mean([[one.mean(), other.mean()] for one, other in cells], axis=0)
    return Draws(observed, np.stack(resampled, axis=-1), exchanged, "values")


def _redrawn(values: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    size = len(values)
    return np.concatenate(
        [
            times(size, rows.stop - rows.start, rng) @ values / size
            for rows in batches(resamples, _VALUES_AT_ONCE // size)
        ]
    )


def _exchanged(one: Floats, other: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Give both means of one prompt's values: shape (resamples, 2)."""
    both, result = np.concatenate([one, other]), np.empty((resamples, 2))
    everything = [np.arange(len(both))]
    for rows in batches(resamples, _VALUES_AT_ONCE // len(both)):
        pooled = permuted_within(both, everything, rows.stop - rows.start, rng)
        result[rows, 0] = pooled[:, : len(one)].mean(axis=1)
        result[rows, 1] = pooled[:, len(one) :].mean(axis=1)
    return result
