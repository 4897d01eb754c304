"""Means of groups of separate units: against scipy's permutation test."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from slant.stats.multiple import benjamini_hochberg
from slant.stats.unit_means import unit_means


def test_two_groups_give_the_difference_of_means_and_scipys_p() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(0, 1, 15), rng.normal(0.9, 1, 12)
    found = unit_means(
        np.concatenate([first, second]), np.repeat([0, 1], [15, 12]), resamples=20_000, rng=rng
    )
    expected = stats.permutation_test(
        (first, second),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        vectorized=True,
        n_resamples=20_000,
        rng=np.random.default_rng(1),
    )
    assert found.vs_rest.value[0] == pytest.approx(first.mean() - second.mean())
    assert found.vs_rest.value[1] == pytest.approx(-found.vs_rest.value[0])
    assert found.vs_rest.p[0] == pytest.approx(expected.pvalue, abs=0.01)
    pooled = np.sqrt((14 * first.var(ddof=1) + 11 * second.var(ddof=1)) / 25)
    assert found.effect[0] == pytest.approx(found.vs_rest.value[0] / pooled)


def test_intervals_cover() -> None:
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(200):
        values = rng.normal(0, 1, 90) + np.repeat([0.5, 0, 0], 30)
        found = unit_means(values, np.repeat([0, 1, 2], 30), resamples=300, rng=rng)
        hits += found.own.low[0] <= 0.5 <= found.own.high[0]
    assert 0.88 <= hits / 200 <= 0.99


@pytest.mark.parametrize("count", [4, 6, 10])
def test_intervals_cover_with_few_units(count: int) -> None:
    # Percentiles of a plain bootstrap covered 82, 85 and 92% of means.
    rng, own, rest = np.random.default_rng(count), [], []
    for _ in range(150):
        found = unit_means(
            rng.normal(0, 1, 3 * count), np.repeat([0, 1, 2], count), resamples=300, rng=rng
        )
        own += list((found.own.low <= 0) & (found.own.high >= 0))
        rest += list((found.vs_rest.low <= 0) & (found.vs_rest.high >= 0))
    assert 0.92 <= np.mean(own) <= 0.98
    assert 0.92 <= np.mean(rest) <= 0.995


@pytest.mark.slow
def test_a_group_that_varies_more_is_not_found_for_that() -> None:
    rng, groups, false = np.random.default_rng(4), np.repeat(np.arange(6), 8), 0
    for _ in range(150):
        values = rng.normal(0, 1, 48) * np.where(groups == 1, 3, 1)
        q = benjamini_hochberg(unit_means(values, groups, resamples=400, rng=rng).vs_rest.p)
        false += int((q < 0.05).any())
    assert false / 150 <= 0.09  # exchanges of plain means: 18%


@pytest.mark.parametrize(
    ("values", "groups"),
    [([1, 2, np.nan, 3], [0, 0, 1, 1]), ([1, 2], [0, 0]), ([1, 2, 3], [0, 0, 1])],
)
def test_what_cannot_be_compared_is_refused(values: list[float], groups: list[int]) -> None:
    with pytest.raises(ValueError, match="need finite"):
        unit_means(values, groups, rng=np.random.default_rng(0))
