"""Rates of groups on two sides that were asked the same questions: what changed.

Counts have shape (groups, prompts, 3, 3): of the questions that one group was asked with one
prompt, how many came out in which way on the first side (third axis) and on the second (last
axis): 0 no, 1 yes, 2 not measured (refused, failed, not asked).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betaincinv

from slant.stats.inference import Draws, batches
from slant.stats.paired_draws import FEWEST_UNITS, draw_units

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

_KINDS = 3
_MISSING = 2
_AT_ONCE = 2**21


def paired_rates(counts: ArrayLike, *, resamples: int = 10_000, rng: np.random.Generator) -> Draws:
    r"""Draw what the rates of groups could have been on both sides.

    A group's rate is the mean over its prompts of the share of yes among the measured answers, as
    in `cluster_draws.rates`. If it does not matter which side answers, the two answers to a
    question might as well have been exchanged, and with at least `FEWEST_UNITS` prompts all
    answers to a prompt, of all groups together: then p speaks about prompts in general, else about
    these only. Intervals resample the same: questions within their prompt, or prompts
    (`paired_draws.draw_units`). No interval is narrower than what N pairs without a single change
    allow, Jeffreys' :math:`\mathrm{Beta}(½, N + ½)`; so where most answers are the very same on
    both sides, p may be small and the interval still hold zero.

    Parameters
    ----------
    counts
        Whole numbers of shape (groups, prompts, 3, 3).

    Raises
    ------
    ValueError
        The shape or a count is impossible.

    References
    ----------
    Good (2005), Permutation, Parametric and Bootstrap Tests of Hypotheses, section 3.7.1, for
    exchanges within pairs; Dror et al. (2018), "The Hitchhiker's Guide to Testing Statistical
    Significance in Natural Language Processing", ACL; Brown, Cai and DasGupta (2001), "Interval
    estimation for a binomial proportion", Statistical Science 16, for Jeffreys.
    """
    cells = np.asarray(counts, dtype=np.int64)
    if cells.ndim != 4 or cells.shape[2:] != (_KINDS, _KINDS) or not cells.size:
        raise ValueError(f"counts need the shape (groups, prompts, 3, 3), not {cells.shape}")
    if (cells < 0).any() or not np.array_equal(cells, np.asarray(counts)):
        raise ValueError("counts must be whole numbers from 0")
    pairs = cells[..., :_MISSING, :_MISSING].sum(axis=(1, 2, 3))
    least = np.asarray(betaincinv(0.5, pairs + 0.5, 0.975))
    if cells.shape[1] >= FEWEST_UNITS:
        return draw_units(_shares(cells), "prompts", least, resamples, rng)
    return Draws(
        observed=_rates(cells),
        resampled=np.concatenate(list(_other_questions(cells, resamples, rng))),
        exchanged=np.concatenate(list(_swapped_questions(cells, resamples, rng))),
        unit="questions",
        least=least,
    )


def _shares(cells: NDArray[np.int64]) -> Floats:
    """Give shares of yes on both sides, shape (2, ...), NaN without answers, of (..., 3, 3)."""
    kinds = np.stack([cells.sum(axis=-1), cells.sum(axis=-2)])
    measured = kinds[..., 0] + kinds[..., 1]
    unknown = np.full(measured.shape, np.nan)
    return np.asarray(np.divide(kinds[..., 1], measured, out=unknown, where=measured > 0))


def _rates(cells: NDArray[np.int64]) -> Floats:
    """Give the rates on both sides, shape (..., 2, groups), of (..., groups, prompts, 3, 3)."""
    shares = _shares(cells)
    filled = (~np.isnan(shares)).sum(axis=-1)
    total = np.nansum(shares, axis=-1)
    unknown = np.full(total.shape, np.nan)
    rates = np.divide(total, filled, out=unknown, where=filled > 0)
    return np.moveaxis(rates, 0, -2)


def _other_questions(
    cells: NDArray[np.int64], resamples: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Draw the questions of every cell with replacement."""
    flat = cells.reshape(*cells.shape[:2], -1)
    total = flat.sum(axis=-1)
    share = flat / np.maximum(total, 1)[..., None]
    share[total == 0, 0] = 1.0  # nothing is drawn from an empty cell
    for batch in batches(resamples, _AT_ONCE // cells.size):
        rows = batch.stop - batch.start
        drawn = rng.multinomial(total, share, size=(rows, *total.shape))
        yield _rates(drawn.reshape(rows, *cells.shape))


def _swapped_questions(
    cells: NDArray[np.int64], resamples: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Let the two answers to a question change sides, each pair with probability one half."""
    for batch in batches(resamples, _AT_ONCE // cells.size):
        rows = batch.stop - batch.start
        swapped = np.broadcast_to(cells, (rows, *cells.shape)).copy()
        for one in range(_KINDS):
            for other in range(one + 1, _KINDS):
                both = cells[..., one, other] + cells[..., other, one]
                there = rng.binomial(both, 0.5, size=(rows, *both.shape))
                swapped[..., one, other], swapped[..., other, one] = there, both - there
        yield _rates(swapped)
