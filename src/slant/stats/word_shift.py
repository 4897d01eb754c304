"""Which words set a group's word frequencies apart from everybody else's, and which way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class WordShift:
    """Divergence of each group from the rest, and what every word adds to it.

    Attributes
    ----------
    divergence
        Jensen-Shannon divergence in bits, in [0, 1]; shape (groups,). NaN where the group or the
        rest has no words.
    contribution
        What each word adds to it, in bits, never negative; shape (groups, words).
    share
        The same as a share of the divergence; 0 where there is none.
    difference
        The word's frequency in the group minus that in the rest: its sign is the direction, which
        the contribution does not have.
    """

    divergence: Floats
    contribution: Floats
    share: Floats
    difference: Floats


def word_shift(counts: ArrayLike) -> WordShift:
    r"""Compare each group's words with those of all other groups together.

    With :math:`p` the frequencies of the group, :math:`q` those of the rest and
    :math:`m = (p + q)/2`, word :math:`w` adds
    :math:`\frac12 p_w \log_2\frac{p_w}{m_w} + \frac12 q_w \log_2\frac{q_w}{m_w}` to the
    Jensen-Shannon divergence. By convexity this is never negative, so a word that a group avoids
    adds to the divergence just as one that it favours: `difference` tells the two apart.

    Parameters
    ----------
    counts
        How often each group uses each word: shape (groups, words), at least two groups.

    Raises
    ------
    ValueError
        Fewer than two groups, or a count is negative or not finite.

    References
    ----------
    Lin (1991), "Divergence measures based on the Shannon entropy", IEEE Transactions on
    Information Theory 37. Gallagher et al. (2021), "Generalized word shift graphs", EPJ Data
    Science 10, whose Shifterator Siddique et al. (2024) used, with weights ½ and base 2.
    """
    own = np.asarray(counts, dtype=np.float64)
    if own.ndim != 2 or len(own) < 2:
        raise ValueError(f"need counts of at least two groups, not shape {own.shape}")
    if not (np.isfinite(own).all() and (own >= 0).all()):
        raise ValueError("counts must be finite and not negative")
    rest = own.sum(axis=0) - own
    p, q = _frequencies(own), _frequencies(rest)
    middle = (p + q) / 2
    contribution = (_term(p, middle) + _term(q, middle)) / 2
    divergence = contribution.sum(axis=1)
    total = divergence[:, None]
    share = np.divide(contribution, total, out=np.zeros_like(contribution), where=total > 0)
    return WordShift(divergence, contribution, share, p - q)


def _frequencies(counts: Floats) -> Floats:
    total = counts.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(counts, total, out=np.full_like(counts, np.nan), where=total > 0))


def _term(p: Floats, middle: Floats) -> Floats:
    ratio = np.divide(p, middle, out=np.ones_like(p), where=p > 0)
    return np.asarray(p * np.log2(ratio))


def published_words(
    shift: WordShift, *, per_group: int = 3, overall: int = 10
) -> list[tuple[int, int]]:
    """Pick words as Siddique et al. (2024) did for Tables 8, 12 and 13.

    Of each group the words with the largest share of its divergence, then the largest of those
    over all groups. Groups with less divergence have larger shares, so they are favoured.

    Parameters
    ----------
    shift
        What `word_shift` gives.
    per_group, overall
        How many words each group may put up, and how many are kept.

    Returns
    -------
    list of tuple of int
        Group and word as indices, largest share first; of equal ones, the earlier group and word.
    """
    candidates = [
        (group, int(word))
        for group, row in enumerate(shift.share)
        for word in np.argsort(-row, kind="stable")[:per_group]
        if row[word] > 0
    ]
    candidates.sort(key=lambda cell: -shift.share[cell])
    return candidates[:overall]
