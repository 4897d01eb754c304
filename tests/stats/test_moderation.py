from __future__ import annotations

import numpy as np
import pytest

from slant.stats.moderation import prior_variance


def test_the_distribution_of_the_variances_is_found_again() -> None:
    rng = np.random.default_rng(0)
    true = 8 * 3.0 / rng.chisquare(8, 20_000)
    sample = true * rng.chisquare(5, 20_000) / 5
    variance, freedom = prior_variance(sample, 5)
    assert variance == pytest.approx(3.0, rel=0.05)
    assert freedom == pytest.approx(8, rel=0.1)


def test_columns_that_differ_by_chance_only_share_one_variance() -> None:
    sample = np.full(50, 2.0)
    variance, freedom = prior_variance(sample, 4)
    assert freedom == np.inf
    assert variance > 0


def test_columns_without_variance_say_nothing() -> None:
    assert prior_variance(np.zeros(3), 4) == (0.0, np.inf)
    assert prior_variance(np.array([0.0, 2, 4]), 4) == prior_variance(np.array([2.0, 4]), 4)
