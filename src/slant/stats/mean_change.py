"""How much a mean changes between two conditions in which the same prompts were asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.inference import (
    ROUNDING,
    Draws,
    Estimate,
    batches,
    permuted_within,
    times,
)

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

    Interval: values drawn with replacement within prompt and condition, with deviations multiplied
    for few values as `inference.stretch` says, the degrees of freedom being those of all prompts
    together. p-value: conditions exchanged at random within prompts, and changes compared over
    their standard errors, with a variance for each condition.

    Parameters
    ----------
    first, second
        For each prompt the values, of shape (n,). Prompts that lack values under either
        condition are left out.
    resamples
        Number of bootstrap draws, and of permutations.

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
    sizes = np.array([[len(one), len(other)] for one, other in cells])
    freedom = (sizes - 1).sum(axis=0)
    observed = np.mean([[one.mean(), other.mean()] for one, other in cells], axis=0)
    resampled = [
        np.mean([_redrawn(cell[side], resamples, rng) for cell in cells], axis=0) for side in (0, 1)
    ]
    student = np.sqrt(freedom.sum() / rng.chisquare(max(freedom.sum(), 1), size=(resamples, 1)))
    drawn = [_exchanged(*cell, resamples, rng) for cell in cells]
    least = max(ROUNDING * max(float(np.abs(each).max()) for cell in cells for each in cell),
                np.finfo(float).tiny)  # fmt: skip

    def error(squares: Floats) -> Floats:
        pooled = squares.sum(axis=-1, keepdims=True) / max(freedom.sum(), 1)
        variance = np.where(freedom > 0, squares / np.maximum(freedom, 1), pooled)
        parts = (variance[..., None, :] / sizes).sum(axis=(-1, -2)) / len(cells) ** 2
        return np.asarray(np.maximum(np.sqrt(parts), least)[..., None])

    own = np.sum([[((side - side.mean()) ** 2).sum() for side in cell] for cell in cells], axis=0)
    return Draws(
        observed,
        observed + (np.stack(resampled, axis=-1) - observed) * student,
        np.mean([means for means, _ in drawn], axis=0),
        "values",
        units=float(freedom.sum()),
        error=error(own),
        exchanged_error=error(np.sum([squares for _, squares in drawn], axis=0)),
    )


def _redrawn(values: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Average values drawn with replacement, as far from their mean as other values would be."""
    size, mean = len(values), values.mean()
    wide = np.sqrt(size / max(size - 1, 1))
    return np.concatenate(
        [
            mean + wide * (times(size, rows.stop - rows.start, rng) @ values / size - mean)
            for rows in batches(resamples, _VALUES_AT_ONCE // size)
        ]
    )


def _exchanged(
    one: Floats, other: Floats, resamples: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Give both means of one prompt's values, and sums of squares: shape (resamples, 2) each."""
    both = np.concatenate([one, other])
    means, squares = np.empty((2, resamples, 2))
    everything = [np.arange(len(both))]
    for rows in batches(resamples, _VALUES_AT_ONCE // len(both)):
        pooled = permuted_within(both, everything, rows.stop - rows.start, rng)
        for side, part in enumerate((pooled[:, : len(one)], pooled[:, len(one) :])):
            means[rows, side] = part.mean(axis=1)
            squares[rows, side] = part.var(axis=1) * part.shape[1]
    return means, squares
