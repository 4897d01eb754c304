"""Weighted log-odds: Monroe's formulas in a loop, exact tests against scipy, shuffled groups."""

from __future__ import annotations

from math import comb, log, sqrt

import numpy as np
import pytest
from scipy.stats import fisher_exact

from slant.stats import benjamini_hochberg
from slant.stats.log_odds import names_test, weighted_log_odds


def test_values_and_z_are_those_of_the_formulas() -> None:
    rng = np.random.default_rng(1)
    counts, groups = rng.poisson(2, size=(12, 6)), np.repeat([0, 1, 2], 4)
    found = weighted_log_odds(counts, groups, strength=10)
    pooled = counts.sum(axis=0)
    for group in range(3):
        own, rest = counts[groups == group].sum(axis=0), counts[groups != group].sum(axis=0)
        for word in range(6):
            a = 10 * pooled[word] / pooled.sum()
            y, other = own[word] + a, rest[word] + a
            delta = log(y / (own.sum() + 10 - y)) - log(other / (rest.sum() + 10 - other))
            assert found.value[group, word] == pytest.approx(delta)
            assert found.z[group, word] == pytest.approx(delta / sqrt(1 / y + 1 / other))
            assert found.low[group, word] < delta < found.high[group, word]


def test_spread_between_names_is_that_of_a_loop_and_widens_intervals() -> None:
    # One name of four says the word all the time: much less is known than the count suggests.
    counts = np.array([[30, 0], [0, 30], [0, 30], [0, 30]] + [[8, 22]] * 4)
    groups = np.repeat([0, 1], 4)
    found = weighted_log_odds(counts, groups, strength=2)
    y = counts[:4, 0].sum() + 2 * 62 / 240
    rate = y / (120 + 2)
    influence = (
        sum((c - rate * 30) ** 2 for c in counts[:4, 0]) * 4 / 3 / (122 * rate * (1 - rate)) ** 2
    )
    assert found.error[0, 0] ** 2 >= influence * 0.999
    even = weighted_log_odds(np.array([[8, 22], [7, 23]] * 4), groups, strength=2)
    assert found.error[0, 0] > 2 * even.error[0, 0]


def test_a_word_nobody_else_gets_is_shrunk_and_finite() -> None:
    counts = np.array([[1, 20], [0, 20], [0, 20], [0, 20]])
    found = weighted_log_odds(counts, [0, 0, 1, 1])
    assert np.isfinite(found.value).all()
    assert 0 < found.value[0, 0] < weighted_log_odds(counts * [[5, 1]], [0, 0, 1, 1]).value[0, 0]


def test_rare_words_are_tested_by_fishers_exact_test_on_names() -> None:
    rng = np.random.default_rng(4)
    counts = np.column_stack([rng.random((40, 8)) < 0.2, np.ones(40)]).astype(float)
    groups = np.repeat([0, 1, 2, 3], 10)
    p = names_test(counts, groups, attainable=1)
    for group in range(4):
        for word in range(8):
            own = counts[groups == group, word].sum()
            rest = counts[groups != group, word].sum()
            table = np.array([[own, 10 - own], [rest, 30 - rest]])
            tails = [fisher_exact(table, alternative=side)[1] for side in ("less", "greater")]
            assert p[group, word] == pytest.approx(min(1, 2 * min(tails)))


def test_common_words_are_split_at_the_median_name() -> None:
    # Everybody gets the word, the first group in three profiles of three, the others in one.
    counts = np.array([[3, 0]] * 10 + [[1, 2]] * 30)
    p = names_test(counts, np.repeat([0, 1, 2, 3], 10))
    assert p[0, 0] < 1e-6


def test_names_that_share_the_median_count_as_high_where_that_splits_more_evenly() -> None:
    # Fourteen of twenty names say nothing else: as often as the median name, never more often.
    counts = np.array([[1, 1]] * 6 + [[2, 0]] * 14)
    p = names_test(counts, np.repeat([0, 1], 10))
    assert p[0, 0] == pytest.approx(2 * comb(14, 4) / comb(20, 10))  # four high names of ten


def test_words_that_cannot_be_significant_are_not_tested() -> None:
    counts = np.array([[1, 3], [0, 3], [0, 3], [0, 3], [0, 3], [0, 3]])
    assert np.isnan(names_test(counts, [0, 0, 0, 1, 1, 1])).all()


def test_shuffled_groups_give_no_more_than_the_nominal_rate() -> None:
    rng = np.random.default_rng(7)
    groups = np.repeat(np.arange(8), 10)
    low = tested = tables = 0
    for _ in range(60):
        habits = rng.dirichlet(np.full(25, 0.3), size=80)  # names differ, groups do not
        counts = np.array([rng.multinomial(9, habit) for habit in habits])
        p = names_test(counts, groups)
        low += int((p < 0.05).sum())
        tested += int((~np.isnan(p)).sum())
        tables += bool(np.nanmin(benjamini_hochberg(p)) < 0.05)
    assert tested > 2000
    assert low / tested < 0.05
    assert tables <= 7  # 60 tables at 5%: more than 7 has a probability of 1%


@pytest.mark.parametrize(
    ("counts", "groups", "said"),
    [
        ([[1, 2]], [0], "two groups"),
        ([[1, 2], [1, 2], [1, 2]], [0, 0, 1], "two names"),
        ([[1, -1], [1, 2]], [0, 1], "not negative"),
        ([[1, 2], [1, 2]], [0], "need"),
    ],
)
def test_impossible_input_is_refused(counts: list[list[int]], groups: list[int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        weighted_log_odds(counts, groups)
