"""Levels of the quantiles of few names: as wide as Student's t, not as a bootstrap."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from slant.stats.grid_bootstrap import quantile_levels
from slant.stats.grid_design import grid_design


@pytest.mark.parametrize("names", [2, 4, 30])
def test_levels_are_expanded_for_few_names(names: int) -> None:
    labels = np.repeat([0, 1], names)
    design = grid_design(np.random.default_rng(0).normal(size=(2 * names, 3)), labels, None)
    reach = stats.t.ppf(0.975, names - 1) * np.sqrt(names / (names - 1))
    expected = np.asarray(stats.norm.cdf([-reach, reach]), dtype=np.float64)
    np.testing.assert_allclose(quantile_levels(design), np.tile(expected, (2, 1)))


def test_labels_of_two_strata_have_the_freedom_of_both() -> None:
    labels = np.array([0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1])
    strata = np.array([0] * 6 + [1] * 6)
    design = grid_design(np.random.default_rng(1).normal(size=(12, 2)), labels, strata)
    variance, narrow = 1 / 3 + 1 / 4, 2 / 9 + 3 / 16
    reach = stats.t.ppf(0.975, 5) * np.sqrt(variance / narrow)
    expected = np.asarray(stats.norm.cdf([-reach, reach]), dtype=np.float64)
    np.testing.assert_allclose(quantile_levels(design)[0], expected)
