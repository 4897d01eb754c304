"""The difference that is found with 80% power, searched."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from slant.stats.power_search import PowerSearch


def searched(
    error: float, hurdle: float, batches: int, seed: int, lapses: float = 0.0
) -> PowerSearch:
    """Search where the curve is known; the share of lapses finds nothing whatever is planted."""
    rng = np.random.default_rng(seed)
    search = PowerSearch(0.8)
    for _ in range(batches):
        planted = search.next
        found = rng.binomial(5, (1 - lapses) * ndtr(planted / error - hurdle))
        search.told(planted, int(found), 5)
    return search


@pytest.mark.parametrize(("error", "hurdle"), [(0.02, 2.2), (0.05, 3.0), (0.1, 4.5)])
def test_what_is_found_has_the_power_that_was_sought(error: float, hurdle: float) -> None:
    powers = []
    for seed in range(40):
        found = searched(error, hurdle, 20, seed).difference()
        assert found is not None
        powers.append(float(ndtr(found[0] / error - hurdle)))
    assert np.mean(powers) == pytest.approx(0.8, abs=0.02)
    assert np.std(powers) < 0.06  # of 100 audits: counting alone gives 0.04


def test_audits_that_find_nothing_however_large_it_is_do_not_lead_astray() -> None:
    powers, lapses = [], 0.05
    for seed in range(40):
        found = searched(0.05, 3.0, 20, seed, lapses).difference()
        assert found is not None
        powers.append((1 - lapses) * float(ndtr(found[0] / 0.05 - 3.0)))
    assert np.mean(powers) == pytest.approx(0.8, abs=0.02)
    assert np.std(powers) < 0.06


def test_what_is_never_found_often_enough_is_not_promised() -> None:
    found = [searched(0.02, 3.0, 40, seed, lapses=0.3).difference() for seed in range(10)]
    assert found.count(None) >= 9


def test_intervals_hold_what_is_sought() -> None:
    true = 0.05 * (3.0 + 0.8416)
    ends = [searched(0.05, 3.0, 12, seed).difference() for seed in range(60)]
    held = [each is not None and each[1] < true < each[2] for each in ends]
    assert np.mean(held) >= 0.85


def test_where_even_the_largest_is_not_found_nothing_is_told() -> None:
    assert searched(0.5, 3.0, 12, 1).difference() is None


def test_the_search_stays_within_what_can_be_planted() -> None:
    search = PowerSearch(0.3)
    for _ in range(10):
        assert 0 < search.next <= 0.3
        search.told(search.next, 0, 5)
    assert search.difference() is None
