r"""Where the values of a table groups × kinds × prompts come from.

With one value a cell, :math:`y_{gkp} = \mu + G_g + K_k + P_p + (GK)_{gk} + (GP)_{gp} + (KP)_{kp} +
e_{gkp}`, all random: a wording is a group in a kind, :math:`(GK)_{gk}`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.crossed_wordings import whole_cells

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

PARTS = {
    "group": (0,),
    "wording": (0, 1),
    "group in one prompt": (0, 2),
    "kind of wording": (1,),
    "prompt": (2,),
    "kind in one prompt": (1, 2),
    "rest": (0, 1, 2),
}
"""The parts of the variance, each with the factors that tell its values apart."""


def variance_shares(values: ArrayLike) -> dict[str, float]:
    r"""Estimate the variance components from sums of squares.

    What groups differ by in a cell kind × prompt, and what they have in common there, are taken
    apart; of both, the sums of squares of kinds, of prompts and of all cells are linear in the
    components (Henderson's first method), also where kinds are not asked with in all prompts. A
    component below 0 is 0. In full tables without negative components these are the estimates of
    restricted maximum likelihood.

    Parameters
    ----------
    values
        Shape (groups, kinds, prompts), at least two of each; NaN: see `filled_cells`.

    Returns
    -------
    dict
        The components by the names of `PARTS`, as variances; NaN where too few cells are left.

    References
    ----------
    Henderson (1953), "Estimation of variance and covariance components", Biometrics 9. Searle,
    Casella and McCulloch (1992), Variance Components, chapters 4 and 5.
    """
    try:
        data, known = whole_cells(values)
    except ValueError:
        return dict.fromkeys(PARTS, np.nan)
    if known.sum() <= sum(known.shape) - 1:
        return dict.fromkeys(PARTS, np.nan)
    groups, common = len(data), data.mean(axis=0)
    own = _components(data - common, known) / (groups - 1)
    shared = _components(common[np.newaxis], known) - own / groups
    found = dict(zip(("group", "wording", "group in one prompt", "rest"), own, strict=True))
    names = ("kind of wording", "prompt", "kind in one prompt")
    found |= dict(zip(names, shared[1:], strict=True))
    return {name: max(0.0, float(found[name])) for name in PARTS}


def _components(tables: Floats, known: NDArray[np.bool_]) -> Floats:
    """Solve for what the squares of the level, of kinds, of prompts and of the rest come to.

    Parameters
    ----------
    tables
        Shape (tables, kinds, prompts), 0 where not known; what is found is summed over them.
    known
        Shape (kinds, prompts).
    """
    kinds, prompts = known.shape
    count, in_kind, in_prompt = known.sum(), known.sum(axis=1), known.sum(axis=0)
    squares = [
        tables.sum(axis=(1, 2)) ** 2 / count,
        (tables.sum(axis=2) ** 2 / in_kind).sum(axis=1),
        (tables.sum(axis=1) ** 2 / in_prompt).sum(axis=1),
        (tables**2).sum(axis=(1, 2)),
    ]
    expected = [
        [count, (in_kind**2).sum() / count, (in_prompt**2).sum() / count, 1],
        [count, count, kinds, kinds],
        [count, prompts, count, prompts],
        [count, count, count, count],
    ]
    return np.linalg.solve(np.array(expected, float), np.array([each.sum() for each in squares]))
