"""What a simulated null comes down to."""

from __future__ import annotations

import numpy as np
import pytest

from slant.by_chance import Histogram, Interval
from slant.stats.chance import Chance, chance_of, moved_chance

DRAWS = np.random.default_rng(0).normal([0, 5], [1, 0.1], (2000, 2))


def test_a_row_is_mean_quantiles_and_histogram_of_its_draws() -> None:
    row = Chance.of(DRAWS)[1]
    assert row is not None
    assert row.expected == pytest.approx(DRAWS[:, 1].mean())
    assert [row.low, row.high] == pytest.approx(np.quantile(DRAWS[:, 1], [0.025, 0.975]))
    assert row.histogram is not None
    assert sum(row.histogram.counts) == 2000
    alone = chance_of(DRAWS[:, 1])
    assert (alone.low, alone.high, alone.histogram) == (row.low, row.high, row.histogram)
    known = Chance.of(DRAWS, expected=0.25)
    assert known.expected.tolist() == [0.25, 0.25]


def test_what_is_not_known_is_none() -> None:
    chance = Chance.of(np.column_stack([DRAWS, np.full(2000, np.nan)]))
    assert chance[2] is None
    other = chance.at(np.array([1, -1, 0]))
    assert other[0] == chance[1]
    assert other[1] is None
    assert other[2] == chance[0]
    assert np.isnan(Chance.of(DRAWS[:, :0]).at(np.array([-1])).low).all()


def test_a_difference_becomes_a_rate_that_stays_between_0_and_1() -> None:
    histogram = Histogram(-0.25, 0.1, (1, 2, 4, 2, 1))
    moved = moved_chance(Interval(0.0, -0.2, 0.2, histogram), 0.1, 0.0, 1.0)
    assert (moved.expected, moved.low, moved.high) == pytest.approx((0.1, 0.0, 0.3))
    assert moved.histogram is not None
    assert moved.histogram.start == pytest.approx(-0.05)  # the bin around 0
    assert moved.histogram.counts == (3, 4, 2, 1)
    plain = moved_chance(Interval(0.0, -0.2, 0.2), 0.1, 0.0, 1.0)
    assert plain.histogram is None
