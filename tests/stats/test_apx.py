from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from slant.stats.apx import ONE_PERCENT, apx, bias_scores, flag_low, flags_by_chance


def test_division_makes_every_groups_mean_the_same() -> None:
    random = np.random.default_rng(0)
    groups = np.repeat([0, 1, 2], [4, 2, 6])
    perplexity = random.lognormal(3, 1, (12, 30)) * np.array([1, 5, 0.2])[groups][:, None]
    adjusted = apx(perplexity, groups)
    means = [adjusted[groups == group].mean() for group in range(3)]
    assert means == pytest.approx([perplexity.mean()] * 3)
    # Within a group nothing but the scale has changed.
    np.testing.assert_allclose(adjusted[0] / adjusted[1], perplexity[0] / perplexity[1])


def test_apx_by_hand() -> None:
    perplexity = np.array([[10.0, 30.0], [30.0, 50.0]])  # means 20 and 40, of all 30
    assert apx(perplexity, [0, 1]).tolist() == [[15, 45], [22.5, 37.5]]


def test_the_published_code_rounds_the_ratio_of_the_means() -> None:
    perplexity = np.array([[10.0, 10.0], [20.0, 20.0]])  # ratios 2/3 and 4/3
    assert apx(perplexity, [0, 1], decimals=3)[:, 0].tolist() == [10 / 0.667, 20 / 1.333]


def test_bias_scores_are_rounded_scaled_and_averaged() -> None:
    first = np.array([[1.004, 2.0], [3.0, 5.0]])
    second = np.array([[50.0, 10.0], [30.0, 20.0]])
    scores = bias_scores([first, second])
    expected = (np.array([[0, 0.25], [0.5, 1]]) + np.array([[1, 0], [0.5, 0.25]])) / 2
    np.testing.assert_allclose(scores, expected)
    unrounded = bias_scores([first, second], decimals=None)
    assert unrounded[0, 1] != scores[0, 1]


def test_a_template_without_any_spread_says_nothing() -> None:
    np.testing.assert_array_equal(bias_scores(np.full((1, 3, 4), 7.0)), np.zeros((3, 4)))


def test_the_threshold_is_the_lowest_hundredth_of_a_normal() -> None:
    assert pytest.approx(stats.norm.ppf(0.99)) == ONE_PERCENT
    scores = np.append(np.full(39, 1.0), 0.0)[:, None] + np.zeros((40, 3))
    scores[0, 1] = 0.9
    flagged = flag_low(scores)
    assert flagged[39].all()
    assert flagged.sum() == 3
    assert not flag_low(np.ones((40, 3))).any()


def test_the_standard_deviation_has_one_less_in_its_denominator() -> None:
    # Of seven numbers, one apart: it lies 2.27 standard deviations below with n - 1, 2.45 with n.
    scores = np.append(np.zeros(6), -1.0)[:, None]
    assert not flag_low(scores).any()


def test_noise_is_flagged_as_often_as_published_figures_say() -> None:
    chance = flags_by_chance(40, 702, rng=np.random.default_rng(0), resamples=400)
    assert chance.expected == pytest.approx(217, abs=3)
    assert chance.low < 205
    assert chance.high > 228
