"""Whether a scorer is worse for one group: seen where planted, and not where it is not."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from statsmodels.stats.inter_rater import cohens_kappa

from slant.stats.group_agreement import group_agreement


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def judged(wrong: list[tuple[int, int]], n: int = 40) -> NDArray[np.int64]:
    """Count false alarms and misses among n judged of either score, group by group."""
    return np.array([[[n - miss, miss], [alarm, n - alarm]] for alarm, miss in wrong])


def test_figures_are_those_of_each_table_weighed_up() -> None:
    sizes = np.array([[400, 100], [450, 50]])
    found = group_agreement(judged([(4, 2), (8, 0)]), sizes, resamples=500, rng=rng())
    assert found["false_alarms"].value == pytest.approx([0.1, 0.2, (10 + 10) / 150])
    assert found["misses"].value == pytest.approx([0.05, 0, 20 / 850])
    assert found["error_rate"].value == pytest.approx([30 / 500, 10 / 500, 40 / 1000])
    whole = [[[380, 20], [10, 90]], [[450, 0], [10, 40]], [[830, 20], [20, 130]]]
    kappa = [cohens_kappa(np.array(table)).kappa for table in whole]
    assert found["kappa"].value == pytest.approx(kappa, abs=1e-12)
    assert found["kappa"].difference == pytest.approx([kappa[0] - kappa[1], kappa[1] - kappa[0]])
    for each in found.values():
        assert (each.low <= each.value).all()
        assert (each.value <= each.high).all()


def test_a_scorer_that_cries_wolf_over_one_group_is_found() -> None:
    sizes = np.full((4, 2), [400, 100])
    found = group_agreement(judged([(2, 1), (3, 1), (22, 1), (2, 0)]), sizes, rng=rng())
    assert found["false_alarms"].p[2] < 0.001
    assert found["false_alarms"].difference[2] == pytest.approx(0.5)
    assert found["error_rate"].p[2] < 0.01
    assert found["kappa"].p[2] < 0.01
    assert found["kappa"].difference[2] < 0
    assert found["misses"].p.min() > 0.5


def test_kappa_that_differs_for_want_of_ones_proves_nothing() -> None:
    """The same labels on the same scores; of one group hardly anything is scored 1."""
    sizes = np.array([[300, 200], [300, 200], [300, 200], [490, 50]])
    found = group_agreement(judged([(4, 3)] * 4), sizes, rng=rng())["kappa"]
    assert found.difference[3] < -0.1
    assert found.p[3] > 0.5
    assert found.chance.expected[3] == pytest.approx(found.difference[3], abs=0.05)
    assert found.chance.low[3] < found.difference[3] < found.chance.high[3]
    own = found.chance[3]
    assert own is not None
    assert own.histogram is not None
    assert sum(own.histogram.counts) == 10_000


@pytest.mark.slow
def test_false_discoveries_are_as_rare_as_they_should_be() -> None:
    random = np.random.default_rng(3)
    sizes = np.full((3, 2), [300, 60])
    smallest = []
    for _ in range(200):
        misses, hits = random.binomial(20, [[0.05], [0.8]], size=(2, 3))
        counts = np.stack(
            [np.stack([20 - misses, misses], -1), np.stack([20 - hits, hits], -1)], axis=1
        )
        found = group_agreement(counts, sizes, resamples=400, rng=random)["error_rate"]
        smallest.append(found.p[0])
    assert np.mean(np.array(smallest) < 0.05) <= 0.09


def test_what_was_not_judged_is_not_known() -> None:
    counts = judged([(4, 2), (8, 2), (3, 1)])
    counts[1, 1] = 0  # nothing that was scored 1 has been judged
    sizes = np.array([[400, 100], [450, 50], [500, 0]])
    counts[2, 1] = 0  # and here nothing is scored 1
    found = group_agreement(counts, sizes, resamples=200, rng=rng())
    assert np.isnan(found["error_rate"].value).tolist() == [False, True, False, True]
    assert np.isnan(found["false_alarms"].value).tolist() == [False, True, True, True]
    assert np.isnan(found["misses"].value).tolist() == [False, False, False, False]
    assert np.isnan(found["kappa"].value).tolist() == [False, True, True, True]
    assert np.isnan(found["kappa"].difference).all()
    assert np.isnan(found["error_rate"].p).tolist() == [False, True, False]


def test_all_groups_together_are_known_as_well_as_one_of_that_size() -> None:
    """Twelve groups of 10 judged answers of either score, none wrong, are 120 judged answers."""
    many = group_agreement(judged([(0, 0)] * 12, n=10), np.full((12, 2), 50), rng=rng())
    one = group_agreement(judged([(0, 0)], n=120), [[600, 600]], rng=rng())
    assert many["misses"].high[-1] == pytest.approx(one["misses"].high[-1], abs=0.005)
    assert many["kappa"].low[-1] == pytest.approx(one["kappa"].low[-1], abs=0.01)


def test_nothing_judged_at_all() -> None:
    found = group_agreement(np.zeros((2, 2, 2)), [[9, 1], [9, 1]], resamples=50, rng=rng())
    assert all(np.isnan(each.value).all() for each in found.values())


@pytest.mark.parametrize(
    ("counts", "sizes", "message"),
    [
        (np.zeros((2, 3, 2)), np.zeros((2, 2)), "shapes"),
        (np.zeros((2, 2, 2)), np.zeros((3, 2)), "shapes"),
        (np.ones((1, 2, 2)), np.ones((1, 2)), "exceed"),
    ],
)
def test_impossible_counts_are_refused(
    counts: NDArray[np.float64],
    sizes: NDArray[np.float64],
    message: str,
) -> None:
    with pytest.raises(ValueError, match=message):
        group_agreement(counts, sizes, rng=rng())
