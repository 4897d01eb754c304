"""Rates on two sides that answered the same questions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from slant.stats.median_of_others import median_of_others
from slant.stats.multiple import benjamini_hochberg
from slant.stats.paired_draws import between_sides
from slant.stats.paired_rates import paired_rates


def tables(first: np.ndarray, second: np.ndarray, missing: np.ndarray | None = None) -> np.ndarray:
    """Count 0/1 answers of shape (groups, prompts, samples) as pairs."""
    first, second = first.astype(int), second.astype(int)
    if missing is not None:
        second = np.where(missing, 2, second)
    counts = np.zeros((*first.shape[:2], 3, 3), int)
    for one in range(3):
        for two in range(3):
            counts[..., one, two] = ((first == one) & (second == two)).sum(axis=-1)
    return counts


def own(rates: np.ndarray) -> np.ndarray:
    return rates


def lean(rates: np.ndarray) -> np.ndarray:
    return rates - median_of_others(rates)


def answers(rng: np.random.Generator, rate: object, shape: tuple[int, int, int]) -> np.ndarray:
    return rng.random(shape) < np.asarray(rate)


def test_values_are_differences_of_mean_rates() -> None:
    first = np.array([[[1, 0, 0, 0], [1, 1, 0, 0]]])
    second = np.array([[[1, 1, 0, 0], [1, 1, 1, 1]]])
    drawn = paired_rates(tables(first, second), rng=np.random.default_rng(0))
    change = drawn.estimate(between_sides(own))
    assert drawn.observed[0] == pytest.approx([0.375])
    assert drawn.observed[1] == pytest.approx([0.75])
    assert change.value == pytest.approx([0.375])


def test_as_many_are_drawn_as_are_asked_for_however_many_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("slant.stats.paired_rates._AT_ONCE", 9 * 7)  # seven draws of one table
    table = np.array([[[[5, 3, 0], [2, 4, 1], [0, 0, 0]]]])
    drawn = paired_rates(table, resamples=20, rng=np.random.default_rng(0))
    assert len(drawn.resampled) == len(drawn.exchanged) == 20


def test_one_prompt_agrees_with_mcnemar() -> None:
    rng = np.random.default_rng(1)
    first, second = answers(rng, 0.3, (1, 1, 120)), answers(rng, 0.45, (1, 1, 120))
    gained = int((second & ~first).sum())
    lost = int((first & ~second).sum())
    exact = scipy_stats.binomtest(gained, gained + lost).pvalue
    change = paired_rates(tables(first, second), rng=rng).estimate(between_sides(own))
    assert change.p[0] == pytest.approx(exact, abs=0.015)


def test_many_prompts_agree_with_scipy() -> None:
    rng = np.random.default_rng(2)
    whim = rng.normal(0, 0.1, (1, 14, 1))
    first = answers(rng, 0.3, (1, 14, 40))
    second = answers(rng, 0.42 + whim, (1, 14, 40))
    change = paired_rates(tables(first, second), rng=rng).estimate(between_sides(own))
    a, b = first.mean(axis=2)[0], second.mean(axis=2)[0]
    swapped = scipy_stats.permutation_test(
        (a, b), lambda x, y, axis: (y - x).mean(axis=axis), permutation_type="samples",
        vectorized=True, n_resamples=2**16,
    )  # fmt: skip
    assert change.p[0] == pytest.approx(swapped.pvalue, abs=0.015)
    t = scipy_stats.ttest_rel(b, a).confidence_interval()
    assert change.low[0] == pytest.approx(t.low, abs=0.02)
    assert change.high[0] == pytest.approx(t.high, abs=0.02)


def test_answers_that_are_missing_on_one_side_leave_the_rates_alone() -> None:
    rng = np.random.default_rng(3)
    first, second = answers(rng, 0.5, (2, 3, 30)), answers(rng, 0.5, (2, 3, 30))
    missing = rng.random((2, 3, 30)) < 0.2
    drawn = paired_rates(tables(first, second, missing), rng=rng)
    shares = np.where(missing, np.nan, second.astype(float))
    assert drawn.observed[0] == pytest.approx(first.mean(axis=(1, 2)))
    assert drawn.observed[1] == pytest.approx(np.nanmean(shares, axis=2).mean(axis=1))


@pytest.mark.parametrize("prompts", [1, 12])
def test_equal_answers_change_nothing_but_are_not_beyond_doubt(prompts: int) -> None:
    said = answers(np.random.default_rng(4), 0.2, (3, prompts, 10))
    change = paired_rates(tables(said, said), rng=np.random.default_rng(5)).estimate(
        between_sides(own)
    )
    assert (change.value == 0).all()
    assert (change.p == 1).all()
    assert (change.low < 0).all()
    assert (change.high < 2.6 / (10 * prompts)).all()


@pytest.mark.parametrize(("prompts", "samples"), [(1, 60), (12, 8)])
def test_nothing_is_found_where_nothing_changed(prompts: int, samples: int) -> None:
    rng = np.random.default_rng(6)
    rates = np.array([0.6, 0.15, 0.15, 0.1, 0.2, 0.15])[:, None, None]
    small, found, covered = 0, 0, 0
    for _ in range(200):
        whim = rng.normal(0, 0.08, (1, prompts, 1))
        rate = np.clip(rates + whim, 0, 1)
        first, second = (answers(rng, rate, (6, prompts, samples)) for _ in range(2))
        drawn = paired_rates(tables(first, second), resamples=500, rng=rng)
        change = drawn.estimate(between_sides(lean))
        small += int((change.p < 0.05).sum())
        covered += int(((change.low <= 0) & (change.high >= 0)).sum())
        found += bool((benjamini_hochberg(change.p) < 0.05).any())
    assert small / 1200 == pytest.approx(0.05, abs=0.025)
    assert covered / 1200 > 0.925
    assert found / 200 < 0.09


def test_a_planted_change_is_found_and_only_there() -> None:
    rng = np.random.default_rng(7)
    first = answers(rng, 0.15, (6, 1, 100))
    second = first.copy()
    second[0] = answers(rng, 0.6, (1, 1, 100))
    change = paired_rates(tables(first, second), rng=rng).estimate(between_sides(lean))
    sure = (benjamini_hochberg(change.p) < 0.05) & ((change.low > 0) | (change.high < 0))
    assert sure.tolist() == [True] + [False] * 5
    assert change.low[0] > 0.3


def test_a_group_without_answers_stays_unknown() -> None:
    counts = tables(*(answers(np.random.default_rng(8), 0.5, (2, 2, 20)) for _ in range(2)))
    counts[1] = 0
    counts[1, :, 2, 2] = 20
    change = paired_rates(counts, rng=np.random.default_rng(9)).estimate(between_sides(own))
    assert not np.isnan(change.p[0])
    assert np.isnan(change.value[1])
    assert np.isnan(change.p[1])


@pytest.mark.parametrize("counts", [np.zeros((2, 2, 3)), np.full((1, 1, 3, 3), 0.5),
                                    np.full((1, 1, 3, 3), -1)])  # fmt: skip
def test_impossible_counts_are_refused(counts: np.ndarray) -> None:
    with pytest.raises(ValueError, match="counts"):
        paired_rates(counts, rng=np.random.default_rng(0))
