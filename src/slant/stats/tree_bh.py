"""One error rate for a whole report: tests in families, families in studies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.multiple import benjamini_hochberg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats


def tree_q(q: ArrayLike, levels: Sequence[ArrayLike]) -> Floats:
    r"""Adjust q-values of families for all the families that stand in one report.

    A report that tests many families shows at least one difference far more often than one time
    in twenty if each is adjusted by itself. So families are tested first, by Simes' p-value, which
    is the least q in the family, and families of families likewise; only within those that are
    selected single tests are looked at, at a level that is lowered by the share selected
    (Benjamini and Bogomolov 2014 for one level of families, Bogomolov et al. 2021, TreeBH, for
    more). With the adjusted p-values :math:`Q_{(1)} \le \dots \le Q_{(m)}` of m families, a test
    with q in the family of rank r is rejected from the level

    .. math:: \min_{k \ge r} \max(Q_{(k)}, q\,m/k)

    on, which is what is given. If nothing differs anywhere, any value is below 0.05 in at most 5%
    of reports.

    Parameters
    ----------
    q
        Shape (tests,): what Benjamini and Hochberg give within each smallest family, of which not
        all tests need be here, but the smallest.
    levels
        From the smallest families to the largest, shape (tests,) each: codes from 0 of which one
        each test is in. Tests of one family are in the same larger family.

    Returns
    -------
    numpy.ndarray
        Shape (tests,), never below `q`.

    References
    ----------
    Benjamini and Bogomolov (2014), "Selective inference on multiple families of hypotheses",
    Journal of the Royal Statistical Society B 76. Bogomolov, Peterson, Benjamini and Sabatti
    (2021), "Hypotheses on a tree: new error rates and testing strategies", Biometrika 108. Simes
    (1986), "An improved Bonferroni procedure for multiple tests of significance", Biometrika 73.
    """
    own = np.asarray(q, dtype=np.float64)
    if not own.size:
        return own
    codes = [np.asarray(level, dtype=np.intp) for level in levels]
    simes = own
    for place, code in enumerate(codes):
        count = int(code.max()) + 1
        least = np.ones(count)
        np.minimum.at(least, code, simes)
        above = codes[place + 1] if place + 1 < len(codes) else np.zeros(len(code), dtype=np.intp)
        parent = np.zeros(count, dtype=np.intp)
        parent[code] = above
        adjusted = np.empty(count)
        result = np.empty(len(own))
        for group in np.unique(parent):
            siblings = np.flatnonzero(parent == group)
            adjusted[siblings] = benjamini_hochberg(least[siblings])
            mine = np.flatnonzero(above == group)
            result[mine] = _from_level(own[mine], adjusted[code[mine]], adjusted[siblings])
        own, simes = result, adjusted[code]
    return own


def _from_level(own: Floats, family: Floats, families: Floats) -> Floats:
    """Say from which level on tests are rejected, in families that are tested together."""
    ascending = np.sort(families)
    rank: NDArray[np.intp] = np.arange(1, len(families) + 1)
    needed = np.maximum(ascending, own[:, None] * len(families) / rank)
    return np.asarray(np.where(ascending >= family[:, None], needed, 1.0).min(axis=1))
