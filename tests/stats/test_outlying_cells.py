from __future__ import annotations

import numpy as np
import pytest

from slant.stats import benjamini_hochberg
from slant.stats.outlying_cells import outlying_cells


def noise(rows: int = 40, columns: int = 300, seed: int = 0) -> np.ndarray:
    """Draw a table whose rows and columns have levels, and whose columns differ in spread."""
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(rows, columns)) * np.exp(rng.normal(0, 0.3, columns))
    return table + 10 * rng.normal(size=(rows, 1)) + 10 * rng.normal(size=columns)


def test_levels_of_columns_do_not_matter() -> None:
    table = noise(20, 9)
    found, moved = outlying_cells(table), outlying_cells(table + np.arange(9) * 8)
    np.testing.assert_allclose(found.t, moved.t)
    np.testing.assert_allclose(np.median(moved.residual, axis=0), 0, atol=1e-9)


def test_a_row_that_is_high_throughout_does_not_stand_out() -> None:
    table = noise()
    table[5] += 50
    q = benjamini_hochberg(outlying_cells(table).p)
    assert (q[5] > 0.05).mean() > 0.99


@pytest.mark.parametrize("rows", [5, 20, 40])
def test_noise_stands_out_no_more_often_than_p_says(rows: int) -> None:
    tables = [outlying_cells(noise(rows, 200, seed)).p for seed in range(40)]
    for level in (0.05, 0.01, 0.001):
        assert np.mean([(p < level).mean() for p in tables]) <= 1.1 * level
    assert np.mean([(benjamini_hochberg(p) < 0.05).any() for p in tables]) <= 0.1


def test_two_that_stand_out_together_do_not_hide_each_other() -> None:
    table = noise()
    table[3:5, 7] -= 10 * np.abs(outlying_cells(table).residual).mean()
    found = outlying_cells(table)
    q = benjamini_hochberg(found.p)
    assert (q[3:5, 7] < 0.001).all()
    assert (found.residual[3:5, 7] < 0).all()
    assert (q < 0.05).sum() <= 3


def test_equal_values_stand_out_from_nothing() -> None:
    found = outlying_cells(np.ones((5, 3)))
    assert (found.p == 1).all()
    assert (found.t == 0).all()


@pytest.mark.parametrize("table", [np.ones((2, 4)), np.ones(4), np.full((4, 4), np.nan)])
def test_too_little_is_refused(table: np.ndarray) -> None:
    with pytest.raises(ValueError, match="at least three rows"):
        outlying_cells(table)
