r"""How sure the mean of a table is whose rows and columns are both samples.

With :math:`x_{kp} = \mu + a_k + b_p + e_{kp}` over :math:`K` rows and :math:`P` columns, the
variance of the mean is :math:`\sigma_a^2/K + \sigma_b^2/P + \sigma_e^2/(KP)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slant.stats.arrays import Floats


_SPARE = 5
"""With fewer degrees of freedom for the rest, it is not told from rows and columns."""


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """Variances of means, and their degrees of freedom; all of one shape.

    Attributes
    ----------
    variance
        Square of the standard error.
    freedom
        Degrees of freedom of the variance, after Satterthwaite; at least 1.
    unbiased
        What the variance is estimated as if no part of it is kept from falling below 0: too small
        as often as too large, and right on average.
    """

    variance: Floats
    freedom: Floats
    unbiased: Floats

    @classmethod
    def added(cls, one: Errors, two: Errors) -> Errors:
        """Give the errors of a difference of two independent means."""
        variance = one.variance + two.variance
        uncertainty = one.variance**2 / one.freedom + two.variance**2 / two.freedom
        return cls(variance, _freedom(variance, uncertainty, one), one.unbiased + two.unbiased)


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """What of tables their errors hang on.

    Attributes
    ----------
    rows, columns
        Sums of rows and of columns, shapes (..., rows) and (..., columns).
    squares
        Sums of all squares, shape (...).
    """

    rows: Floats
    columns: Floats
    squares: Floats

    @classmethod
    def of(cls, values: Floats) -> Sums:
        """Sum tables up, of shape (..., rows, columns)."""
        rows, columns = values.shape[-2:]
        # As products: nothing of the size of the tables is made.
        flat = values.reshape(*values.shape[:-2], rows * columns)
        sums = flat @ _margins(rows, columns)
        return cls(sums[..., :rows], sums[..., rows:], np.einsum("...c,...c->...", flat, flat))

    def times(self, factor: float) -> Sums:
        """Sum up tables that are so many times as large."""
        return Sums(self.rows * factor, self.columns * factor, self.squares * factor**2)


def two_way_errors(values: Floats, known: NDArray[np.bool_], floor: Floats | float = 0.0) -> Errors:
    r"""Estimate the variance of the mean over the known cells.

    :math:`V_K` from the rows' sums, :math:`V_P` from the columns' and :math:`V_e` from what is
    left of cells without their row's and column's mean; the estimate is
    :math:`V_e + (V_K - V_e)_+ + (V_P - V_e)_+`, of which in a full table
    :math:`V_K + V_P - V_e` is unbiased. Rows and columns may lack cells. Where so few cells are
    there that next to nothing is left, :math:`V_e` is that of the cells as they are, with which
    :math:`V_K + V_P - V_e` is unbiased, too.

    Parameters
    ----------
    values
        Shape (..., rows, columns), 0 where not known.
    known
        Shape (rows, columns): no row or column wholly unknown.
    floor
        The least variance, of a shape that broadcasts to (...).

    References
    ----------
    Satterthwaite (1946), "An approximate distribution of estimates of variance components",
    Biometrics Bulletin 2. Cameron, Gelbach and Miller (2011), "Robust inference with multiway
    clustering", Journal of Business and Economic Statistics 29.
    """
    return errors_of(Sums.of(values), known, floor)


def errors_of(sums: Sums, known: NDArray[np.bool_], floor: Floats | float = 0.0) -> Errors:
    """Estimate as `two_way_errors` does, from what tables sum up to."""
    rows, columns = known.shape
    count = int(known.sum())
    mean = sums.rows @ np.full((rows, 1), 1 / count)
    in_row, in_column = known.sum(axis=1), known.sum(axis=0)
    by_row, by_column = sums.rows - mean * in_row, sums.columns - mean * in_column
    spare = count - rows - columns + 1
    between_rows = _squared(by_row) * rows / (rows - 1) / count**2
    between_columns = _squared(by_column) * columns / (columns - 1) / count**2
    rest = 0.0 * between_rows
    squares = sums.squares - count * mean[..., 0] ** 2
    if count < rows * columns and spare < _SPARE:
        spare = count - 1
        rest = np.maximum(squares, 0.0) / (spare * count)
    elif spare > 0:
        left = squares - _squared(by_row, 1 / in_row) - _squared(by_column, 1 / in_column)
        shared = known / np.outer(in_row, in_column)
        left += 2 * np.einsum("...c,...c->...", by_column, by_row @ shared)
        rest = np.maximum(left, 0.0) / (spare * count)
    of_rows, of_columns = between_rows > rest, between_columns > rest
    variance = np.where(of_rows, between_rows, 0.0) + np.where(of_columns, between_columns, 0.0)
    variance += rest * (1.0 - of_rows - of_columns)
    uncertainty = (
        np.where(of_rows, between_rows, 0.0) ** 2 / (rows - 1)
        + np.where(of_columns, between_columns, 0.0) ** 2 / (columns - 1)
        + (rest * (1.0 - of_rows - of_columns)) ** 2 / max(spare, 1)
    )
    freedom = np.divide(
        variance**2, uncertainty, out=np.full(variance.shape, float(count - 1)),
        where=uncertainty > 0,
    )  # fmt: skip
    unbiased = between_rows + between_columns - rest
    return Errors(np.maximum(variance, floor), np.maximum(freedom, 1.0), unbiased)


def _squared(values: Floats, weights: Floats | float = 1.0) -> Floats:
    """Sum squares up along the last axis; faster than `sum` where that is short."""
    return np.asarray(np.einsum("...c,...c->...", values * weights, values))


def _margins(rows: int, columns: int) -> Floats:
    """Give the matrix by which a flattened table is multiplied for its rows' and columns' sums."""
    cells = np.arange(rows * columns)
    return np.hstack([np.eye(rows)[cells // columns], np.eye(columns)[cells % columns]])


def summed(errors: Errors, weights: Floats, factor: float) -> Errors:
    """Add variances up, each multiplied by a factor and by a weight of shape (sums, variances)."""
    parts = errors.variance * factor
    total = np.asarray(parts @ weights.T)
    return Errors(
        total,
        _freedom(total, (parts**2 / errors.freedom) @ weights.T, errors),
        np.asarray(errors.unbiased * factor @ weights.T),
    )


def _freedom(variance: Floats, uncertainty: Floats, unknown: Errors) -> Floats:
    """Satterthwaite's degrees of freedom; those of a part where nothing varies."""
    filled = np.broadcast_to(unknown.freedom.max(initial=1.0), variance.shape).copy()
    return np.asarray(np.divide(variance**2, uncertainty, out=filled, where=uncertainty > 0))
