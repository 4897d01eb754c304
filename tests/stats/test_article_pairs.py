"""Means over pairs of texts: intervals of few."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from slant.stats.article_pairs import mean_change
from slant.stats.score_change import compare_scores


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


def test_one_pair_has_a_mean_and_no_interval() -> None:
    estimate, test = mean_change(np.array([0.5]), np.random.default_rng(0))
    assert (estimate.value, estimate.n, test.p) == (0.5, 1, 1)
    assert np.isnan([estimate.low, estimate.high]).all()
    assert mean_change(np.array([]), np.random.default_rng(0))[0].n == 0


def test_from_five_thousand_pairs_on_a_formula_says_it() -> None:
    drawn = np.random.default_rng(1).normal(0.02, 1, 5_000)
    estimate, test = mean_change(drawn, np.random.default_rng(0))
    half = stats.norm.ppf(0.975) * stats.sem(drawn)
    assert (estimate.low, estimate.high) == pytest.approx(
        (drawn.mean() - half, drawn.mean() + half)
    )
    z = drawn.sum() / np.sqrt((drawn**2).sum())
    assert test.p == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-12)


def test_what_changes_is_counted_against_its_reference() -> None:
    nan = np.nan
    before = [[0.5, 0.2], [0.1, nan], [nan, nan], [0.3, 0.3]]
    after = [[0.1, 0.3], [0.4, 0.9], [0.5, 0.5], [0.3, nan]]
    found = compare_scores(before, after, rng=np.random.default_rng(0))
    assert found.kept.tolist() == [True, True, False, True]
    assert found.distances == pytest.approx([0.4, 0.3, 0])
    assert found.groups[0].prejudice.value == pytest.approx(1 / 3)
    assert found.groups[0].decrease.value == pytest.approx(-0.4)
    assert found.groups[1].signed.value == pytest.approx(0.1)


@pytest.mark.parametrize("where", ["before", "after"])
def test_infinite_scores_are_refused(where: str) -> None:
    scores = {"before": np.zeros((2, 2)), "after": np.zeros((2, 2))}
    scores[where][0, 1] = np.inf
    with pytest.raises(ValueError, match="finite"):
        compare_scores(scores["before"], scores["after"], rng=np.random.default_rng(0))
