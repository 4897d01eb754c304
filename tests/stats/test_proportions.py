import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, stdtrit
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from slant.stats import newcombe, wilson
from slant.stats.proportions import score_ends
from slant.stats.two_way_errors import two_way_errors

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


@pytest.mark.parametrize(("k", "n"), [(0, 36), (3, 36), (50, 100), (99, 100)])
def test_a_score_interval_from_a_symmetric_one_is_wilsons(k: int, n: int) -> None:
    near = (k + 0.5) / (n + 1)
    found = score_ends(k / n, 1.959963985 * np.sqrt(near * (1 - near) / n), n)
    np.testing.assert_allclose(found, [float(each) for each in wilson(k, n)], atol=1e-9)


@pytest.mark.parametrize(
    ("centre", "symmetric", "score"), [(-3.0, 0.93, 0.935), (-1.9, 0.94, 0.94)]
)
def test_rates_over_wordings_and_prompts_are_covered(
    centre: float, symmetric: float, score: float
) -> None:
    # Tables of 36 answers, yes or no, with quirks of wordings and prompts.
    rng, known = np.random.default_rng(0), np.ones((6, 6), dtype=bool)
    truth = float(expit(centre + 0.5 * np.sqrt(2) * rng.normal(0, 1, 400_000)).mean())
    held = np.zeros(2)
    for _ in range(8000):
        logit = centre + 0.5 * (rng.normal(0, 1, (6, 1)) + rng.normal(0, 1, (1, 6)))
        hits = (rng.random((6, 6)) < expit(logit)).astype(float)
        rate = hits.mean()
        near = (hits.sum() + 0.5) / 37
        errors = two_way_errors(hits, known, near * (1 - near) / 36)
        half = float(stdtrit(errors.freedom, 0.975) * np.sqrt(errors.variance))
        low, high = score_ends(float(rate), half, 36)
        held += [abs(rate - truth) <= half, low <= truth <= high]
    print(centre, truth, held / 8000)
    assert held[0] / 8000 < symmetric
    assert score <= held[1] / 8000 < 0.99
