import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import power_proportions_2indep

from slant.stats import smallest_detectable_difference


@pytest.mark.parametrize("n", [30, 100, 1000])
@pytest.mark.parametrize("baseline", [0.01, 0.15, 0.5])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.95)])
def test_statsmodels_finds_the_promised_power(
    n: int, baseline: float, alpha: float, power: float
) -> None:
    difference = float(smallest_detectable_difference(n, baseline, alpha, power))
    there = power_proportions_2indep(difference, baseline, n, alpha=alpha, return_results=False)
    assert there == pytest.approx(power, abs=1e-4)


def test_a_simulation_finds_the_promised_power() -> None:
    rng = np.random.default_rng(4)
    n, baseline = 100, 0.15
    difference = float(smallest_detectable_difference(n, baseline))
    first, second = rng.binomial(n, [[baseline], [baseline + difference]], (2, 20_000)) / n
    mean = (first + second) / 2
    z = np.abs(first - second) / np.sqrt(2 * mean * (1 - mean) / n)
    assert (z > 1.959964).mean() == pytest.approx(0.8, abs=0.02)


def test_more_answers_show_smaller_differences() -> None:
    differences = smallest_detectable_difference([10, 100, 1000, 10_000], 0.15)
    assert (np.diff(differences) < 0).all()
    # Four times the answers, about half the difference.
    four = smallest_detectable_difference([10_000, 40_000], 0.5)
    assert four[0] / four[1] == pytest.approx(2, rel=0.01)


@given(st.floats(0, 1), st.integers(5, 5000))
def test_both_ends_of_the_scale_are_alike(baseline: float, n: int) -> None:
    difference = smallest_detectable_difference(n, baseline)
    assert difference == pytest.approx(smallest_detectable_difference(n, 1 - baseline), nan_ok=True)
    assert np.isnan(difference) or 0 < difference <= 1


def test_some_plans_cannot_see_anything() -> None:
    assert np.isnan(smallest_detectable_difference(1, 0.5))
    assert smallest_detectable_difference([2, 100], [[0.1], [0.5], [1.0]]).shape == (3, 2)


@pytest.mark.parametrize(
    ("n", "baseline", "alpha", "power", "complaint"),
    [
        (0, 0.5, 0.05, 0.8, "n must be"),
        (float("nan"), 0.5, 0.05, 0.8, "n must be"),
        (10, 1.5, 0.05, 0.8, "between 0 and 1"),
        (10, 0.5, 0, 0.8, "alpha < power"),
        (10, 0.5, 0.05, 1, "alpha < power"),
        (10, 0.5, 0.9, 0.8, "alpha < power"),
    ],
)
def test_impossible_plans_are_refused(
    n: float, baseline: float, alpha: float, power: float, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        smallest_detectable_difference(n, baseline, alpha, power)
