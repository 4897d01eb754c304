"""Cells of a table that stand out from their row and column, when nothing was measured twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtr

from slant.stats.moderation import prior_variance

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats

_NORMAL = 1.4826
"""What a median absolute deviation is multiplied by to estimate a normal's standard deviation."""

_EFFICIENCY = 0.3675
"""How much of a sample's information on a normal's variance the median absolute deviation uses."""


@dataclass(frozen=True, slots=True, eq=False)
class OutlyingCells:
    """How far each cell stands out; arrays of shape (rows, columns).

    Attributes
    ----------
    residual
        What is left of the value without what is typical of its row and of its column.
    t
        The residual in standard deviations of its column.
    p
        Two-sided p-value of that.
    """

    residual: Floats
    t: Floats
    p: Floats


def outlying_cells(values: ArrayLike) -> OutlyingCells:
    r"""Compare every cell with the other cells of its column, after centring rows and columns.

    Rows and columns are centred at medians. A column's variance is that of its median absolute
    deviation, moderated over the columns (`prior_variance`):

    .. math:: t = \frac{r}{\tilde s\sqrt{1 + \pi/2n}}, \qquad
              \tilde s^2 = \frac{d_0 s_0^2 + d\,(1.4826\,\mathrm{MAD})^2}{d_0 + d}, \quad
              d = 0.3675\,(n - 1),

    read as a t with :math:`d_0 + d` degrees of freedom. :math:`d_0` counts for no more than the
    number of rows: few rows do not tell it well. Medians, because the cells that stand out come
    in pairs (the men and the women of one origin): with means and standard deviations each of
    the two hides the other, and two cells six deviations out of forty pass unseen.

    With a single figure a cell, normal noise of one size within a column must be assumed; where
    there are names to permute, `grid_contrasts` assumes nothing of the kind. For normal noise
    p-values are somewhat too large: with 20 to 40 rows p < 0.001 in 0.02 to 0.08% of cells, with
    fewer rows more rarely still.

    Parameters
    ----------
    values
        Shape (rows, columns), finite, at least three rows.

    Raises
    ------
    ValueError
        The table is too small or not finite.

    References
    ----------
    Rousseeuw and Croux (1993), "Alternatives to the median absolute deviation", Journal of the
    American Statistical Association 88, for its efficiency. Smyth (2004), see `prior_variance`.
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or len(table) < 3 or not np.isfinite(table).all():
        raise ValueError("expected a finite table of at least three rows")
    residual = table - np.median(table, axis=0)
    residual -= np.median(residual, axis=1, keepdims=True)
    residual -= np.median(residual, axis=0)

    rows = len(table)
    variance = (_NORMAL * np.median(np.abs(residual), axis=0)) ** 2
    freedom = _EFFICIENCY * (rows - 1)
    prior, worth = prior_variance(variance, freedom)
    worth = min(worth, rows)
    variance = (worth * prior + freedom * variance) / (worth + freedom)
    error = np.sqrt(variance * (1 + np.pi / 2 / rows))
    t = np.divide(residual, error, out=np.zeros_like(residual), where=error > 0)
    p = np.asarray(2 * stdtr(worth + freedom, -np.abs(t)), dtype=np.float64)
    return OutlyingCells(residual, t, p)
