r"""Holes in a table groups × kinds × prompts, filled with what the rest lets expect.

A model that refuses leaves holes. Where a cell is left out for all as soon as one of seven groups
lacks it, hardly any is left; where each group's mean is over cells of its own, an easy prompt that
one group lacks passes for a difference between groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats


def comparable_groups(values: ArrayLike) -> NDArray[np.bool_]:
    """Tell which groups have values in more than half of the cells that can be filled.

    Two such groups always have cells in common.

    Parameters
    ----------
    values
        Shape (groups, kinds, prompts). NaN where there is no value.
    """
    seen = np.isfinite(np.asarray(values, dtype=np.float64))
    kept = _can_be_filled(seen)
    return np.asarray(seen[:, kept].sum(axis=1) > kept.sum() / 2)


def filled_cells(values: ArrayLike) -> Floats:
    r"""Fill the holes of cells in which half of the groups have values, and at least two.

    With :math:`y_{gc} = G_g + C_c + e_{gc}` fitted by least squares to the :math:`n_g` values that
    group g has in the C cells, a hole gets :math:`G_g + C_c`: then the mean of a group over all
    cells is its estimate of the fit (Yates 1933). The residuals of its own values are multiplied by
    :math:`C/n_g`, so that filled cells, which have none, do not make the mean look surer than
    :math:`n_g` values do; and by :math:`\sqrt{(1 - 1/G)/(1 - 1/G_c)}`, for so much smaller are they
    where :math:`G_c` of G groups have a value in the cell. Where nothing is missing, nothing
    changes.

    Parameters
    ----------
    values
        Shape (groups, kinds, prompts). NaN where there is no value.

    Returns
    -------
    numpy.ndarray
        In the same shape; NaN in the other cells, for all groups. Where a group has values in no
        more than half of the cells, only those are left in which all groups have values.

    References
    ----------
    Yates (1933), "The analysis of replicated experiments when the field results are incomplete",
    Empire Journal of Experimental Agriculture 1. Searle, Speed and Milliken (1980), "Population
    marginal means in the linear model", The American Statistician 34.
    """
    data = np.asarray(values, dtype=np.float64)
    seen = np.isfinite(data)
    kept = _can_be_filled(seen) if comparable_groups(data).all() else seen.all(axis=0)
    filled = np.full(data.shape, np.nan)
    filled[:, kept] = _filled(data[:, kept])
    return filled


def _can_be_filled(seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.asarray(seen.sum(axis=0) >= max(2, len(seen) / 2))


def _filled(values: Floats) -> Floats:
    """Fill the holes of a table groups × cells."""
    seen = np.isfinite(values)
    if seen.all():
        return values
    own, common = seen.sum(axis=1), seen.sum(axis=0)
    known = np.where(seen, values, 0.0)
    # Least squares, with what cells have in common put in: of groups only differences are told.
    share = seen / common
    normal = np.diag(own) - share @ seen.T
    groups = np.linalg.pinv(normal, hermitian=True) @ (known - share * known.sum(axis=0)).sum(
        axis=1
    )
    cells = (known - seen * groups[:, None]).sum(axis=0) / common
    expected = groups[:, None] + cells
    rest = np.where(seen, values - expected, 0.0) * np.sqrt((1 - 1 / len(seen)) / (1 - 1 / common))
    rest -= seen * (rest.sum(axis=1) / own)[:, None]
    return np.asarray(expected + rest * (seen.shape[1] / own)[:, None])
