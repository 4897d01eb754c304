"""How much a mean changes between two conditions in which the same prompts were asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.chance import chance_of
from slant.stats.permutation import permutation_p

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slant.stats.arrays import Floats
    from slant.stats.chance import ByChance


_VALUES_AT_ONCE = 2**22


@dataclass(frozen=True)
class MeanChange:
    """A mean under a second condition, and its change from the first.

    Attributes
    ----------
    mean, mean_low, mean_high
        Under the second condition, with its 95% interval.
    value, low, high
        Second minus first, with its 95% interval.
    p
        p-value of the permutation test, two-sided.
    chance
        The change if the condition did not matter.
    n
        Values under the second condition.
    """

    mean: float
    mean_low: float
    mean_high: float
    value: float
    low: float
    high: float
    p: float
    chance: ByChance
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
    mean = float(np.mean([other.mean() for _, other in cells]))
    value = mean - float(np.mean([one.mean() for one, _ in cells]))
    base = np.mean([_redrawn(one, resamples, rng) for one, _ in cells], axis=0)
    means = np.mean([_redrawn(other, resamples, rng) for _, other in cells], axis=0)
    null = np.mean([_exchanged(one, other, resamples, rng) for one, other in cells], axis=0)
    (mean_low, low), (mean_high, high) = np.quantile([means, means - base], (0.025, 0.975), axis=1)
    return MeanChange(
        mean, float(mean_low), float(mean_high), value, float(low), float(high),
        float(permutation_p(null, np.asarray(value))),
        chance_of(null),
        sum(len(other) for _, other in cells),
    )  # fmt: skip


def _redrawn(values: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    size = len(values)
    share = np.full(size, 1 / size)
    return np.concatenate(
        [
            rng.multinomial(size, share, size=rows) @ values / size
            for rows in _portions(resamples, size)
        ]
    )


def _exchanged(one: Floats, other: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    both = np.concatenate([one, other])
    null = []
    for rows in _portions(resamples, len(both)):
        pooled = rng.permuted(np.tile(both, (rows, 1)), axis=1)
        null.append(pooled[:, len(one) :].mean(axis=1) - pooled[:, : len(one)].mean(axis=1))
    return np.concatenate(null)


def _portions(resamples: int, size: int) -> list[int]:
    """Share resamples out so that few enough values are held at a time."""
    step = max(1, _VALUES_AT_ONCE // size)
    return [min(step, resamples - start) for start in range(0, resamples, step)]
