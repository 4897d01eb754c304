"""Means over groups of what names show, when names were predicted from each other."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from slant.stats.name_means import name_mean


def test_names_that_all_show_the_same_leave_room_for_one_that_does_not() -> None:
    # One condition tells every name's group, the other none: p was 0, the interval had no width.
    found = name_mean([np.full(2, -1.0), np.full(2, -1.0)], spread=0.0)
    assert found.value == -1
    assert found.low < -1 < found.high
    assert 0 < found.p < 0.05
    fewer = name_mean([np.full(8, -1.0), np.full(8, -1.0)], spread=0.0)
    assert 0 < fewer.p < found.p


def test_what_never_changes_anything_is_nothing_for_sure() -> None:
    found = name_mean([np.zeros(3), np.zeros(3)], spread=0.0)
    assert (found.value, found.low, found.high, found.p) == (0, 0, 0, 1)


def test_names_that_vary_more_than_permutations_are_students() -> None:
    rng = np.random.default_rng(0)
    names = rng.normal(0.3, 1, 12)
    found = name_mean([names], spread=0.01)
    theirs = stats.ttest_1samp(names, 0)
    interval = theirs.confidence_interval()
    assert found.p == pytest.approx(theirs.pvalue)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))


def test_names_that_vary_less_than_permutations_are_no_surer_than_these() -> None:
    names = np.random.default_rng(1).normal(0.3, 0.01, 12)
    found = name_mean([names], spread=0.2)
    assert found.p > 0.1
    assert found.low < 0 < found.high
