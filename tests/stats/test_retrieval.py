from __future__ import annotations

import numpy as np
import pytest

from slant.stats.retrieval import accuracy_and_mrr, paper_accuracy_and_mrr


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_figures_by_hand() -> None:
    scores = np.array([[1.0, 2, 3, 1], [2.0, 1, 2, 2], [3.0, 3, 1, 3]])
    found = accuracy_and_mrr(scores, [0, 0, 0, 2], rng=rng())
    assert found.accuracy == 0.25
    assert found.mrr == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 3) / 4)
    assert found.accuracy_chance == pytest.approx(1 / 3)
    assert found.mrr_chance == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert found.accuracy_low <= found.accuracy <= found.accuracy_high


def test_a_probe_that_sees_is_told_from_one_that_guesses() -> None:
    random = np.random.default_rng(3)
    truth = np.tile(np.arange(4), 15)
    noise = random.normal(size=(4, 60))
    guess = accuracy_and_mrr(noise, truth, rng=rng())
    seen = accuracy_and_mrr(noise - 1.5 * (np.arange(4)[:, None] == truth), truth, rng=rng())
    assert seen.accuracy_p < 0.001
    assert seen.mrr_p < 0.001
    assert seen.accuracy_low > 0.25
    assert guess.accuracy_p > 0.01
    assert guess.mrr == pytest.approx(guess.mrr_chance, abs=0.1)


def test_equal_scores_are_no_hit() -> None:
    found = accuracy_and_mrr(np.ones((4, 8)), np.zeros(8, int), rng=rng())
    assert found.accuracy == 0
    assert found.mrr == pytest.approx(1 / 2.5)


@pytest.mark.parametrize(
    ("scores", "truth"),
    [(np.ones((1, 3)), [0, 0, 0]), (np.ones((2, 3)), [0, 0]), (np.ones((2, 0)), [])],
)
def test_shapes_that_do_not_match_are_refused(scores: np.ndarray, truth: list[int]) -> None:
    with pytest.raises(ValueError, match="do not match"):
        accuracy_and_mrr(scores, truth, rng=rng())


def test_holes_are_refused() -> None:
    with pytest.raises(ValueError, match="NaN"):
        accuracy_and_mrr(np.array([[1.0, np.nan], [1.0, 2.0]]), [0, 1], rng=rng())


def test_the_papers_variant_by_hand() -> None:
    # Two classes of two genders; class 0 has two ethnicities, whose names are pooled.
    groups, classes = np.array([0, 1, 2, 3, 4, 5]), np.array([0, 0, 1, 0, 0, 1])
    genders = np.array([0, 0, 0, 1, 1, 1])
    perplexity = np.array(
        [
            [10.0, 40, 20],
            [30.0, 20, 20],
            [25.0, 25, 30],
            [21.0, 60, 10.001],
            [21.0, 60, 30.003],
            [22.0, 35, 20],
        ]
    )
    # Means by gender and class: 20 30 20 | 25 25 30 | 21 60 20.00 (rounded) | 22 35 20; by class
    # 20.5 45 20.00 | 23.5 30 25.
    truth = [0, 1, 1]
    found = paper_accuracy_and_mrr(perplexity, groups, classes, genders, truth, adjusted=False)
    assert found == (0.667, round((1 + 1 + 1 / 2) / 3, 3))


def test_in_the_papers_variant_apx_takes_away_what_is_common_to_a_group() -> None:
    random = np.random.default_rng(1)
    groups = np.repeat(np.arange(8), 10)
    classes, genders = groups % 4, groups // 4
    truth = np.arange(44) % 4
    perplexity = random.lognormal(3, 0.05, (80, 44)) * np.where(classes[:, None] == truth, 0.8, 1.0)
    perplexity *= np.array([1, 5, 2, 3, 1, 5, 2, 3])[groups][:, None]
    plain, adjusted = (
        paper_accuracy_and_mrr(perplexity, groups, classes, genders, truth, adjusted=each)
        for each in (False, True)
    )
    assert plain[0] == 0.25
    assert adjusted == (1.0, 1.0)
