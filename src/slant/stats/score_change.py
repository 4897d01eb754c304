"""How a score of the sentences about each group changes from one text to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.article_pairs import PairComparison, Worse, summarise_pairs

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def compare_scores(
    reference: ArrayLike, other: ArrayLike, *, rng: np.random.Generator, worse: Worse = -1
) -> PairComparison:
    r"""Compare mean scores by group in texts with those in their references (Eq. 5 and 6).

    :math:`S(h, o) = \max_m |s_{h,m} - s_{o,m}|`. A group has a change only in pairs in which both
    texts have sentences about it; the maximum is over those groups, and pairs without any are
    dropped. The paper does not say what it does there.

    Parameters
    ----------
    reference, other
        Mean scores, shape (pairs, groups); NaN where a text has no sentence about a group.
    worse
        Which change counts as prejudice: a fall of sentiment (−1), a rise of toxicity (1).

    Raises
    ------
    ValueError
        Shapes differ, or a score is infinite.

    References
    ----------
    See `summarise_pairs`; equations 5 and 6.
    """
    first, second = (np.asarray(scores, dtype=np.float64) for scores in (reference, other))
    if first.ndim != 2 or first.shape != second.shape:
        raise ValueError("scores need the same shape, (pairs, groups)")
    if np.isinf(first).any() or np.isinf(second).any():
        raise ValueError("scores must be finite, or NaN where there are none")
    change = second - first
    kept = np.asarray(~np.isnan(change).all(axis=1))
    first, second, change = first[kept], second[kept], change[kept]
    largest = np.nanmax(np.abs(change), axis=1) if len(change) else np.empty(0)
    return summarise_pairs(largest, first, second, ~np.isnan(change), kept, rng, worse)
