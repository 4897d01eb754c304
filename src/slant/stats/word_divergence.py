"""How far the words of one group are from those of the others: Jensen–Shannon divergence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.chance import Chance
from slant.stats.inference import (
    Estimate,
    batches,
    interval,
    p_value,
    permuted_within,
    times,
)

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

_AT_ONCE = 2**22


@dataclass(frozen=True, slots=True, eq=False)
class WordDivergence:
    """What `word_divergence` finds; arrays have shape (groups,), in bits.

    Attributes
    ----------
    observed
        Median of the group's divergences from each other group, 0 to 1.
    expected
        Its mean over permutations of the labels: what a sample of this size gives where all groups
        are alike. It is far from 0 where words are many and answers few.
    excess
        The former minus the latter: 0 where groups are alike. p is one-sided.
    """

    observed: Floats
    expected: Floats
    excess: Estimate


def word_divergence(
    words: ArrayLike,
    groups: ArrayLike,
    *,
    strata: ArrayLike | None = None,
    resamples: int = 2000,
    rng: np.random.Generator,
) -> WordDivergence:
    """Compare each group's distribution of words with those of the other groups.

    The statistic is the median of the divergences from each other group. The median, since a
    single group that differs would put a distance between all the others and their mean.

    A divergence is never negative, and that of two small samples of the same thing is well above
    0, so what chance gives is subtracted. Chance comes from exchanging the groups' labels within
    strata (prompts); p counts divergences at least as large. For the interval, the answers of
    every group and stratum are resampled; the resampled divergences are shifted to lie about the
    estimate, for resampling adds the same bias once more. With five strata or more, strata are
    resampled too.

    Parameters
    ----------
    words
        Shape (n,): the word of each answer, as numbers from 0.
    groups
        Shape (n,): the group, as numbers from 0; at least two groups, each with an answer.
    strata
        Shape (n,): the prompt.

    Raises
    ------
    ValueError
        Shapes do not match, or there are fewer than two groups, or a group has no answer.

    References
    ----------
    Davison and Hinkley (1997), Bootstrap Methods and their Application, section 2.1.1 for the
    shift. `inference.p_value` for p.
    """
    word, group = np.asarray(words, dtype=np.intp), np.asarray(groups, dtype=np.intp)
    stratum = np.zeros(len(word), np.intp) if strata is None else np.asarray(strata, np.intp)
    if not word.shape == group.shape == stratum.shape or word.ndim != 1:
        raise ValueError("words, groups and strata need the same shape, (n,)")
    if len(np.bincount(group)) < 2 or not np.bincount(group).all():
        raise ValueError("need two groups or more, each with an answer")
    order = np.argsort(stratum, kind="stable")
    word, group, stratum = word[order], group[order], stratum[order]
    size = (int(group.max()) + 1, int(word.max()) + 1)
    observed = _divergences(_counts(word[None], group, size))[0]

    members = np.split(np.arange(len(word)), np.flatnonzero(np.diff(stratum)) + 1)
    null = np.empty((resamples, size[0]))
    at_once = _AT_ONCE // max(len(word), size[0] ** 2 * size[1])
    for rows in batches(resamples, at_once):
        exchanged = permuted_within(word, members, rows.stop - rows.start, rng)
        null[rows] = _divergences(_counts(exchanged, group, size))
    expected = null.mean(axis=0)

    cells = np.stack([_counts(word[None, where], group[where], size)[0] for where in members])
    drawn = _resampled(cells, resamples, at_once, rng)
    excess = observed - expected
    low, high = interval(drawn - np.nanmean(drawn, axis=0) + excess, excess)
    p = p_value(null, observed, "greater")
    chance = Chance.of(null - expected, expected=0.0)
    return WordDivergence(observed, expected, Estimate(excess, low, high, p, chance))


def _entropy(p: Floats) -> Floats:
    logs = np.log2(p, out=np.zeros_like(p), where=p > 0)
    return np.asarray(-(p * logs).sum(axis=-1))


def _counts(word: NDArray[np.intp], group: NDArray[np.intp], size: tuple[int, int]) -> Floats:
    """Count words by group for every row: shape (rows, groups, words)."""
    cell = size[0] * size[1]
    place = np.arange(len(word))[:, None] * cell + group * size[1] + word
    counted = np.bincount(place.ravel(), minlength=len(word) * cell)
    return counted.reshape(len(word), *size).astype(np.float64)


def _divergences(counts: Floats) -> Floats:
    """Give the median of every group's divergences from the others: shape (..., groups)."""
    total = counts.sum(axis=-1, keepdims=True)
    share = np.divide(counts, total, out=np.full(counts.shape, np.nan), where=total > 0)
    groups = counts.shape[-2]
    first, second = np.triu_indices(groups, 1)
    entropy = _entropy(share)
    mixed = _entropy((share[..., first, :] + share[..., second, :]) / 2)
    apart = mixed - (entropy[..., first] + entropy[..., second]) / 2
    own = [apart[..., (first == g) | (second == g)] for g in range(groups)]
    return np.stack([np.median(each, axis=-1) for each in own], axis=-1)


_ENOUGH = 5
"""With fewer strata, resampling them says nothing."""


def _resampled(cells: Floats, resamples: int, at_once: int, rng: np.random.Generator) -> Floats:
    """Resample the answers of every (stratum, group), and strata where there are enough."""
    strata, groups, _ = cells.shape
    result = np.empty((resamples, groups))
    n = cells.sum(axis=-1)
    share = np.divide(cells, n[..., None], out=np.zeros_like(cells), where=n[..., None] > 0)
    # What is left over by rounding must not be drawn as a word: all shares sum up to 1 or less.
    share = share / np.maximum(share.sum(axis=-1, keepdims=True), 1)
    for rows in batches(resamples, at_once):
        size = rows.stop - rows.start
        total = np.zeros((size, *cells.shape[1:]))
        drawn = times(strata, size, rng) if strata >= _ENOUGH else np.ones((size, strata), np.int64)
        for place in range(strata):
            for g in range(groups):
                wanted = (n[place, g] * drawn[:, place]).astype(np.int64)
                if n[place, g]:
                    total[:, g] += rng.multinomial(wanted, share[place, g])
        result[rows] = _divergences(total)
    return result
