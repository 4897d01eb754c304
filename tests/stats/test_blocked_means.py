from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from slant.stats.blocked_means import blocked_means
from slant.stats.median_of_others import median_of_others


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def blocks(groups: int = 5, count: int = 40, seed: int = 0) -> np.ndarray:
    """Draw values in which blocks differ ten times as much as anything else."""
    random = rng(seed)
    return random.normal(0, 1, (groups, count)) + random.normal(0, 10, count)


def test_figures_are_what_they_are_called() -> None:
    values = blocks()
    found = blocked_means(values, rng=rng())
    means = values.mean(axis=1)
    np.testing.assert_allclose(found.own.value, means)
    np.testing.assert_allclose(
        found.vs_rest.value,
        [means[g] - np.median(np.delete(means, g)) for g in range(5)],
    )
    apart = np.array([values[g] - np.median(np.delete(values, g, 0), axis=0) for g in range(5)])
    np.testing.assert_allclose(found.effect, found.vs_rest.value / apart.std(axis=1, ddof=1))
    assert (found.vs_rest.low <= found.vs_rest.value).all()
    assert (found.vs_rest.value <= found.vs_rest.high).all()


def test_p_is_that_of_all_arrangements() -> None:
    values = blocks(3, 4, seed=2)
    orders = [list(order) for order in permutations(range(3))]
    every = np.array(
        [
            np.mean([values[order, block] for block, order in enumerate(chosen)], axis=0)
            for chosen in product(orders, repeat=4)
        ]
    )
    chance = every - median_of_others(every)
    value = values.mean(axis=1) - median_of_others(values.mean(axis=1))
    exact = (np.abs(chance) >= np.abs(value) * (1 - 1e-12)).mean(axis=0)
    found = blocked_means(values, resamples=40_000, rng=rng())
    np.testing.assert_allclose(found.vs_rest.p, exact, atol=0.01)


def test_two_groups_are_compared_as_scipy_does() -> None:
    values = blocks(2, 30, seed=5)
    values[0] += 0.4
    found = blocked_means(values, resamples=20_000, rng=rng())
    theirs = stats.permutation_test(
        (values[0], values[1]),
        lambda a, b, axis: (a - b).mean(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=20_000,
        rng=rng(1),
    )
    assert found.vs_rest.p[0] == pytest.approx(theirs.pvalue, abs=0.015)
    assert found.vs_rest.p[0] == pytest.approx(found.vs_rest.p[1], abs=0.015)


def test_a_group_that_stands_out_is_found_and_the_others_are_not() -> None:
    values = blocks(6, 40, seed=7)
    values[2] += 2.0
    found = blocked_means(values, rng=rng())
    assert found.vs_rest.p[2] < 0.001
    assert found.vs_rest.low[2] < 2.0 < found.vs_rest.high[2]
    assert (np.delete(found.vs_rest.p, 2) > 0.01).all()


def test_without_a_difference_p_is_even_and_intervals_cover() -> None:
    p, covered = [], []
    for seed in range(150):
        found = blocked_means(blocks(4, 30, seed=seed), resamples=300, rng=rng(seed))
        p.append(found.vs_rest.p[0])
        covered.append(found.vs_rest.low[0] <= 0 <= found.vs_rest.high[0])
    assert stats.kstest(p, "uniform").pvalue > 0.001
    assert np.mean(covered) > 0.9


def test_equal_groups_differ_by_nothing() -> None:
    found = blocked_means(np.tile(np.arange(6.0), (3, 1)), rng=rng())
    assert found.vs_rest.value.tolist() == found.effect.tolist() == [0, 0, 0]
    assert found.vs_rest.p.tolist() == [1, 1, 1]


@pytest.mark.parametrize("shape", [(1, 5), (5, 1), (5,)])
def test_too_little_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="two groups and two blocks"):
        blocked_means(np.zeros(shape), rng=rng())


def test_holes_are_refused() -> None:
    values = blocks()
    values[1, 1] = np.inf
    with pytest.raises(ValueError, match="NaN or infinities"):
        blocked_means(values, rng=rng())
