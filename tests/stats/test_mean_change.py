"""Changes of means between two conditions: few values, and spreads that differ."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from slant.stats.mean_change import mean_change


@pytest.mark.parametrize(
    "count", [4, *(pytest.param(count, marks=pytest.mark.slow) for count in (6, 10))]
)
def test_intervals_cover_with_few_values(count: int) -> None:
    # Percentiles of a plain bootstrap covered 89, 87 and 91%.
    rng, covered = np.random.default_rng(count), 0
    for _ in range(300):
        found = mean_change(
            [rng.normal(0, 1, count)], [rng.normal(0, 1, count)], resamples=300, rng=rng
        )
        assert found is not None
        covered += found.change.low[0] <= 0 <= found.change.high[0]
    assert 0.91 <= covered / 300 <= 0.985


def test_a_condition_that_varies_more_is_no_change() -> None:
    # Welch's t and not the plain difference: few values that vary much, beside many that do not.
    rng, p = np.random.default_rng(1), []
    for _ in range(200):
        found = mean_change([rng.normal(0, 1, 40)], [rng.normal(0, 3, 8)], resamples=300, rng=rng)
        assert found is not None
        p.append(found.change.p[0])
    assert np.mean(np.array(p) <= 0.05) <= 0.12  # exchanges of plain differences: 34%


def test_p_is_near_that_of_welch() -> None:
    rng = np.random.default_rng(2)
    one, other = rng.normal(0, 1, 40), rng.normal(0.5, 2, 40)
    found = mean_change([one], [other], resamples=10_000, rng=rng)
    assert found is not None
    assert found.change.value[0] == pytest.approx(other.mean() - one.mean())
    theirs = stats.ttest_ind(other, one, equal_var=False).pvalue
    assert found.change.p[0] == pytest.approx(theirs, abs=0.02)


def test_prompts_without_values_on_both_sides_are_left_out() -> None:
    rng = np.random.default_rng(3)
    assert mean_change([np.empty(0)], [np.ones(3)], rng=rng) is None
