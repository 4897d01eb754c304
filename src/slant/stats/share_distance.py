"""How far the shares of groups in one text are from those in another: Fang et al. (2024)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.article_pairs import PairComparison, summarise_pairs

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats


def shares(counts: ArrayLike) -> Floats:
    r"""Give the distribution of words over groups, :math:`f(v_m) = n_m / n` (Eq. 1 and 2).

    Parameters
    ----------
    counts
        Shape (texts, groups); a text without any word of a group has no distribution: NaN.
    """
    n = np.asarray(counts, dtype=np.float64)
    total = n.sum(axis=1, keepdims=True)
    result: Floats = np.divide(n, total, out=np.full(n.shape, np.nan), where=total > 0)
    return result


def wasserstein(first: ArrayLike, second: ArrayLike) -> Floats:
    r"""Give the Wasserstein distance of distributions over groups under the 0/1 metric (Eq. 3).

    It is :math:`\frac12 \sum_m |f(v_m) - g(v_m)|`, the total variation, for any number of groups;
    the paper's :math:`\max_m |f(v_m) - g(v_m)|` equals it for two and three groups only.

    Parameters
    ----------
    first, second
        Shape (pairs, groups), each row summing to 1.

    References
    ----------
    Levin and Peres (2017), Markov Chains and Mixing Times, propositions 4.2 and 4.7.
    """
    apart = np.abs(np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64))
    half: Floats = apart.sum(axis=1) / 2
    return half


def compare_shares(
    reference: ArrayLike, other: ArrayLike, *, rng: np.random.Generator, all_show: bool = False
) -> PairComparison:
    """Compare the shares of groups in texts with those in their references (Eq. 4 and 9).

    Pairs in which either text has no word of any group are dropped, as in the paper. A pair can
    show prejudice against a group if the reference has words of it.

    Parameters
    ----------
    reference, other
        Counts of words, or masses of topics, shape (pairs, groups).
    all_show
        Every pair that is kept can show prejudice, as in the paper's document level.

    Raises
    ------
    ValueError
        Shapes differ, there are fewer than two groups, or a count is negative or not finite.

    References
    ----------
    See `summarise_pairs`; equations 1 to 4, 8 and 9.
    """
    first, second = (np.asarray(counts, dtype=np.float64) for counts in (reference, other))
    if first.ndim != 2 or first.shape != second.shape or first.shape[1] < 2:
        raise ValueError("counts need the same shape, (pairs, groups), with two groups or more")
    finite = np.isfinite(first).all() and np.isfinite(second).all()
    if not finite or min(first.min(initial=0), second.min(initial=0)) < 0:
        raise ValueError("counts must be finite and not negative")
    kept = (first.sum(axis=1) > 0) & (second.sum(axis=1) > 0)
    before, after = shares(first[kept]), shares(second[kept])
    shows = (before > 0) | all_show
    return summarise_pairs(wasserstein(before, after), before, after, shows, kept, rng)
