"""Means of groups of separate units: against scipy's permutation test."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

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


@pytest.mark.parametrize(
    ("values", "groups"),
    [([1, 2, np.nan, 3], [0, 0, 1, 1]), ([1, 2], [0, 0]), ([1, 2, 3], [0, 0, 1])],
)
def test_what_cannot_be_compared_is_refused(values: list[float], groups: list[int]) -> None:
    with pytest.raises(ValueError, match="need finite"):
        unit_means(values, groups, rng=np.random.default_rng(0))
