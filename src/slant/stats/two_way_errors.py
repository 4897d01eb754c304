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


_SPARE = 2
"""With fewer degrees of freedom for the rest, it is not told from rows and columns."""

_NOTHING = 1e-3
"""Of the rest: what rows or columns add below that counts as none for degrees of freedom. Where a
single cell differs from the others it is exactly none, and the last digit would decide."""

_SURE = 1e3
"""By how much a variance is raised to be as good as known."""


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """Variances of means, and their degrees of freedom; all of one shape.

    Attributes
    ----------
    variance
        Square of the standard error, for intervals.
    freedom
        Degrees of freedom of the variance, after Satterthwaite; at least 1.
    unbiased
        What the variance is estimated as if nothing kept it from falling below 0: right on
        average, for what is averaged.
    steady
        The same with every part of it kept from falling below 0: too large on average, and never
        small by luck, for what statistics are divided by.
    """

    variance: Floats
    freedom: Floats
    unbiased: Floats
    steady: Floats

    @classmethod
    def added(cls, one: Errors, two: Errors) -> Errors:
        """Give the errors of a difference of two independent means."""
        variance = one.variance + two.variance
        uncertainty = one.variance**2 / one.freedom + two.variance**2 / two.freedom
        freedom = _freedom(variance, uncertainty, one)
        return cls(variance, freedom, one.unbiased + two.unbiased, one.steady + two.steady)


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

    The sums of squares between rows, between columns and of all cells are set equal to what they
    are on average (Henderson's method 1), whichever cells are known: that gives the variance
    components without bias, and :math:`V_a`, :math:`V_b` and :math:`V_e`, what rows, columns and
    the rest add to the variance of the mean. The variance is their sum, and :math:`V_e/2` at
    least; the steady one counts none of them below 0. (With that, or with :math:`V_e` at least,
    intervals cover 98 to 99% where rows and columns do not differ of themselves.) Where so few
    cells are there that next to nothing is left for the rest, it is not told apart:
    the sum is that of Cameron, Gelbach and Miller, and :math:`V_e` that of cells as they are.

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
    Henderson (1953), "Estimation of variance and covariance components", Biometrics 9.
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
    between = np.stack([
        _squared(sums.rows - mean * known.sum(axis=1)),
        _squared(sums.columns - mean * known.sum(axis=0)),
        np.maximum(sums.squares - count * mean[..., 0] ** 2, 0.0),
    ], axis=-1)  # fmt: skip
    # Of each: what rows add to the variance of the mean, what columns do, and the rest.
    shares, spare = _shares(known)
    parts = between @ shares.T
    rest = np.maximum(parts[..., 2], 0.0)
    of_rows, of_columns = (np.maximum(parts[..., each], 0.0) for each in (0, 1))
    steady = of_rows + of_columns + rest
    by_rows, by_columns = (each > _NOTHING * rest for each in (of_rows, of_columns))
    uncertainty = (
        np.where(by_rows, of_rows + rest, 0.0) ** 2 / (rows - 1)
        + np.where(by_columns, of_columns + rest, 0.0) ** 2 / (columns - 1)
        + (rest * (1.0 - by_rows - by_columns)) ** 2 / spare
    )
    freedom = np.divide(
        steady**2, uncertainty, out=np.full(steady.shape, float(count - 1)),
        where=uncertainty > 0,
    )  # fmt: skip
    unbiased = parts.sum(axis=-1)
    variance = np.maximum(unbiased, rest / 2)
    # A floor above it is known, and makes it less uncertain.
    raised = np.maximum(variance, floor)
    surer = np.divide(raised, variance, out=np.full(raised.shape, _SURE), where=variance > 0)
    return Errors(
        raised,
        np.maximum(freedom, 1.0) * np.minimum(surer, _SURE) ** 2,
        unbiased,
        np.maximum(steady, floor),
    )


def _shares(known: NDArray[np.bool_]) -> tuple[Floats, int]:
    """Say how sums of squares make up what rows, columns and the rest add to a mean's variance.

    Returns
    -------
    shares : numpy.ndarray
        Shape (3, 3): by what to multiply the sums of squares between rows, between columns and of
        all cells.
    spare : int
        Degrees of freedom of the rest.
    """
    rows, columns = known.shape
    in_row, in_column, count = known.sum(axis=1), known.sum(axis=0), int(known.sum())
    spare = count - rows - columns + 1
    if count < rows * columns and spare < _SPARE:
        of_rows, of_columns = (each / (each - 1) / count**2 for each in (rows, columns))
        cells = 1 / (count - 1) / count
        return np.array([[of_rows, 0, -cells], [0, of_columns, -cells], [0, 0, cells]]), count - 1
    squares = [float((each**2).sum()) for each in (in_row, in_column)]
    own = [
        square - 2 * float((each**3).sum()) / count + square**2 / count**2
        for each, square in zip((in_row, in_column), squares, strict=True)
    ]
    # Columns make rows differ where these are not known in the same ones, and the other way round.
    other = float(((known - np.outer(in_row, in_column) / count) ** 2).sum())
    left = [count - square / count for square in squares]
    expected = np.array([
        [own[0], other, left[0]],
        [other, own[1], left[1]],
        [left[0], left[1], count - 1],
    ])  # fmt: skip
    to_mean = np.array([squares[0] / count**2, squares[1] / count**2, 1 / count])
    return np.asarray(to_mean[:, None] * np.linalg.inv(expected)), spare


def _squared(values: Floats) -> Floats:
    """Sum squares up along the last axis; faster than `sum` where that is short."""
    return np.asarray(np.einsum("...c,...c->...", values, values))


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
        np.asarray(errors.steady * factor @ weights.T),
    )


def _freedom(variance: Floats, uncertainty: Floats, unknown: Errors) -> Floats:
    """Satterthwaite's degrees of freedom; those of a part where nothing varies."""
    filled = np.broadcast_to(unknown.freedom.max(initial=1.0), variance.shape).copy()
    return np.asarray(np.divide(variance**2, uncertainty, out=filled, where=uncertainty > 0))
