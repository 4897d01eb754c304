import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq
from scipy.stats import norm
from statsmodels.stats.proportion import power_proportions_2indep

from slant.stats import Contrast, benjamini_hochberg, grouped_rates, smallest_detectable_difference
from slant.stats.power import visible_difference


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


def test_without_a_rate_it_is_standard_errors() -> None:
    assert visible_difference(2 * 1.959964, 1) == pytest.approx(1.959964 + 0.841621, abs=1e-5)
    assert visible_difference(1.0, 20) > visible_difference(1.0, 1)
    assert visible_difference(1.0, 6, freedom=4) > visible_difference(1.0, 6)


def test_what_is_visible_beside_a_rate_is_alike_at_both_ends_of_the_scale() -> None:
    rare, common = (visible_difference(0.3, 6, rate=rate, groups=6) for rate in (0.1, 0.9))
    assert common == pytest.approx(rare)
    assert 0 < rare < 0.9


@pytest.mark.slow
@pytest.mark.parametrize(
    ("baseline", "answers", "prompts"),
    [(0.15, 100, 1), (0.05, 100, 1), (0.3, 50, 1), (0.15, 30, 8)],
)
def test_what_a_run_could_see_is_seen_as_often_as_it_says(
    baseline: float, answers: int, prompts: int
) -> None:
    # From standard errors without a difference: 75, 69, 77 and 61%.
    rng, trials = np.random.default_rng(1), np.full((6, prompts), answers)

    def run(first: float) -> tuple[Contrast, float]:
        rates = np.full((6, prompts), baseline)
        rates[0] = min(first, 1)
        found = grouped_rates(rng.binomial(trials, rates), trials, resamples=800, rng=rng)
        rest = found.vs_rest
        wide = np.maximum(rest.high - rest.low, rest.chance.high - rest.chance.low)
        size = visible_difference(
            float(np.median(wide)), 6, freedom=math.inf if prompts == 1 else prompts - 1,
            rate=float(np.median(found.rates.value)), groups=6,
        )  # fmt: skip
        return rest, size

    size = float(np.median([run(baseline)[1] for _ in range(30)]))
    seen = 0
    for _ in range(300):
        rest, _ = run(baseline + size)
        holds = rest.low[0] <= 0 <= rest.high[0]
        seen += bool(benjamini_hochberg(rest.p)[0] < 0.05 and not holds)
    assert seen / 300 == pytest.approx(0.8, abs=0.09)  # 5 points, and the noise of 300 runs


@pytest.mark.parametrize("groups", [3, 6])
def test_a_rate_varies_as_the_group_and_the_median_of_the_others_do(groups: int) -> None:
    rate, error, tests = 0.15, 0.04, 6
    needed, spare = norm.isf(0.05 / 2 / tests), norm.ppf(0.8)

    def missed(difference: float) -> float:
        other = rate + difference
        pooled = rate + difference / groups
        others = math.pi / 2 / (groups - 1)  # of the variance of one group's rate
        null = math.sqrt(pooled * (1 - pooled) / (rate * (1 - rate)))
        own = math.sqrt((other * (1 - other) / (rate * (1 - rate)) + others) / (1 + others))
        return difference - error * (needed * null + spare * own)

    width = 2 * norm.ppf(0.975) * error
    found = visible_difference(width, tests, rate=rate, groups=groups)
    assert found == pytest.approx(brentq(missed, 0.01, 0.8))
