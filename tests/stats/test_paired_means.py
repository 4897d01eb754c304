"""Means on two sides over the same units."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from slant.stats.median_of_others import median_of_others
from slant.stats.paired_draws import between_sides
from slant.stats.paired_means import paired_means


def own(means: np.ndarray) -> np.ndarray:
    return means


def lean(means: np.ndarray) -> np.ndarray:
    return means - median_of_others(means)


def test_it_agrees_with_scipy() -> None:
    rng = np.random.default_rng(0)
    first = rng.normal(0, 1, (1, 16))
    second = first + rng.normal(0.3, 0.6, (1, 16))
    change = paired_means(first, second, "pairs", rng=rng).estimate(between_sides(own))
    swapped = scipy_stats.permutation_test(
        (first[0], second[0]), lambda x, y, axis: (y - x).mean(axis=axis),
        permutation_type="samples", vectorized=True, n_resamples=2**16,
    )  # fmt: skip
    t = scipy_stats.ttest_rel(second[0], first[0]).confidence_interval()
    assert change.p[0] == pytest.approx(swapped.pvalue, abs=0.015)
    assert change.low[0] == pytest.approx(t.low, abs=0.06)
    assert change.high[0] == pytest.approx(t.high, abs=0.06)
    assert change.value[0] == pytest.approx((second - first).mean())


def test_few_units_stretch_as_students_t_does() -> None:
    values = np.random.default_rng(9).normal(size=(2, 12))
    drawn = paired_means(values, values, "pairs", resamples=40_000, rng=np.random.default_rng(3))
    # 12/11, since a resample varies too little, times 11/chi2 with 11 degrees of freedom.
    median = 12 / scipy_stats.chi2.median(11)
    assert np.median(np.square(drawn.stretch)) == pytest.approx(median, rel=0.015)


def test_what_sentences_have_in_common_does_not_blur_a_change() -> None:
    rng = np.random.default_rng(1)
    hard = rng.normal(0, 5, (1, 20))
    first = hard + rng.normal(0, 0.1, (4, 20))
    second = hard + rng.normal(0, 0.1, (4, 20)) + np.array([[0.5], [0], [0], [0]])
    change = paired_means(first, second, "pairs", rng=rng).estimate(between_sides(lean))
    assert (change.p < 0.0125).tolist() == [True, False, False, False]
    assert 0.3 < change.low[0] < 0.5 < change.high[0] < 0.7


def test_nothing_is_found_where_nothing_changed() -> None:
    rng = np.random.default_rng(2)
    small = 0
    for _ in range(200):
        hard = rng.normal(0, 2, (1, 16))
        first, second = (hard + rng.normal(0, 1, (5, 16)) for _ in range(2))
        change = paired_means(first, second, "pairs", resamples=500, rng=rng).estimate(
            between_sides(lean)
        )
        small += int((change.p < 0.05).sum())
    assert small / 1000 == pytest.approx(0.05, abs=0.02)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (np.zeros((2, 9)), np.zeros((2, 9))),
        (np.zeros((2, 12)), np.zeros((3, 12))),
        (np.zeros((2, 12)), np.full((2, 12), np.nan)),
    ],
)
def test_what_cannot_be_paired_is_refused(first: np.ndarray, second: np.ndarray) -> None:
    with pytest.raises(ValueError, match="values"):
        paired_means(first, second, "pairs", rng=np.random.default_rng(0))
