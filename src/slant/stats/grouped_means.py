"""What number each group's answers have on average, and how much that differs from other groups.

For studies with a number per answer: the counterpart of `grouped_rates`. Groups were asked the same
prompts, and answers to one prompt are a *cell*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.cluster_draws import draw_deviations, effective_trials
from slant.stats.group_permutation import unit_to_permute
from slant.stats.inference import Draws, batches, itself, permuted_within, strata_of, vs_rest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats
    from slant.stats.group_permutation import Unit
    from slant.stats.inference import Estimate, Figure

_AT_ONCE = 2**22


@dataclass(frozen=True, slots=True, eq=False)
class MeanContrast:
    """The groups' means against something; arrays have shape (groups,).

    Attributes
    ----------
    estimate
        The differences.
    effect
        Each divided by the standard deviation of answers within cells (Cohen's d).
    permuted
        What the permutation test exchanged: single observations, or whole cells.
    """

    estimate: Estimate
    effect: Floats
    permuted: Unit


@dataclass(frozen=True, slots=True, eq=False)
class GroupedMeans:
    """All that follows from one table of numbers; arrays have shape (groups,).

    Attributes
    ----------
    n, cells
        Answers, and prompts with answers, of each group.
    own
        Each group's own mean, with where chance puts it.
    vs_rest
        Each mean against the median of the other groups' means; `None` with a single group.
    vs_reference
        By group: its mean against the reference group's, arrays of shape (1,).
    """

    n: NDArray[np.int64]
    cells: NDArray[np.int64]
    own: Estimate
    vs_rest: MeanContrast | None
    vs_reference: Mapping[int, MeanContrast]


@dataclass(frozen=True, slots=True, eq=False)
class _Cells:
    """Values in cells of groups and prompts; every group and every prompt has some."""

    values: Floats
    group: NDArray[np.intp]
    prompt: NDArray[np.intp]
    shape: tuple[int, int]

    @property
    def n(self) -> NDArray[np.int64]:
        """Count values by cell: shape (groups, prompts)."""
        count = np.bincount(self._cell, minlength=self.shape[0] * self.shape[1])
        return np.asarray(count.reshape(self.shape))

    @property
    def _cell(self) -> NDArray[np.intp]:
        return self.group * self.shape[1] + self.prompt

    def means(self, rows: Floats) -> Floats:
        """Average by cell: shape (..., n) → (..., groups, prompts); NaN where a cell is empty."""
        flat = rows.reshape(-1, len(self.values))
        size = self.shape[0] * self.shape[1]
        where = (np.arange(len(flat))[:, None] * size + self._cell).ravel()
        total = np.bincount(where, flat.ravel(), minlength=len(flat) * size)
        count = np.where(self.n > 0, self.n, np.nan)
        return np.asarray(total.reshape(*rows.shape[:-1], *self.shape) / count)

    def only(self, groups: Sequence[int]) -> _Cells:
        """Keep some groups, in this order."""
        number = np.full(self.shape[0], -1)
        number[list(groups)] = np.arange(len(groups))
        kept = number[self.group] >= 0
        shape = (len(groups), self.shape[1])
        return _Cells(self.values[kept], number[self.group[kept]], self.prompt[kept], shape)


def grouped_means(
    values: ArrayLike,
    groups: ArrayLike,
    prompts: ArrayLike,
    *,
    reference: int | None = None,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    resamples: int = 10_000,
    rng: np.random.Generator,
) -> GroupedMeans:
    r"""Compare the means of groups that were all asked the same prompts.

    *Mean*: that of the cells' means, so that all prompts count alike. Interval: draws as in
    `cluster_draws.draw_rates`. Other prompts: cells' deviations from their group's mean, as far as
    they exceed what the spread of answers within cells explains. Other answers: Student's t with
    the standard error :math:`s_g/\sqrt{N_g}`, with the variance within the group's cells,
    drawn a little towards that of all groups, and the `effective_trials` :math:`N_g`.

    *p-value*: groups are exchanged within prompts, answers or whole cells as `unit_to_permute`
    chooses; for a reference, between the two. It counts distances from the average exchange.

    Parameters
    ----------
    values
        Shape (n,), finite.
    groups, prompts
        Shape (n,): whose answer to which prompt it is, as numbers from 0 without gaps.
    reference
        Which group the others are compared with.
    bounds
        Within which means can lie.
    resamples
        Number of draws, and of permutations.

    Raises
    ------
    ValueError
        A value is not finite, or there is none.

    References
    ----------
    Davison and Hinkley (1997), Bootstrap Methods and their Application, section 3.8; Good (2005),
    Permutation, Parametric and Bootstrap Tests of Hypotheses; Cohen (1988), Statistical Power
    Analysis, section 2.2.
    """
    data = np.asarray(values, dtype=np.float64)
    if not len(data) or not np.isfinite(data).all():
        raise ValueError("need values, and finite ones")
    group, prompt = np.asarray(groups, dtype=np.intp), np.asarray(prompts, dtype=np.intp)
    cells = _Cells(data, group, prompt, (int(group.max()) + 1, int(prompt.max()) + 1))
    n = cells.n
    variance = _variances(cells)
    spread = float(np.sqrt(_pooled(variance, _freedom(n))))
    drawn = np.clip(_draw(cells, variance, resamples, rng), *bounds)

    def compare(rows: Sequence[int], figure: Figure) -> MeanContrast:
        """Compare some groups, exchanged among each other."""
        some = cells.only(rows)
        unit = unit_to_permute(some.n.astype(np.float64), compared=len(rows))
        exchanged = _exchanged(some, unit, resamples, rng)
        means = Draws(_over_prompts(some.means(some.values)), drawn[:, rows], exchanged, unit)
        found = means.estimate(figure, centred=True)
        still = np.zeros_like(found.value)
        return MeanContrast(
            found, np.divide(found.value, spread, out=still, where=spread > 0), unit
        )

    every = range(cells.shape[0])
    alone = len(every) < 2
    pairs = {row: [row, reference] for row in every if reference not in (None, row)}
    return GroupedMeans(
        n=n.sum(axis=1),
        cells=(n > 0).sum(axis=1),
        own=compare(every, itself).estimate,
        vs_rest=None if alone else compare(every, vs_rest),
        vs_reference={
            row: compare([row, int(reference or 0)], _first_less_second) for row in pairs
        },
    )


def _first_less_second(means: Floats) -> Floats:
    return means[..., :1] - means[..., 1:]


def _over_prompts(cells: Floats) -> Floats:
    """Average over the prompts that a group was asked: shape (..., groups)."""
    filled = ~np.isnan(cells)
    return np.asarray(np.where(filled, cells, 0).sum(axis=-1) / filled.sum(axis=-1))


def _freedom(n: NDArray[np.int64]) -> NDArray[np.int64]:
    """Count the degrees of freedom within each group's cells: shape (groups,)."""
    return np.asarray(np.maximum(n - 1, 0).sum(axis=1))


def _pooled(variance: Floats, freedom: NDArray[np.int64]) -> float:
    return float((variance * freedom).sum() / max(freedom.sum(), 1))


def _variances(cells: _Cells) -> Floats:
    """Give each group's variance within its cells: shape (groups,); 0 where nothing tells it."""
    own = cells.means(cells.values)[cells.group, cells.prompt]
    squares = np.bincount(cells.group, (cells.values - own) ** 2, minlength=cells.shape[0])
    return np.asarray(squares / np.maximum(_freedom(cells.n), 1))


def _draw(cells: _Cells, variance: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Draw the means that the groups might as well have: shape (resamples, groups)."""
    n, means = cells.n, cells.means(cells.values)
    freedom, size = _freedom(n), effective_trials(n.astype(np.float64))
    # As if one more answer said what all groups say: few answers tell a spread badly.
    moderated = (variance * freedom + _pooled(variance, freedom)) / (freedom + 1)
    by_chance = (moderated * (n > 0).sum(axis=1) / size)[:, None]
    others = draw_deviations(means, n > 0, by_chance, resamples, rng)
    student = rng.standard_t(freedom + 1, size=others.shape)
    return np.asarray(_over_prompts(means) + others + student * np.sqrt(moderated / size))


def _exchanged(cells: _Cells, unit: Unit, resamples: int, rng: np.random.Generator) -> Floats:
    """Draw the groups' means after exchanging them within prompts: shape (resamples, groups)."""
    result = np.empty((resamples, cells.shape[0]))
    if unit == "cells":
        means = cells.means(cells.values)
        for rows in batches(resamples, _AT_ONCE // means.size):
            drawn = np.broadcast_to(means, (rows.stop - rows.start, *means.shape)).copy()
            for prompt in range(means.shape[1]):
                filled = np.flatnonzero(~np.isnan(means[:, prompt]))
                own = drawn[:, filled, prompt]
                drawn[:, filled, prompt] = rng.permuted(own, axis=1)
            result[rows] = _over_prompts(drawn)
        return result
    strata = strata_of(cells.prompt)
    for rows in batches(resamples, _AT_ONCE // len(cells.values)):
        exchanged = permuted_within(cells.values, strata, rows.stop - rows.start, rng)
        result[rows] = _over_prompts(cells.means(exchanged))
    return result
