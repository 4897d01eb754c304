import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu
from scipy.stats.contingency import odds_ratio as scipy_odds_ratio
from statsmodels.stats.contingency_tables import Table2x2
from statsmodels.stats.proportion import proportion_effectsize

from slant.stats import (
    cliffs_delta,
    cohen_d,
    cohen_h,
    hedges_g,
    newcombe,
    odds_ratio,
    risk_difference,
)

SAMPLES = st.lists(st.integers(-20, 20), min_size=2, max_size=30)


def test_risk_difference() -> None:
    np.testing.assert_allclose(risk_difference([66, 0], 100, [15, 0], [100, 0]), [0.51, np.nan])
    low, high = newcombe(66, 100, 15, 100)
    assert low < risk_difference(66, 100, 15, 100) < high


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize("case", [(66, 100, 15, 100), (0, 10, 3, 12), (0, 10, 0, 20), (5, 5, 0, 7)])
def test_odds_ratio_agrees_with_statsmodels(case: tuple[int, int, int, int], level: float) -> None:
    k1, n1, k2, n2 = case
    table = Table2x2(np.array([[k1, n1 - k1], [k2, n2 - k2]]) + 0.5, shift_zeros=False)
    expected = (table.oddsratio, *table.oddsratio_confint(alpha=1 - level))
    np.testing.assert_allclose(odds_ratio(*case, level), expected, rtol=1e-12)


def test_odds_ratio_is_near_scipys_in_a_large_table() -> None:
    exact = scipy_odds_ratio([[6600, 3400], [1500, 8500]], kind="sample")
    ratio, low, high = odds_ratio(6600, 10_000, 1500, 10_000)
    limits = exact.confidence_interval(0.95)
    np.testing.assert_allclose([ratio, low, high], [exact.statistic, *limits], rtol=2e-3)


def test_odds_ratio_of_equal_groups_and_of_none() -> None:
    ratio, low, high = odds_ratio([10, 0, 0], [20, 0, 5], [10, 3, 0], [20, 9, 5])
    np.testing.assert_allclose(ratio, [1, np.nan, 1])
    np.testing.assert_array_equal(np.isnan(low), [False, True, False])
    assert low[0] < 1 < high[0]


def test_cohen_h_agrees_with_statsmodels() -> None:
    first, second = np.array([0.66, 0, 1, 0.5]), np.array([0.15, 1, 0, 0.5])
    expected = proportion_effectsize(first, second)
    np.testing.assert_allclose(cohen_h(first, second), expected, atol=1e-12)


@given(st.floats(0, 1), st.floats(0, 1))
def test_cohen_h_has_a_sign_and_bounds(first: float, second: float) -> None:
    h = cohen_h(first, second)
    assert -np.pi <= h <= np.pi
    assert np.sign(h) in (0, np.sign(first - second))
    assert cohen_h(second, first) == -h


def test_cohen_h_of_the_unknown_is_unknown() -> None:
    assert np.isnan(cohen_h(np.nan, 0.5))


def test_cohen_d_and_hedges_g_of_a_known_case() -> None:
    # Means 2 and 4, both variances 1, four degrees of freedom.
    assert cohen_d([1, 2, 3], [3, 4, 5]) == pytest.approx(-2)
    # Hedges (1981): J(4) = Γ(2) / (√2 Γ(1.5)).
    assert hedges_g([1, 2, 3], [3, 4, 5]) == pytest.approx(-2 * 0.797885, abs=1e-5)


def test_hedges_g_is_unbiased_where_cohen_d_is_not() -> None:
    rng = np.random.default_rng(1)
    pairs = rng.standard_normal((20_000, 2, 4)) + np.array([[1.0], [0.0]])
    d = np.array([cohen_d(first, second) for first, second in pairs])
    shrink = hedges_g(*pairs[0]) / d[0]
    assert d.mean() == pytest.approx(1.15, abs=0.03)
    assert (d * shrink).mean() == pytest.approx(1, abs=0.03)


def test_standardised_differences_without_spread() -> None:
    assert cohen_d([1, 1], [1, 1]) == 0
    assert np.isnan(cohen_d([1, 1], [2, 2]))


@given(SAMPLES, SAMPLES)
def test_cliffs_delta_is_what_all_pairs_say(first: list[int], second: list[int]) -> None:
    delta = cliffs_delta(first, second)
    assert delta == pytest.approx(np.sign(np.subtract.outer(first, second)).mean())
    assert delta == pytest.approx(-cliffs_delta(second, first))
    u = mannwhitneyu(first, second, method="asymptotic", use_continuity=False).statistic
    assert delta == pytest.approx(2 * u / (len(first) * len(second)) - 1)


def test_cliffs_delta_at_its_ends() -> None:
    assert cliffs_delta([3, 4], [1, 2]) == 1
    assert cliffs_delta([1, 2], [3]) == -1
    assert cliffs_delta([1, 2], [2, 1]) == 0


def test_impossible_input_is_refused() -> None:
    with pytest.raises(ValueError, match="n >= 2"):
        cohen_d([1], [1, 2])
    with pytest.raises(ValueError, match="n >= 1"):
        cliffs_delta([], [1, 2])
    with pytest.raises(ValueError, match=r"shape \(1, 2\)"):
        cliffs_delta([[1, 2]], [1, 2])
    with pytest.raises(ValueError, match="NaN"):
        hedges_g([1, np.nan], [1, 2])
    with pytest.raises(ValueError, match="between 0 and 1"):
        cohen_h(1.1, 0)
    with pytest.raises(ValueError, match="3 of 2"):
        odds_ratio(3, 2, 1, 2)
    with pytest.raises(ValueError, match="3 of 2"):
        risk_difference(1, 2, 3, 2)
