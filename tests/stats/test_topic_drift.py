"""How far texts have drifted, beside what two halves of the same differ by."""

from __future__ import annotations

import numpy as np
import pytest

from slant.stats.mean_change import mean_change
from slant.stats.topic_drift import topic_drift

Vectors = np.ndarray


def texts(count: int, topic: int, rng: np.random.Generator, spread: float = 0.3) -> Vectors:
    """Draw unit vectors around one axis of eight."""
    points = rng.normal(0, spread, (count, 8))
    points[:, topic] += 1
    return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True))


def test_another_topic_is_far_and_beyond_chance() -> None:
    rng = np.random.default_rng(1)
    found = topic_drift([texts(20, 0, rng)], [texts(20, 1, rng)], rng=rng)
    assert found is not None
    assert found.low > 0.3
    assert found.p == pytest.approx(1 / 2001)  # all permutations count
    assert found.chance.high < found.value
    assert found.plain.high < found.distance
    assert found.n == 20


def test_the_distance_is_what_a_loop_over_splits_gives() -> None:
    rng = np.random.default_rng(2)
    plain, changed = texts(10, 0, rng), texts(7, 1, rng)
    found = topic_drift([plain], [changed], resamples=4000, rng=rng)
    distances, halves = [], []
    for _ in range(4000):
        order = rng.permutation(10)
        for one, other in ((order[:5], order[5:]), (order[5:], order[:5])):
            centre = plain[one].mean(axis=0)
            centre /= np.linalg.norm(centre)
            distances.append(np.mean([1 - text @ centre for text in changed]))
            halves.append(np.mean([1 - text @ centre for text in plain[other]]))
    assert found is not None
    assert found.distance == pytest.approx(np.mean(distances), abs=2e-3)
    assert found.plain.expected == pytest.approx(np.mean(halves), abs=2e-3)
    assert found.value == pytest.approx(found.distance - found.plain.expected)


def test_the_same_topic_is_no_drift_at_the_nominal_rate() -> None:
    rng = np.random.default_rng(3)
    found = [
        topic_drift(
            [texts(8, topic, rng) for topic in (0, 1)],
            [texts(8, topic, rng) for topic in (0, 1)],
            resamples=200,
            rng=rng,
        )
        for _ in range(200)
    ]
    known = [each for each in found if each is not None]
    assert len(known) == 200
    assert abs(np.mean([each.value for each in known])) < 0.01
    assert 0.01 <= np.mean([each.p <= 0.05 for each in known]) <= 0.10
    assert np.mean([each.low <= 0 <= each.high for each in known]) >= 0.9


def test_intervals_of_the_distance_itself_hold_it() -> None:
    rng = np.random.default_rng(8)
    found = [
        topic_drift([texts(20, 0, rng)], [texts(20, 1, rng)], resamples=200, rng=rng)
        for _ in range(200)
    ]
    known = [each for each in found if each is not None]
    truth = np.mean([each.distance for each in known])
    held = np.mean([each.distance_low <= truth <= each.distance_high for each in known])
    assert 0.9 <= held <= 0.99


def test_centroids_of_texts_drawn_again_do_not_move_the_interval() -> None:
    """They are less precise, so that all is further from them: by .05 here."""
    rng = np.random.default_rng(9)
    beside = []
    for _ in range(100):
        plain, changed = texts(8, 0, rng, spread=0.6), texts(20, 0, rng, spread=0.6)
        found = topic_drift([plain], [changed], resamples=200, rng=rng)
        assert found is not None
        beside.append((found.distance_low + found.distance_high) / 2 - found.distance)
    assert abs(np.mean(beside)) < 0.02


def test_prompts_with_too_few_texts_are_left_out() -> None:
    rng = np.random.default_rng(4)
    few, none = texts(3, 0, rng), np.empty((0, 8))
    assert topic_drift([few, texts(6, 0, rng)], [texts(3, 0, rng), none], rng=rng) is None


def test_a_change_of_means_is_compared_within_prompts() -> None:
    rng = np.random.default_rng(5)
    # The second prompt is ten higher throughout, and asked more often under the second condition.
    first = [rng.normal(0, 1, 30), rng.normal(10, 1, 10)]
    second = [rng.normal(1, 1, 10), rng.normal(11, 1, 30)]
    found = mean_change(first, second, resamples=4000, rng=rng)
    assert found is not None
    by_hand = np.mean([b.mean() - a.mean() for a, b in zip(first, second, strict=True)])
    assert found.change.value[0] == pytest.approx(by_hand)
    assert found.change.low[0] < 1 < found.change.high[0]
    assert found.change.p[0] < 0.01
    assert found.change.chance.expected[0] == pytest.approx(0, abs=0.05)
    own = found.second.ends(0)
    assert own[0] == pytest.approx(np.mean([each.mean() for each in second]))
    assert own[1] < own[0] < own[2]
    assert found.n == 40


def test_equal_means_differ_at_the_nominal_rate() -> None:
    rng = np.random.default_rng(6)
    p = []
    for _ in range(300):
        cells = rng.normal(0, 1, (2, 2, 12))
        found = mean_change(list(cells[0]), list(cells[1]), resamples=200, rng=rng)
        assert found is not None
        p.append(found.change.p[0])
    assert 0.02 <= np.mean(np.array(p) <= 0.05) <= 0.09


def test_without_values_there_is_no_change() -> None:
    rng = np.random.default_rng(7)
    assert mean_change([np.ones(3), np.empty(0)], [np.empty(0), np.ones(2)], rng=rng) is None
