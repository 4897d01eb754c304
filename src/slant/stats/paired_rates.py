"""Rates of groups on two sides that were asked the same questions: what changed, how surely.

A *side* is a run or a model. Counts have shape (groups, prompts, 3, 3): of the questions that one
group was asked with one prompt, how many came out in which way on the first side (third axis) and
on the second (last axis): 0 no, 1 yes, 2 not measured (refused, failed, not asked).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from scipy.special import betaincinv

from slant.stats.permutation import permutation_p

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats

Exchanged: TypeAlias = Literal["questions", "prompts"]

FEWEST_PROMPTS = 10
"""With so many prompts, whole prompts change sides and are resampled: 1,024 arrangements."""

_KINDS = 3
_MISSING = 2
_AT_ONCE = 2**21


@dataclass(frozen=True, slots=True, eq=False)
class PairedChange:
    """A figure of every group on both sides; arrays have shape (groups,).

    Attributes
    ----------
    first, second
        The figure on either side: shares, or differences of shares.
    value, low, high
        Second minus first, with its 95% interval.
    p
        Two-sided p-value; not adjusted.
    n
        Questions with a measured answer on both sides.
    """

    first: Floats
    second: Floats
    value: Floats
    low: Floats
    high: Floats
    p: Floats
    n: Floats


class PairedRates:
    r"""Draws what could have been, once, for any comparison of the groups' rates.

    A group's rate is the mean over its prompts of the share of yes among the measured answers, as
    in `cluster_draws.rates`. If it does not matter which side answers, the two answers to a
    question might as well have been exchanged, and with at least `FEWEST_PROMPTS` prompts all
    answers to a prompt, of all groups together: then p speaks about prompts in general, else about
    these only. :math:`p = (1 + \#\{|t^*| \ge |t|\})/(1 + B)`. Intervals resample the same:
    questions within their prompt, or prompts. Prompts are few, so that deviations of their
    resamples are multiplied by :math:`\sqrt{C/(C-1)}`, since a resample varies too little, and by
    :math:`\sqrt{(C-1)/\chi^2_{C-1}}`, as in Student's t. No interval is narrower than what N pairs
    without a single change allow, Jeffreys' :math:`\mathrm{Beta}(½, N + ½)`; so where most answers
    are the very same on both sides, p may be small and the interval still hold zero.

    Parameters
    ----------
    counts
        Whole numbers of shape (groups, prompts, 3, 3).
    resamples
        Number of resamples, and of exchanges, B.
    rng
        Source of randomness.

    Raises
    ------
    ValueError
        The shape or a count is impossible.

    References
    ----------
    Good (2005), Permutation, Parametric and Bootstrap Tests of Hypotheses, section 3.7.1, for
    exchanges within pairs; Dror et al. (2018), "The Hitchhiker's Guide to Testing Statistical
    Significance in Natural Language Processing", ACL; Field and Welsh (2007), "Bootstrapping
    clustered data", Journal of the Royal Statistical Society B 69; Brown, Cai and DasGupta (2001),
    "Interval estimation for a binomial proportion", Statistical Science 16, for Jeffreys.
    """

    def __init__(
        self, counts: ArrayLike, *, resamples: int = 10_000, rng: np.random.Generator
    ) -> None:
        cells = np.asarray(counts, dtype=np.int64)
        if cells.ndim != 4 or cells.shape[2:] != (_KINDS, _KINDS) or not cells.size:
            raise ValueError(f"counts need the shape (groups, prompts, 3, 3), not {cells.shape}")
        if (cells < 0).any() or not np.array_equal(cells, np.asarray(counts)):
            raise ValueError("counts must be whole numbers from 0")
        prompts = cells.shape[1]
        self.exchanged: Exchanged = "prompts" if prompts >= FEWEST_PROMPTS else "questions"
        self._n = cells[..., :_MISSING, :_MISSING].sum(axis=(1, 2, 3)).astype(np.float64)
        self._rates = _rates(cells[None])
        by_prompt = self.exchanged == "prompts"
        resampled = _other_prompts if by_prompt else _other_questions
        swapped = _swapped_prompts if by_prompt else _swapped_questions
        self._drawn = np.concatenate(list(resampled(cells, resamples, rng)), axis=1)
        self._null = np.concatenate(list(swapped(cells, resamples, rng)), axis=1)
        self._stretch = np.ones((resamples, 1))
        if by_prompt:
            freedom = prompts - 1
            student = np.sqrt(freedom / rng.chisquare(freedom, size=(resamples, 1)))
            self._stretch = student * np.sqrt(prompts / freedom)

    def change(self, figure: Callable[[Floats], Floats]) -> PairedChange:
        """Compare a figure of the groups.

        Parameters
        ----------
        figure
            From rates of shape (..., groups) to figures of the same shape: the rates themselves,
            or their differences from something.
        """
        first, second = figure(self._rates[0])[0], figure(self._rates[1])[0]
        value = second - first
        drawn = figure(self._drawn[1]) - figure(self._drawn[0])
        drawn = value + (drawn - value) * self._stretch
        known = ~np.isnan(value)
        low, high = np.full((2, len(value)), np.nan)
        low[known], high[known] = np.nanquantile(drawn[:, known], (0.025, 0.975), axis=0)
        least = betaincinv(0.5, self._n + 0.5, 0.975)
        null = np.nan_to_num(figure(self._null[1]) - figure(self._null[0]))
        p = np.where(known, permutation_p(null, np.nan_to_num(value)), np.nan)
        return PairedChange(
            first, second, value,
            np.minimum(low, value - least), np.maximum(high, value + least), p, self._n,
        )  # fmt: skip


def _rates(cells: Floats) -> Floats:
    """Give the rates on both sides, shape (2, draws, groups), of (draws, groups, prompts, 3, 3)."""
    sides = []
    for axis in (-1, -2):
        kinds = cells.sum(axis=axis)
        sides.append(_mean_rate(kinds[..., 1], kinds[..., 0] + kinds[..., 1]))
    return np.stack(sides)


def _mean_rate(yes: Floats, measured: Floats) -> Floats:
    """Average shares over the last axis, prompts, leaving out those without any answer."""
    share = np.divide(yes, measured, out=np.zeros(yes.shape), where=measured > 0)
    filled = (measured > 0).sum(axis=-1)
    unknown = np.full(filled.shape, np.nan)
    return np.asarray(np.divide(share.sum(axis=-1), filled, out=unknown, where=filled > 0))


def _batches(size: int, resamples: int) -> Iterator[int]:
    at_once = max(1, _AT_ONCE // size)
    for start in range(0, resamples, at_once):
        yield min(at_once, resamples - start)


def _other_questions(cells: Floats, resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Draw the questions of every cell with replacement."""
    flat = cells.reshape(*cells.shape[:2], -1)
    total = flat.sum(axis=-1)
    share = flat / np.maximum(total, 1)[..., None]
    share[total == 0, 0] = 1.0  # nothing is drawn from an empty cell
    for rows in _batches(cells.size, resamples):
        drawn = rng.multinomial(total, share, size=(rows, *total.shape))
        yield _rates(drawn.reshape(rows, *cells.shape))


def _swapped_questions(cells: Floats, resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Let the two answers to a question change sides, each pair with probability one half."""
    for rows in _batches(cells.size, resamples):
        swapped = np.broadcast_to(cells, (rows, *cells.shape)).copy()
        for one in range(_KINDS):
            for other in range(one + 1, _KINDS):
                both = cells[..., one, other] + cells[..., other, one]
                there = rng.binomial(both, 0.5, size=(rows, *both.shape))
                swapped[..., one, other], swapped[..., other, one] = there, both - there
        yield _rates(swapped)


def _sides(cells: Floats) -> tuple[Floats, Floats]:
    """Give shares and whether there are any, each of shape (2, groups, prompts)."""
    kinds = np.stack([cells.sum(axis=-1), cells.sum(axis=-2)])
    measured = kinds[..., 0] + kinds[..., 1]
    share = np.divide(kinds[..., 1], measured, out=np.zeros(measured.shape), where=measured > 0)
    return share, (measured > 0).astype(np.float64)


def _known(total: Floats, filled: Floats) -> Floats:
    return np.divide(total, filled, out=np.full(total.shape, np.nan), where=filled > 0)


def _other_prompts(cells: Floats, resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Draw prompts with replacement, the same ones for all groups and on both sides."""
    share, there = _sides(cells)
    prompts = cells.shape[1]
    times = rng.multinomial(prompts, np.full(prompts, 1 / prompts), size=resamples)
    yield np.stack([_known(times @ share[side].T, times @ there[side].T) for side in (0, 1)])


def _swapped_prompts(cells: Floats, resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Let all answers to a prompt change sides, with probability one half."""
    share, there = _sides(cells)
    stay = rng.integers(0, 2, size=(resamples, cells.shape[1])).astype(np.float64)

    def mixed(of: Floats, side: int) -> Floats:
        return np.asarray(stay @ of[side].T + (1 - stay) @ of[1 - side].T)

    yield np.stack([_known(mixed(share, side), mixed(there, side)) for side in (0, 1)])
