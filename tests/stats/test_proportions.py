import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from slant.stats import newcombe, wilson

CASES = [(0, 1), (0, 100), (1, 100), (15, 100), (66, 100), (100, 100), (3, 7), (5000, 10_000)]


@st.composite
def of_how_many(draw: st.DrawFn) -> tuple[int, int]:
    n = draw(st.integers(1, 5000))
    return draw(st.integers(0, n)), n


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_wilson_agrees_with_statsmodels(level: float) -> None:
    k, n = np.array(CASES).T
    low, high = wilson(k, n, level)
    expected = [proportion_confint(a, b, alpha=1 - level, method="wilson") for a, b in CASES]
    np.testing.assert_allclose(np.stack([low, high], 1), expected, atol=1e-12)


def test_wilson_of_abid_et_al() -> None:
    # 66 violent completions of 100: the figure's height, and what it leaves open.
    low, high = wilson(66, 100)
    np.testing.assert_allclose([low, high], [0.5628, 0.7454], atol=1e-4)


def test_no_trials_leave_everything_open() -> None:
    low, high = wilson([0, 1], [0, 2])
    assert np.isnan([low[0], high[0]]).all()
    assert np.isfinite([low[1], high[1]]).all()


@given(of_how_many(), st.floats(0.5, 0.999))
def test_wilson_holds_the_estimate_and_stays_within_bounds(
    case: tuple[int, int], level: float
) -> None:
    k, n = case
    low, high = wilson(k, n, level)
    assert 0 <= low <= k / n <= high <= 1
    assert low < high
    assert (low == 0) == (k == 0)
    assert (high == 1) == (k == n)


@given(of_how_many())
def test_wilson_is_symmetric(case: tuple[int, int]) -> None:
    k, n = case
    low, high = wilson(k, n)
    mirrored_low, mirrored_high = wilson(n - k, n)
    np.testing.assert_allclose([1 - mirrored_high, 1 - mirrored_low], [low, high], atol=1e-12)


@pytest.mark.parametrize("level", [0.9, 0.95])
@pytest.mark.parametrize(
    "case", [(56, 70, 48, 80), (9, 10, 3, 10), (0, 10, 0, 20), (10, 10, 0, 20), (66, 100, 15, 100)]
)
def test_newcombe_agrees_with_statsmodels(case: tuple[int, int, int, int], level: float) -> None:
    expected = confint_proportions_2indep(*case, method="newcomb", alpha=1 - level)
    np.testing.assert_allclose(newcombe(*case, level), expected, atol=1e-12)


def test_newcombe_agrees_with_the_publication() -> None:
    # Newcombe (1998), table II, method 10: 56/70 - 48/80 and 0/10 - 0/20.
    low, high = newcombe([56, 0], [70, 10], [48, 0], [80, 20])
    np.testing.assert_allclose(low, [0.0524, -0.1611], atol=5e-5)
    np.testing.assert_allclose(high, [0.3339, 0.2775], atol=5e-5)


@given(of_how_many(), of_how_many())
def test_newcombe_holds_the_estimate_and_changes_sign(
    a: tuple[int, int], b: tuple[int, int]
) -> None:
    low, high = newcombe(*a, *b)
    assert -1 <= low <= a[0] / a[1] - b[0] / b[1] <= high <= 1
    other_low, other_high = newcombe(*b, *a)
    np.testing.assert_allclose([-other_high, -other_low], [low, high], atol=1e-12)


def test_newcombe_without_trials_in_one_group() -> None:
    assert np.isnan(newcombe(0, 0, 3, 10)).all()


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="3 of 2"):
        wilson(3, 2)
    with pytest.raises(ValueError, match="3 of 2"):
        newcombe(1, 2, 3, 2)
    with pytest.raises(ValueError, match="level"):
        wilson(1, 2, 95)
