from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from slant.stats import benjamini_hochberg, hedges_g
from slant.stats.grid_contrasts import grid_contrasts, group_strength
from slant.stats.median_of_others import median_of_others
from slant.stats.moderation import prior_variance


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def grid(
    labels: int = 6, names: int = 10, columns: int = 30, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Draw a grid without differences, in which what a name does shows in all columns."""
    random = rng(seed)
    count = labels * names
    rare = random.standard_t(3, (count, 1)) * random.normal(1, 0.5, columns)
    return rare + random.normal(0, 1, (count, columns)), np.repeat(np.arange(labels), names)


def slow_t(values: np.ndarray, labels: np.ndarray, strata: np.ndarray) -> np.ndarray:
    """Compute t as its definition says, one cell after the other."""
    names, columns = values.shape
    count, kinds = labels.max() + 1, np.unique(strata)
    total = np.zeros(columns)
    for s in kinds:
        total += ((values[strata == s] - values[strata == s].mean(axis=0)) ** 2).sum(axis=0)
    prior, worth = prior_variance(total / (names - len(kinds)), names - len(kinds))
    means, within, scale = np.zeros((count, columns)), np.zeros(columns), np.zeros(count)
    for label in range(count):
        for s in kinds:
            own = values[(labels == label) & (strata == s)]
            means[label] += own.mean(axis=0) / len(kinds)
            within += ((own - own.mean(axis=0)) ** 2).sum(axis=0)
            scale[label] += 1 / len(own) / len(kinds) ** 2
    freedom = names - count * len(kinds)
    share = 1.0 if np.isinf(worth) else worth / (worth + freedom)
    spread = np.sqrt(share * prior + (1 - share) * within / freedom)
    value = np.array([means[g] - np.median(np.delete(means, g, 0), axis=0) for g in range(count)])
    return np.asarray(value / spread / np.sqrt(scale)[:, None])


def test_value_and_effect_are_what_they_are_called() -> None:
    values, labels = grid()
    found = grid_contrasts(values, labels, resamples=10, rng=rng())
    means = np.array([values[labels == g].mean(axis=0) for g in range(6)])
    np.testing.assert_allclose(found.value, means - median_of_others(means.T).T, atol=1e-12)
    assert found.n.tolist() == [10] * 6
    assert (found.low <= found.value).all()
    assert (found.value <= found.high).all()

    two = grid_contrasts(values[:20], labels[:20], resamples=10, rng=rng())
    theirs = [hedges_g(values[:10, c], values[10:20, c]) for c in range(30)]
    np.testing.assert_allclose(two.effect[0], theirs)
    np.testing.assert_allclose(two.effect[1], -two.effect[0])


@pytest.mark.parametrize("labels", [2, 3, 4, 5, 8])
def test_ties_and_odd_numbers_of_labels_have_the_median_of_the_others(labels: int) -> None:
    means = rng(labels).integers(0, 3, (labels, 40)).astype(float)
    values = np.repeat(means, 2, axis=0) + np.tile([[-0.5], [0.5]], (labels, 1))
    found = grid_contrasts(values, np.repeat(np.arange(labels), 2), resamples=2, rng=rng())
    np.testing.assert_allclose(found.value, means - median_of_others(means.T).T, atol=1e-12)


def test_strata_count_alike_whatever_their_sizes() -> None:
    labels = np.array([0, 0, 0, 0, 0, 0, 1, 1, 1, 1])
    strata = np.array([7, 7, 7, 7, 9, 9, 7, 7, 9, 9])
    values = np.array([1.0, 3, 2, 2, 10, 20, 0, 2, 4, 6])[:, None]
    found = grid_contrasts(values, labels, strata, resamples=10, rng=rng())
    assert found.value[:, 0] == pytest.approx([(2 + 15) / 2 - (1 + 5) / 2, -5.5])
    assert found.n.tolist() == [6, 4]


def test_what_a_missing_stratum_would_have_added_is_no_difference() -> None:
    values, labels = grid(3, 20, 5)
    strata = np.tile(np.repeat([0, 1], 10), 3)
    values[strata == 1] += 100
    keep = ~((labels == 2) & (strata == 1))
    found = grid_contrasts(values[keep], labels[keep], strata[keep], resamples=10, rng=rng())
    assert np.abs(found.value).max() < 5


def test_a_label_counts_where_it_is() -> None:
    labels = np.array([0, 0, 1, 1, 2, 2, 0, 0, 1, 1])
    strata = np.array([5, 5, 5, 5, 5, 5, 8, 8, 8, 8])
    values = np.array([-3.0, -3, 0, 0, 3, 3, 11, 11, 9, 9])[:, None]
    found = grid_contrasts(values, labels, strata, resamples=10, rng=rng())
    # Means within strata: -3 and 1, 0 and -1, and 3 where the third label is.
    assert found.value[:, 0] == pytest.approx([-1 - (-0.5 + 3) / 2, -0.5 - 1, 3 + 0.75])


def test_labels_are_permuted_within_strata_only() -> None:
    values, labels = rng(8).normal(size=(40, 30)), np.tile([0, 1], 20)
    strata = np.repeat([0, 1], 20)
    plain = grid_contrasts(values, labels, strata, resamples=300, rng=rng())
    apart = grid_contrasts(values + 100 * strata[:, None], labels, strata, resamples=300, rng=rng())
    np.testing.assert_allclose(plain.p, apart.p, atol=1e-3)
    np.testing.assert_allclose(plain.value, apart.value, atol=1e-9)


def test_p_is_that_of_all_arrangements() -> None:
    values = rng(3).normal(0, [1, 2, 5], (7, 3)) + rng(4).normal(0, 1, (7, 1))
    labels, strata = np.array([0, 0, 1, 1, 1, 0, 1]), np.zeros(7, dtype=int)
    orders = sorted(set(permutations(labels.tolist())))
    every = np.array([slow_t(values, np.array(order), strata) for order in orders])
    t = np.abs(slow_t(values, labels, strata))
    # Labels of three and of four names have nulls of their own.
    exact = [[(np.abs(every[:, g]) >= t[g, c] - 1e-9).mean() for c in range(3)] for g in range(2)]
    found = grid_contrasts(values, labels, resamples=20_000, rng=rng())
    np.testing.assert_allclose(found.p, exact, atol=0.012)


def test_permuting_within_strata_agrees_with_the_slow_way() -> None:
    values, labels = grid(3, 12, 4, seed=5)
    strata = np.tile(np.repeat([0, 1], 6), 3)
    values[strata == 1] += 3
    random, draws = rng(1), []
    for _ in range(1500):
        shuffled = labels.copy()
        for s in (0, 1):
            shuffled[strata == s] = random.permutation(shuffled[strata == s])
        draws.append(np.abs(slow_t(values, shuffled, strata)))
    t = np.abs(slow_t(values, labels, strata))
    slow = [[(np.array(draws) >= cell).mean() for cell in row] for row in t]
    found = grid_contrasts(values, labels, strata, resamples=4000, rng=rng())
    np.testing.assert_allclose(found.p, slow, atol=0.02)


def test_one_column_and_two_labels_are_compared_as_scipy_does() -> None:
    values, labels = grid(2, 10, 1, seed=4)
    values[:10] += 1.0
    found = grid_contrasts(values, labels, resamples=20_000, rng=rng())
    theirs = stats.permutation_test(
        (values[:10, 0], values[10:, 0]),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        vectorized=True,
        n_resamples=20_000,
        rng=rng(1),
    )
    assert found.p[0, 0] == pytest.approx(theirs.pvalue, abs=0.015)
    assert found.p[1, 0] == pytest.approx(found.p[0, 0], abs=0.005)


@pytest.mark.slow
def test_without_differences_p_is_even_and_chance_ranges_hold() -> None:
    p, inside = [], []
    for seed in range(60):
        values, labels = grid(4, 10, 8, seed)
        found = grid_contrasts(values, labels, resamples=300, rng=rng(seed))
        p.append(found.p[seed % 4, seed % 8])
        kept = (found.chance_low <= found.value) & (found.value <= found.chance_high)
        np.testing.assert_array_equal(kept, found.p >= 0.05)
        inside.append(kept.mean())
    assert stats.kstest(p, "uniform").pvalue > 0.001
    assert np.mean(inside) == pytest.approx(0.95, abs=0.03)


@pytest.mark.slow
def test_intervals_cover() -> None:
    covered = []
    for seed in range(40):
        values, labels = grid(6, 10, 10, seed)
        true = rng(seed + 1000).normal(0, 1, (6, 10))
        found = grid_contrasts(values + true[labels], labels, resamples=1, rng=rng(seed))
        contrast = true - median_of_others(true.T).T
        covered.append((found.low <= contrast) & (contrast <= found.high))
    assert np.mean(covered) == pytest.approx(0.95, abs=0.025)


@pytest.mark.slow
@pytest.mark.parametrize("planted", [0.0, 3.0], ids=["nothing planted", "planted"])
def test_permuted_names_give_no_discoveries_beyond_the_nominal_rate(planted: float) -> None:
    values, labels = grid(6, 10, 40, seed=8)
    values[labels == 2, :5] += planted
    runs = 200
    found = []
    for run in range(runs):
        shuffled = rng(run).permutation(labels)
        p = grid_contrasts(values, shuffled, resamples=150, rng=rng(run)).p
        found.append((benjamini_hochberg(p) < 0.05).any())
    # 5% of 200 runs, and two standard errors.
    assert np.mean(found) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / runs)


def test_what_is_planted_is_found_and_the_rest_is_not() -> None:
    values, labels = grid(20, 10, 60, seed=2)
    values[labels == 3, 10:14] += 8
    values[labels == 7, 20] -= 8
    found = grid_contrasts(values, labels, resamples=300, rng=rng())
    flagged = {(int(g), int(c)) for g, c in np.argwhere(benjamini_hochberg(found.p) < 0.05)}
    planted = {(3, 10), (3, 11), (3, 12), (3, 13), (7, 20)}
    assert planted <= flagged
    assert len(flagged - planted) <= 2
    assert found.value[3, 10] > 0 > found.value[7, 20]
    assert found.low[3, 10] < 8 < found.high[3, 10]
    # Far below what 300 permutations could tell one by one.
    assert found.p[3, 10] < 1e-4


def test_a_true_effect_elsewhere_does_not_hide_a_smaller_one() -> None:
    values, labels = grid(20, 10, 60, seed=2)
    values[labels == 7, 20] -= 8
    alone = grid_contrasts(values, labels, resamples=300, rng=rng())
    values[labels == 3, :20] += 30
    beside = grid_contrasts(values, labels, resamples=300, rng=rng())
    assert beside.p[7, 20] < 10 * alone.p[7, 20]


def test_the_same_seed_gives_the_same_figures() -> None:
    values, labels = grid()
    first, second = (grid_contrasts(values, labels, resamples=50, rng=rng(9)) for _ in range(2))
    np.testing.assert_array_equal(first.p, second.p)
    np.testing.assert_array_equal(first.low, second.low)


def test_equal_names_differ_by_nothing() -> None:
    values, labels = np.tile(np.arange(4.0), (9, 1)), np.repeat([0, 1, 2], 3)
    found = grid_contrasts(values, labels, resamples=20, rng=rng())
    assert not found.value.any()
    assert not found.effect.any()
    assert (found.p == 1).all()
    strength = group_strength(values, labels, resamples=20, rng=rng())
    assert strength.value.tolist() == strength.low.tolist() == [0, 0, 0]
    assert strength.p.tolist() == [1, 1, 1]


def test_strength_finds_the_distinct_label_and_no_other() -> None:
    values, labels = grid(8, 10, 80, seed=6)
    values[labels == 5] += rng(7).normal(0, 2.5, 80)
    found = group_strength(values, labels, resamples=500, rng=rng())
    t = slow_t(values, labels, np.zeros(80, dtype=int))
    np.testing.assert_allclose(found.value, np.sqrt((t**2).mean(axis=1)))
    assert found.p[5] < 0.005
    assert (np.delete(found.p, 5) > 0.01).all()
    chance = found.chance
    assert found.value[5] > chance.high[5]
    assert (found.low < found.value).all()
    assert (found.low < 0.9).any()
    assert (chance.low < chance.expected).all()
    assert (chance.expected < chance.high).all()


@pytest.mark.slow
def test_strength_is_even_without_differences_and_its_interval_covers() -> None:
    p, strengths, lows, highs = [], [], [], []
    planted = rng(1).normal(0, 1, 30)
    for seed in range(100):
        values, labels = grid(4, 10, 30, seed)
        p.append(group_strength(values, labels, resamples=100, rng=rng(seed)).p[0])
        values = rng(seed).normal(0, 1, values.shape)
        values[labels == 1] += planted
        found = group_strength(values, labels, resamples=1, rng=rng(seed))
        strengths.append(found.value[1])
        lows.append(found.low[1])
        highs.append(found.high[1])
    assert stats.kstest(p, "uniform").pvalue > 0.001
    typical = np.mean(strengths)
    covered = (np.array(lows) <= typical) & (typical <= np.array(highs))
    assert covered.mean() >= 0.9


@pytest.mark.parametrize(
    ("values", "labels", "strata", "said"),
    [
        (np.zeros((4, 2)), [0, 0, 1], None, "do not match"),
        (np.zeros(4), [0, 0, 1, 1], None, "do not match"),
        (np.zeros((4, 0)), [0, 0, 1, 1], None, "do not match"),
        (np.zeros((4, 2)), [0, 0, 1, 1], [0, 0, 0], "do not match"),
        (np.full((4, 2), np.inf), [0, 0, 1, 1], None, "NaN or infinities"),
        (np.zeros((4, 2)), [0, 0, 0, 0], None, "two labels"),
        (np.zeros((4, 2)), [0, 0, 2, 2], None, "without gaps"),
        (np.zeros((4, 2)), [0, 0, 0, 1], None, "two names"),
        (np.zeros((4, 2)), [0, 0, 1, 1], [0, 0, 0, 1], "two names"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    values: np.ndarray, labels: list[int], strata: list[int] | None, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        grid_contrasts(values, labels, strata, resamples=5, rng=rng())


def test_no_resamples_are_refused() -> None:
    values, labels = grid()
    with pytest.raises(ValueError, match="resamples"):
        group_strength(values, labels, resamples=0, rng=rng())
