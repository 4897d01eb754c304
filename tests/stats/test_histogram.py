"""Histograms of draws: numpy's counts, bins that respect a lattice, and what is done with them."""

from __future__ import annotations

import numpy as np
import pytest

from slant.by_chance import Histogram
from slant.stats.histogram import histograms, moved, scaled
from slant.stats.tail_counts import TailCounts


def one(draws: np.ndarray) -> Histogram:
    (found,) = histograms(draws[:, None])
    assert found is not None
    return found


def edges(of: Histogram) -> np.ndarray:
    return of.start + of.width * np.arange(len(of.counts) + 1)


@pytest.mark.parametrize(("n", "bins"), [(10_000, 40), (1000, 20), (30, 7)])
@pytest.mark.parametrize("unit", [1e-7, 1.0, 1e5])
def test_counts_are_numpys(n: int, bins: int, unit: float) -> None:
    draws = unit * (3 + np.random.default_rng(n).normal(size=(n, 4)) * [1, 0.1, 2, 0.001])
    for column, found in zip(draws.T, histograms(draws), strict=True):
        assert found is not None
        assert len(found.counts) == bins
        assert edges(found)[0] <= column.min() <= column.max() <= edges(found)[-1]
        assert found.width * bins < 1.02 * (column.max() - column.min())
        np.testing.assert_array_equal(found.counts, np.histogram(column, edges(found))[0])
        assert np.unique(column).size == n  # so that no draw is on an edge by design


@pytest.mark.parametrize(("step", "n", "held"), [(0.01, 20, 1), (0.005, 300, None), (1 / 3, 40, 1)])
def test_every_bin_holds_as_many_steps_of_a_lattice(step: float, n: int, held: int | None) -> None:
    rng = np.random.default_rng(1)
    steps = rng.binomial(n, 0.4, 20_000)
    found = one(steps * step - 0.7 + rng.normal(0, 1e-16, 20_000))
    assert len(found.counts) <= 40
    per_bin = round(found.width / step)
    assert found.width == pytest.approx(per_bin * step, rel=1e-4)
    assert held in (None, per_bin)
    low = steps.min()
    wanted = [((steps - low) // per_bin == place).sum() for place in range(len(found.counts))]
    np.testing.assert_array_equal(found.counts, wanted)
    if held:
        middle = found.start + found.width * (0.5 + np.arange(len(found.counts)))
        np.testing.assert_allclose(middle, (low + np.arange(len(found.counts))) * step - 0.7, 1e-4)


@pytest.mark.parametrize("value", [0.0, 0.25, -1e6])
def test_draws_that_are_all_the_same_are_one_bin_without_width(value: float) -> None:
    rounding = value * np.random.default_rng(0).normal(0, 1e-16, 50)
    found = one(value + rounding + np.random.default_rng(1).normal(0, 1e-17, 50))
    assert (found.width, found.counts) == (0, (50,))
    assert found.start == pytest.approx(value, rel=1e-12, abs=1e-15)


def test_what_is_not_finite_has_none_and_disturbs_no_other() -> None:
    draws = np.random.default_rng(0).normal(size=(500, 3))
    alone = one(draws[:, 2])
    draws[7, 0], draws[3, 1] = np.nan, np.inf
    assert histograms(draws) == [None, None, alone]
    assert histograms(np.empty((0, 2))) == [None, None]


def test_ends_are_short_numbers() -> None:
    found = one(np.random.default_rng(0).normal(size=10_000))
    assert len(repr(found.start)) + len(repr(found.width)) <= 14


def test_a_moved_histogram_keeps_all_draws_within_the_limits() -> None:
    draws = np.random.default_rng(0).normal(0.1, 0.1, 10_000)
    found = moved(one(draws), 0.05, 0.0, 0.2)
    assert sum(found.counts) == 10_000
    assert found.start <= 0 < edges(found)[1]
    assert edges(found)[-2] <= 0.2 < edges(found)[-1]
    at = found.start + found.width  # the first edge within
    assert found.counts[0] == pytest.approx((draws + 0.05 < at).sum(), abs=2)
    far = moved(one(draws), 5.0, 0.0, 1.0)
    assert far.counts == (10_000,)
    assert moved(Histogram(0.3, 0, (9,)), -0.5, 0.0, 1.0) == Histogram(0.0, 0.0, (9,))
    assert moved(one(draws), 0.0) == one(draws)


def test_a_histogram_in_another_unit_has_the_same_counts() -> None:
    found = one(np.random.default_rng(0).normal(size=1000))
    other = scaled(found, 0.013)
    assert other.counts == found.counts
    np.testing.assert_allclose(edges(other), 0.013 * edges(found), atol=1e-6)
    assert scaled(found, 0.0) == Histogram(0.0, 0.0, (1000,))


def test_draws_that_are_not_kept_have_the_histogram_of_those_that_are() -> None:
    draws = np.random.default_rng(0).standard_t(8, 300_000).astype(np.float32)
    draws[:2] = -9, 0
    counts = TailCounts()
    for part in np.array_split(draws, 5):
        counts.add(part)
    found = counts.histogram()
    assert len(found.counts) == 40
    assert sum(found.counts) == 300_000
    assert found.start == pytest.approx(draws.min(), abs=0.005)
    wanted = np.histogram(draws, edges(found))[0]
    # A fine cell on an edge goes to one side as a whole; there a bin's share of draws changes.
    np.testing.assert_allclose(found.counts, wanted, atol=300, rtol=0.005)
    assert np.argmax(found.counts) == np.argmax(wanted)


def test_the_same_draw_over_and_over_without_keeping_it() -> None:
    counts = TailCounts()
    counts.add(np.zeros(12))
    found = counts.histogram()
    assert (found.width, found.counts) == (0, (12,))
    assert found.start == pytest.approx(0, abs=1e-4)
    counts.add(np.full(3, 1e30))
    assert sum(counts.histogram().counts) == 15
