"""Holes are filled as least squares says, and whoever answered too little is told apart."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given
from hypothesis import strategies as st

from slant.stats.filled_cells import comparable_groups, filled_cells


def holed(seed: int, missing: float, shape: tuple[int, ...] = (5, 4, 6)) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.normal(size=shape) + rng.normal(size=shape[1:])
    return np.where(rng.random(shape) < missing, np.nan, values)


def test_means_are_those_of_least_squares() -> None:
    values = holed(1, 0.25)
    filled = filled_cells(values)
    kept = np.isfinite(values).sum(axis=0) >= 3
    assert (np.isfinite(filled).all(axis=0) == kept).all()
    group, cell = np.nonzero(np.isfinite(values[:, kept]))
    rows = pd.DataFrame({
        "group": group.astype(str), "cell": cell.astype(str), "value": values[:, kept][group, cell],
    })  # fmt: skip
    fit = smf.ols("value ~ group + cell", rows).fit()
    means = filled[:, kept].mean(axis=1)
    expected = [0.0, *(fit.params[f"group[T.{row}]"] for row in range(1, 5))]
    assert means - means[0] == pytest.approx(expected)


@given(st.integers(0, 1000), st.floats(0, 0.3))
def test_what_groups_and_cells_add_up_to_is_found_exactly(seed: int, missing: float) -> None:
    rng = np.random.default_rng(seed)
    whole = rng.normal(size=(5, 1, 1)) + rng.normal(size=(4, 6))
    filled = filled_cells(np.where(rng.random(whole.shape) < missing, np.nan, whole))
    kept = np.isfinite(filled).all(axis=0)
    assert filled[:, kept] == pytest.approx(whole[:, kept])


def test_nothing_changes_where_nothing_is_missing() -> None:
    values = holed(2, 0.0)
    assert (filled_cells(values) == values).all()


def test_cells_that_nobody_was_asked_with_stay_empty() -> None:
    values = holed(3, 0.0)
    values[:, 1, 2:] = np.nan
    assert np.array_equal(filled_cells(values), values, equal_nan=True)


def test_of_two_groups_both_must_have_a_value() -> None:
    values = holed(4, 0.2, (2, 5, 5))
    filled = filled_cells(values)
    kept = np.isfinite(values).all(axis=0)
    assert (np.isfinite(filled) == kept).all()
    assert filled[:, kept].tolist() == values[:, kept].tolist()


def test_a_group_that_hardly_answered_is_told() -> None:
    values = holed(5, 0.1)
    values[3, :, 1:] = np.nan
    assert comparable_groups(values).tolist() == [True, True, True, False, True]
    # If it is compared all the same, it is where all have answers.
    assert (np.isfinite(filled_cells(values)) == np.isfinite(values).all(axis=0)).all()


def test_arms_that_were_asked_less_than_one_of_them_keep_their_cells() -> None:
    values = np.random.default_rng(6).normal(size=(4, 6, 6))
    values[1:, 2:] = np.nan
    assert comparable_groups(values).all()
    assert np.isfinite(filled_cells(values)).sum() == 4 * 12


def test_residuals_are_as_large_as_those_of_a_whole_table() -> None:
    """The variance of a mean over holes is told by the table that is filled."""
    rng = np.random.default_rng(7)
    means, told = [], []
    for _ in range(400):
        values = rng.normal(size=(6, 5, 6))
        values[:2][rng.random((2, 5, 6)) < 0.4] = np.nan
        filled = filled_cells(values)
        apart = filled - filled.mean(axis=0)
        apart = apart[:, np.isfinite(apart).all(axis=0)]
        means.append(apart.mean(axis=1))
        told.append(apart.var(axis=1, ddof=1) / apart.shape[1])
    ratio = np.mean(told, axis=0) / np.var(means, axis=0)
    assert ratio == pytest.approx(np.ones(6), abs=0.15)


def test_half_of_the_groups_are_enough_for_a_cell_and_fewer_are_not() -> None:
    values = holed(8, 0.0, (4, 5, 6))
    values[:2, 0, 0], values[1:, 0, 1] = np.nan, np.nan
    filled = np.isfinite(filled_cells(values).mean(axis=0))
    assert filled[0, 0]
    assert not filled[0, 1]
    assert filled.sum() == 29
