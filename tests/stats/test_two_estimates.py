"""The difference of two estimates that come with intervals only."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from slant.stats.proportions import newcombe, wilson
from slant.stats.two_estimates import difference_of_estimates


def test_symmetric_intervals_give_the_textbook_difference() -> None:
    # Altman and Bland (2003): log relative risks −0.65 (−1.11 to −0.19), −0.10 (−0.38 to 0.17).
    found = difference_of_estimates((-0.65, -1.11, -0.19), (-0.10, -0.375, 0.175))
    assert found.value == pytest.approx(0.55)
    error = np.hypot(0.46, 0.275) / 1.96
    assert found.low == pytest.approx(0.55 - 1.96 * error)
    assert found.p == pytest.approx(2 * scipy_stats.norm.sf(0.55 / error), rel=1e-3)


def test_intervals_of_shares_give_newcombes() -> None:
    a, b = np.array([12]), np.array([30])
    n = np.array([100])
    low, high = newcombe(b, n, a, n, 0.95)
    one, two = ((k / n, *wilson(k, n, 0.95)) for k in (a, b))
    found = difference_of_estimates(one, two)
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)
    assert found.p < 0.05


def test_equal_estimates_do_not_differ() -> None:
    found = difference_of_estimates((1.0, 1.0, 1.0), (1.0, 1.0, 1.0))
    assert found.p == 1


def test_without_intervals_nothing_is_tested() -> None:
    found = difference_of_estimates((1.0, np.nan, np.nan), (3.0, 2.0, 4.0))
    assert found.value == 2
    assert np.isnan(found.p)
    exact = difference_of_estimates((1.0, 1.0, 1.0), (3.0, 3.0, 3.0))
    assert np.isnan(exact.p)


def test_discoveries_by_chance_are_as_rare_as_said() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(0, 1, 4000), rng.normal(0, 2, 4000)
    found = difference_of_estimates((a, a - 1.96, a + 1.96), (b, b - 3.92, b + 3.92))
    assert (found.p < 0.05).mean() == pytest.approx(0.05, abs=0.012)
