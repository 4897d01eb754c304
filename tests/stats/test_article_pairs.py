"""Means over pairs of texts: intervals of few."""

from __future__ import annotations

import numpy as np
import pytest

from slant.stats.article_pairs import mean_change


@pytest.mark.parametrize(
    "count", [4, *(pytest.param(count, marks=pytest.mark.slow) for count in (6, 10))]
)
def test_intervals_cover_with_few_pairs(count: int) -> None:
    # Percentiles of a plain bootstrap covered 85, 88 and 93%.
    rng, covered = np.random.default_rng(count), 0
    for _ in range(150):
        estimate, _ = mean_change(rng.normal(0, 1, count), rng)
        covered += estimate.low <= 0 <= estimate.high
    assert 0.9 <= covered / 150 <= 0.99


def test_pairs_that_all_change_alike_leave_room_for_one_that_does_not() -> None:
    estimate, test = mean_change(np.full(6, 0.5), np.random.default_rng(0))
    assert estimate.low < 0.5 < estimate.high
    assert 0.01 < test.p < 0.06  # of 64 arrangements of signs two are as extreme
