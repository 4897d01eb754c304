from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from cpu_time import cpu_seconds
from slant.stats import (
    Contrast,
    GroupedRates,
    cohen_h,
    grouped_rates,
    newcombe,
    odds_ratio,
    rates,
    wilson,
)
from slant.stats.chance import Chance

ABID = np.array([[66], [15], [13], [14], [15], [14]])
HUNDRED = np.full((6, 1), 100)


def compare(successes: Any, trials: Any, *, seed: int = 1, **options: Any) -> GroupedRates:
    return grouped_rates(successes, trials, rng=np.random.default_rng(seed), **options)


def arrays_of(contrast: Contrast) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    for name in (field.name for field in fields(contrast) if field.name != "permuted"):
        value = getattr(contrast, name)
        if isinstance(value, Chance):
            ends = ("expected", "low", "high")
            found |= {f"{name}.{end}": getattr(value, end) for end in ends}
        else:
            found[name] = value
    return found


def against_reference(result: GroupedRates) -> Contrast:
    assert result.vs_reference is not None
    return result.vs_reference


def both(result: GroupedRates) -> tuple[Contrast, Contrast]:
    return result.vs_rest, against_reference(result)


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    groups, clusters = draw(st.integers(1, 6)), draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    largest = draw(st.sampled_from([1, 3, 40]))
    trials = rng.integers(draw(st.integers(0, 1)), largest + 1, (groups, clusters))
    rate = draw(st.sampled_from([0, 0.02, 0.3, 1]))
    return rng.binomial(trials, rate), trials


def test_one_prompt_as_published() -> None:
    result = compare(ABID, HUNDRED, reference=1)
    np.testing.assert_allclose(result.rates.value, ABID[:, 0] / 100)
    np.testing.assert_array_equal(result.rates.n, [100] * 6)
    np.testing.assert_array_equal(
        [result.rates.low, result.rates.high], wilson(ABID[:, 0], HUNDRED[:, 0])
    )
    rest, reference = both(result)
    assert rest.value[0] == pytest.approx(0.66 - 0.14)
    assert rest.p[0] == pytest.approx(1 / 10_001)
    assert (rest.p[1:] > 0.5).all()
    assert rest.chance.low[0] < rest.chance.expected[0] < rest.chance.high[0] < rest.low[0]
    assert rest.cohen_h[0] == pytest.approx(cohen_h(0.66, 0.14))
    assert rest.odds_ratio[0] == pytest.approx((66.5 / 34.5) / (14.5 / 86.5))
    assert rest.odds_low[0] < rest.odds_ratio[0] < rest.odds_high[0]
    assert rest.permuted == reference.permuted == "observations"

    others = [0, 2, 3, 4, 5]
    k = ABID[others, 0]
    np.testing.assert_allclose(reference.value[others], k / 100 - 0.15)
    np.testing.assert_allclose(
        [reference.low[others], reference.high[others]], newcombe(k, 100, 15, 100)
    )
    np.testing.assert_allclose(
        [reference.odds_ratio[others], reference.odds_low[others], reference.odds_high[others]],
        odds_ratio(k, 100, 15, 100),
    )
    np.testing.assert_allclose(reference.cohen_h[others], cohen_h(k / 100, 0.15))
    assert all(np.isnan(array[1]) for array in arrays_of(reference).values())


@pytest.mark.parametrize(("a", "b"), [((9, 15), (3, 15)), ((8, 10), (4, 10)), ((30, 40), (20, 40))])
def test_two_groups_agree_with_fishers_exact_test(a: tuple[int, int], b: tuple[int, int]) -> None:
    # With equally large groups, "as far apart" and "as improbable" mean the same.
    table = np.array([[a[0], a[1] - a[0]], [b[0], b[1] - b[0]]])
    rest, reference = both(compare([[a[0]], [b[0]]], [[a[1]], [b[1]]], reference=1))
    fisher = stats.fisher_exact(table).pvalue
    np.testing.assert_allclose([*rest.p, reference.p[0]], fisher, atol=0.015)


def test_sign_flips_agree_with_scipy() -> None:
    rng = np.random.default_rng(2)
    trials = np.full((3, 12), 20)
    successes = rng.binomial(trials, np.array([[0.45], [0.3], [0.3]]))
    result = against_reference(compare(successes, trials, reference=2))
    assert result.permuted == "cells"
    cells = successes / trials
    exact = stats.permutation_test(
        (cells[0], cells[2]),
        lambda x, y, axis: np.abs((x - y).mean(axis)),
        permutation_type="samples",
        n_resamples=100_000,
        alternative="greater",
        vectorized=True,
    )
    assert result.p[0] == pytest.approx(exact.pvalue, abs=0.01)


def test_nothing_found_anywhere() -> None:
    for shape in [(6, 1), (6, 8), (2, 3)]:
        result = compare(np.zeros(shape), np.full(shape, 100), reference=0)
        np.testing.assert_array_equal(result.rates.value, 0)
        np.testing.assert_array_equal(result.rates.low, 0)
        assert (result.rates.high > 0).all()
        for contrast, compared in zip(both(result), (slice(None), slice(1, None)), strict=True):
            found = {name: array[compared] for name, array in arrays_of(contrast).items()}
            assert all(np.isfinite(array).all() for array in found.values())
            assert (found["p"] == 1).all()
            assert (found["value"] == 0).all()
            assert (found["low"] < 0).all()
            assert (found["high"] > 0).all()
            np.testing.assert_allclose(found["odds_ratio"], 1)


def test_rounding_errors_are_no_differences() -> None:
    # The same three rates in another order do not add up to the same last digit.
    successes = np.array([[1, 2, 6], [1, 2, 6], [1, 2, 6]])
    result = compare(np.tile(successes, 3), np.full((3, 9), 10), reference=0)
    np.testing.assert_array_equal(result.vs_rest.p, 1)
    np.testing.assert_array_equal(against_reference(result).p[1:], 1)


def test_a_group_without_trials_changes_nothing_for_the_others() -> None:
    with_it = compare(np.insert(ABID, 2, 0, axis=0), np.insert(HUNDRED, 2, 0, axis=0), reference=3)
    without = compare(ABID, HUNDRED, reference=2)
    assert with_it.rates.n[2] == 0
    assert np.isnan([with_it.rates.value[2], with_it.rates.low[2], with_it.rates.high[2]]).all()
    for more, fewer in zip(both(with_it), both(without), strict=True):
        for name, array in arrays_of(more).items():
            assert np.isnan(array[2])
            np.testing.assert_array_equal(np.delete(array, 2), arrays_of(fewer)[name])


def test_a_prompt_without_trials_changes_nothing() -> None:
    successes, trials = np.insert(ABID, 0, 0, axis=1), np.insert(HUNDRED, 0, 0, axis=1)
    np.testing.assert_array_equal(
        compare(successes, trials).vs_rest.p, compare(ABID, HUNDRED).vs_rest.p
    )


@pytest.mark.parametrize("trials", [[[0, 0], [0, 0]], [[5, 5], [0, 0]], [[0, 3], [0, 0]]])
def test_where_nothing_can_be_compared(trials: list[list[int]]) -> None:
    result = compare(np.zeros((2, 2)), trials, reference=1)
    for contrast in both(result):
        assert all(np.isnan(array).all() for array in arrays_of(contrast).values())
    assert np.isnan(result.rates.value).tolist() == [sum(row) == 0 for row in trials]


def test_different_prompts_make_no_difference_between_groups() -> None:
    # The first group was not asked the prompts that draw out high rates.
    rate = np.tile([0.1, 0.1, 0.1, 0.8, 0.8, 0.8, 0.8], (4, 1))
    trials = np.full(rate.shape, 50)
    trials[0, 3:] = 0
    rest, reference = both(
        compare(np.random.default_rng(1).binomial(trials, rate), trials, reference=1)
    )
    assert rest.value[0] < -0.3
    assert rest.chance.expected[0] == pytest.approx(rest.value[0], abs=0.06)
    assert rest.p[0] > 0.1
    assert reference.p[0] > 0.1


def test_different_prompts_hide_no_difference_between_groups() -> None:
    # As above, but the first group gets high rates where the others get low ones.
    rate = np.tile([0.1, 0.1, 0.1, 0.1, 0.9, 0.9, 0.9, 0.9], (4, 1))
    rate[0] = 0.5
    trials = np.full(rate.shape, 50)
    trials[0, 4:] = 0
    rest, reference = both(
        compare(np.random.default_rng(1).binomial(trials, rate), trials, reference=1)
    )
    assert rest.value[0] == pytest.approx(0, abs=0.05)
    assert rest.chance.expected[0] < -0.2
    assert rest.p[0] < 0.05
    assert reference.p[0] < 0.05


def test_few_prompts_of_two_groups_borrow_the_cells_of_all() -> None:
    trials = np.full((6, 8), 30)
    successes = np.random.default_rng(3).binomial(trials, np.array([[0.6]] + [[0.2]] * 5))
    result = against_reference(compare(successes, trials, reference=1))
    assert result.permuted == "cells"
    # Two groups alone could not fall below 2 / 2**8.
    assert result.p[0] < 0.005
    assert (result.p[2:] > 0.05).all()


@settings(max_examples=60)
@given(tables())
def test_results_are_possible(table: tuple[np.ndarray, np.ndarray]) -> None:
    successes, trials = table
    result = compare(successes, trials, reference=0, resamples=40)
    asked = trials.sum(1) > 0
    own = result.rates
    np.testing.assert_array_equal(own.value, rates(successes, trials))
    assert ((own.low >= 0) & (own.low <= own.value) & (own.value <= own.high))[asked].all()
    assert (own.high <= 1)[asked].all()
    but_reference = asked & (np.arange(len(asked)) > 0)
    for contrast, compared in zip(both(result), (asked, but_reference), strict=True):
        found = {name: array[compared] for name, array in arrays_of(contrast).items()}
        if asked.sum() < 2 or (contrast is result.vs_reference and not asked[0]):
            assert all(np.isnan(array).all() for array in found.values())
            continue
        assert all(np.isfinite(array).all() for array in found.values())
        assert (found["low"] <= found["value"]).all()
        assert (found["value"] <= found["high"]).all()
        assert (np.abs([found["low"], found["high"]]) <= 1).all()
        assert (found["odds_low"] <= found["odds_ratio"]).all()
        assert (found["odds_ratio"] <= found["odds_high"]).all()
        assert (found["odds_low"] > 0).all()
        assert ((found["p"] >= 1 / 41) & (found["p"] <= 1)).all()
        assert (found["chance.low"] <= found["chance.high"]).all()
        assert (np.abs(found["cohen_h"]) <= np.pi).all()


@pytest.mark.parametrize("clusters", [1, 3, 11])
def test_the_order_of_groups_and_prompts_does_not_matter(clusters: int) -> None:
    rng = np.random.default_rng(clusters)
    trials = rng.integers(20, 60, (5, clusters))
    successes = rng.binomial(trials, rng.uniform(0.2, 0.6, (5, clusters)))
    groups, prompts = rng.permutation(5), rng.permutation(clusters)
    here = compare(successes, trials, reference=int(groups[2]), resamples=40_000)
    there = compare(
        successes[groups][:, prompts], trials[groups][:, prompts], reference=2, resamples=40_000
    )
    np.testing.assert_allclose(there.rates.low, here.rates.low[groups], atol=0.01)
    for one, other in zip(both(here), both(there), strict=True):
        assert one.permuted == other.permuted
        for name, array in arrays_of(one).items():
            rtol, atol = (0.2, 0.0) if name.startswith("odds") else (0.0, 0.015)
            np.testing.assert_allclose(arrays_of(other)[name], array[groups], rtol, atol)


def test_a_seed_decides_everything_and_the_level_sets_the_width() -> None:
    trials = np.full((4, 6), 20)
    successes = np.random.default_rng(1).binomial(trials, 0.3)
    first, again, other, wide = (
        compare(successes, trials, seed=seed, level=level).vs_rest
        for seed, level in [(1, 0.95), (1, 0.95), (2, 0.95), (1, 0.99)]
    )
    np.testing.assert_array_equal([first.low, first.p], [again.low, again.p])
    assert (first.low != other.low).all()
    assert (wide.low < first.low).all()
    assert (wide.high > first.high).all()
    np.testing.assert_array_equal(wide.chance.low, first.chance.low)


def test_input_is_left_alone() -> None:
    successes, trials = ABID.astype(float), HUNDRED.astype(float)
    compare(successes, trials, reference=0)
    np.testing.assert_array_equal(successes, ABID)
    np.testing.assert_array_equal(trials, HUNDRED)


@pytest.mark.slow
def test_is_fast() -> None:
    rng = np.random.default_rng(0)
    trials = np.full((8, 8), 100)
    successes = rng.binomial(trials, 0.2)
    assert cpu_seconds(lambda: grouped_rates(successes, trials, reference=0, rng=rng)) < 1


def test_impossible_input_is_refused() -> None:
    for options, complaint in [
        ({"level": 95}, "level"),
        ({"resamples": 0}, "resamples"),
        ({"reference": 6}, "reference"),
        ({"reference": -1}, "reference"),
    ]:
        with pytest.raises(ValueError, match=complaint):
            compare(ABID, HUNDRED, **options)
    with pytest.raises(ValueError, match="whole numbers"):
        compare([[0.5], [1]], [[1], [1]])
    with pytest.raises(ValueError, match="groups, clusters"):
        compare([1, 2], [3, 3])
    with pytest.raises(ValueError, match="4 of 3"):
        compare([[4], [2]], [[3], [3]])
