from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from scipy import stats

from slant.stats.blocked_means import blocked_means
from slant.stats.median_of_others import median_of_others
from slant.stats.multiple import benjamini_hochberg


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


def studentised(means: np.ndarray, within: np.ndarray) -> np.ndarray:
    """Divide differences from the others by their standard errors; (..., groups, blocks)."""
    groups, count = within.shape[-2:]
    variance = (within - within.mean(axis=-2, keepdims=True)).var(axis=-1, ddof=1)
    typical = variance.mean(axis=-1, keepdims=True)
    moderated = ((count - 1) * variance + 3 * typical) / (count + 2)
    error = np.sqrt(moderated / count) * groups / (groups - 1)
    return np.asarray((means - median_of_others(means)) / error)


def test_p_is_that_of_all_arrangements() -> None:
    values = blocks(3, 4, seed=2)
    orders = [list(order) for order in permutations(range(3))]
    every = np.array(
        [
            np.stack([values[order, block] for block, order in enumerate(chosen)], axis=-1)
            for chosen in product(orders, repeat=4)
        ]
    )
    chance = studentised(every.mean(axis=-1), every)
    value = studentised(values.mean(axis=1), values)
    exact = (np.abs(chance) >= np.abs(value) * (1 - 1e-12)).mean(axis=0)
    found = blocked_means(values, resamples=40_000, rng=rng())
    np.testing.assert_allclose(found.vs_rest.p, exact, atol=0.01)


@pytest.mark.parametrize(
    "count", [4, *(pytest.param(count, marks=pytest.mark.slow) for count in (6, 10))]
)
def test_intervals_cover_with_few_blocks(count: int) -> None:
    # Percentiles of a plain bootstrap covered 82, 86 and 93% of means.
    random, own, rest = rng(count), [], []
    for seed in range(120):
        found = blocked_means(blocks(4, count, seed=seed), resamples=300, rng=random)
        apart = found.vs_rest
        rest += list((apart.low <= 0) & (apart.high >= 0))
        values = random.normal(0, 1, (4, count))
        alone = blocked_means(values, resamples=300, rng=random).own
        own += list((alone.low <= 0) & (alone.high >= 0))
    assert 0.925 <= np.mean(own) <= 0.98
    assert 0.925 <= np.mean(rest) <= 0.985


@pytest.mark.slow
def test_a_group_that_varies_more_is_not_found_for_that_nor_hides_another() -> None:
    # Exchanges of plain means found something in 13% of tables, and a real difference beside a
    # group that varies three times as much in 37% instead of 67%.
    random, false, seen = rng(3), 0, 0
    for _ in range(150):
        noise = random.normal(0, 1, (6, 20))
        noise[1] *= 3
        q = benjamini_hochberg(blocked_means(noise, resamples=400, rng=random).vs_rest.p)
        false += int((q < 0.05).any())
        noise[0] += 1
        q = benjamini_hochberg(blocked_means(noise, resamples=400, rng=random).vs_rest.p)
        seen += int(q[0] < 0.05)
    assert false / 150 <= 0.08
    assert seen / 150 >= 0.55


def test_blocks_that_all_show_the_same_leave_room_for_one_that_does_not() -> None:
    values = np.tile([[1.0], [0.0], [0.0]], (1, 5))
    found = blocked_means(values, resamples=2000, rng=rng()).vs_rest
    assert found.low[0] < found.value[0] == 1 < found.high[0]
    assert 0 < found.p[0] < 0.05


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
    assert (np.delete(found.vs_rest.p, 2) > 0.005).all()


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
