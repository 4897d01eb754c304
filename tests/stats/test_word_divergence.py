"""The divergence of words: against scipy, against a loop, and where nobody leans."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from slant.stats.word_divergence import word_divergence


def test_a_group_is_compared_with_each_of_the_others() -> None:
    rng = np.random.default_rng(1)
    words, groups = rng.integers(0, 6, 300), rng.integers(0, 4, 300)
    found = word_divergence(words, groups, resamples=50, rng=rng)
    share = np.array([np.bincount(words[groups == g], minlength=6) for g in range(4)], float)
    share /= share.sum(axis=1, keepdims=True)
    for g in range(4):
        expected = np.median(
            [jensenshannon(share[g], share[h], base=2) ** 2 for h in range(4) if h != g]
        )
        assert found.observed[g] == pytest.approx(expected)
        assert found.excess.value[g] == pytest.approx(expected - found.expected[g])
        assert found.excess.low[g] <= found.excess.value[g] <= found.excess.high[g]


def test_without_a_lean_p_is_as_often_small_as_it_says() -> None:
    rng = np.random.default_rng(2)
    p = [
        word_divergence(
            rng.integers(0, 12, 120), np.repeat([0, 1, 2], 40), resamples=99, rng=rng
        ).excess.p[0]
        for _ in range(200)
    ]
    assert 0.01 <= np.mean(np.array(p) <= 0.05) <= 0.10


def test_a_planted_word_is_found_in_spite_of_many_others() -> None:
    rng = np.random.default_rng(3)
    words = rng.integers(0, 30, 600)
    groups = np.repeat(np.arange(6), 100)
    words[:23] = 30
    found = word_divergence(words, groups, resamples=500, rng=rng)
    assert found.excess.p[0] < 0.01
    assert found.excess.value[0] > found.excess.chance.high[0]
    assert found.excess.p[1:].min() > 0.01


def test_labels_stay_within_their_prompt() -> None:
    """Each prompt has words of its own: that must not look like a lean of anybody."""
    rng = np.random.default_rng(4)
    prompts = np.tile(np.repeat([0, 1], 30), 2)
    groups = np.repeat([0, 1], 60)
    words = prompts * 5 + rng.integers(0, 5, 120)
    found = word_divergence(words, groups, strata=prompts, resamples=200, rng=rng)
    assert found.excess.p.min() > 0.05


@pytest.mark.parametrize(
    ("words", "groups"), [([0, 1], [0, 0]), ([0, 1], [0, 2]), ([0, 1, 1], [0, 1])]
)
def test_what_cannot_be_compared_is_refused(words: list[int], groups: list[int]) -> None:
    with pytest.raises(ValueError, match="need"):
        word_divergence(words, groups, rng=np.random.default_rng(0))
