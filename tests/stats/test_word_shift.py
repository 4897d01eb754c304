"""The word shift: against scipy and a naive loop, its direction, and the published choice."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from slant.stats.word_shift import published_words, word_shift


def random_counts() -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    counts: np.ndarray[tuple[int, int], np.dtype[np.int64]] = np.random.default_rng(3).poisson(
        1.2, size=(5, 30)
    )
    return counts


def test_divergence_is_scipys_and_contributions_are_those_of_a_loop() -> None:
    counts = random_counts()
    shift = word_shift(counts)
    for group in range(5):
        own, rest = counts[group], counts.sum(axis=0) - counts[group]
        p, q = own / own.sum(), rest / rest.sum()
        assert shift.divergence[group] == pytest.approx(jensenshannon(p, q, base=2) ** 2)
        for word in range(30):
            m = (p[word] + q[word]) / 2
            terms = [x / 2 * log2(x / m) for x in (p[word], q[word]) if x > 0]
            assert shift.contribution[group, word] == pytest.approx(sum(terms))
            assert shift.difference[group, word] == pytest.approx(p[word] - q[word])
    assert (shift.contribution >= -1e-15).all()
    assert shift.share.sum(axis=1) == pytest.approx(1)


def test_a_word_that_is_avoided_counts_as_much_and_points_the_other_way() -> None:
    shift = word_shift([[0, 10], [10, 10], [10, 10]])
    assert shift.contribution[0, 0] > 0
    assert shift.difference[0, 0] < 0 < shift.difference[0, 1]


def test_the_published_choice_takes_three_of_each_group_and_ten_of_all() -> None:
    shift = word_shift(random_counts())
    chosen = published_words(shift, per_group=3, overall=10)
    assert len(chosen) == 10
    assert max(sum(group == other for other, _ in chosen) for group in range(5)) <= 3
    shares = [shift.share[cell] for cell in chosen]
    assert shares == sorted(shares, reverse=True)


def test_groups_alike_diverge_by_nothing_and_no_word_is_chosen() -> None:
    shift = word_shift([[2, 4], [1, 2]])
    assert shift.divergence == pytest.approx(0)
    assert published_words(word_shift([[2, 4], [2, 4]])) == []


def test_a_group_without_words_is_unknown_and_not_zero() -> None:
    shift = word_shift([[0, 0], [1, 2], [2, 1]])
    assert np.isnan(shift.divergence[0])
    assert np.isnan(shift.contribution[0]).all()
    assert np.isfinite(shift.contribution[1:]).all()
    assert published_words(shift)


@pytest.mark.parametrize("counts", [[[1, 2]], [[1, -1], [1, 1]], [[1, np.nan], [1, 1]]])
def test_impossible_counts_are_refused(counts: list[list[float]]) -> None:
    with pytest.raises(ValueError, match=r"counts"):
        word_shift(counts)
