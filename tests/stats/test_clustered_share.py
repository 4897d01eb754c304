"""Shares of texts that come in units, with intervals for units drawn anew."""

from __future__ import annotations

import numpy as np
import pytest

from slant.stats.clustered_share import clustered_share
from slant.stats.proportions import wilson


def test_single_texts_have_about_a_score_interval() -> None:
    values = np.repeat([1, 0], [60, 140])
    share, low, high = clustered_share(values, np.arange(200))
    assert share == 0.3
    assert (low, high) == pytest.approx(tuple(map(float, wilson(60, 200))), abs=0.005)


def test_texts_that_are_all_alike_within_a_unit_count_once() -> None:
    values = np.repeat([1, 0], [6, 14])
    _, low, high = clustered_share(np.repeat(values, 10), np.repeat(np.arange(20), 10))
    _, once, twice = clustered_share(values, np.arange(20))
    assert (low, high) == pytest.approx((once, twice), abs=0.02)


def test_what_never_occurs_has_a_width_and_one_unit_tells_nothing() -> None:
    none, low, high = clustered_share(np.zeros(40), np.repeat(np.arange(8), 5))
    assert (none, low) == (0.0, 0.0)
    assert 0.2 < high < 0.6
    assert clustered_share([1, 0, 0], ["a", "a", "a"]) == (1 / 3, 0.0, 1.0)
    assert np.isnan(clustered_share([], [])).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("units", "rate", "least"), [(12, 0.3, 0.93), (40, 0.15, 0.93), (40, 0.05, 0.9)]
)
def test_intervals_hold_the_rate_that_units_vary_about(
    units: int, rate: float, least: float
) -> None:
    """Where few units of 40 have any of what is rare, they hold it a little too seldom."""
    rng = np.random.default_rng(units)
    own = rng.beta(8 * rate, 8 * (1 - rate), size=(2000, units))
    held = 0
    for rates in own:
        sizes = rng.integers(2, 9, size=units)
        which = np.repeat(np.arange(units), sizes)
        _, low, high = clustered_share(rng.random(len(which)) < rates[which], which)
        held += low <= rate <= high
    assert least <= held / 2000 <= 0.98
