import numpy as np
import pytest
from scipy import stats

from slant.stats import rates
from slant.stats.cluster_draws import draw_rates, effective_trials


def draw(k: object, n: object, seed: int = 1, resamples: int = 40_000) -> np.ndarray:
    successes, trials = np.asarray(k, float), np.asarray(n, float)
    return draw_rates(successes, trials, resamples, np.random.default_rng(seed))


def test_every_prompt_counts_alike() -> None:
    np.testing.assert_allclose(rates([[66], [0]], [[100], [7]]), [0.66, 0])
    # 1 of 2 and 90 of 100: not 91 of 102.
    np.testing.assert_allclose(rates([[1, 90]], [[2, 100]]), [0.7])


def test_empty_cells_do_not_count() -> None:
    successes, trials = [[1, 0, 3], [0, 0, 0], [0, 5, 0]], [[2, 0, 4], [0, 0, 0], [0, 5, 0]]
    np.testing.assert_allclose(rates(successes, trials), [0.625, np.nan, 1])


def test_impossible_tables_are_refused() -> None:
    with pytest.raises(ValueError, match="groups, clusters"):
        rates([1, 2], [3, 4])
    with pytest.raises(ValueError, match="groups, clusters"):
        rates([[1, 2]], [[3], [4]])
    with pytest.raises(ValueError, match="5 of 4"):
        rates([[1], [5]], [[3], [4]])


def test_effective_trials() -> None:
    trials = np.array([[10.0, 10, 10], [2, 0, 2], [1, 100, 0]])
    np.testing.assert_allclose(effective_trials(trials), [30, 4, 4 / 1.01])


@pytest.mark.parametrize(("k", "n"), [(0, 100), (15, 100), (100, 100), (1, 3)])
def test_one_cluster_gives_jeffreys_posterior(k: int, n: int) -> None:
    posterior = stats.beta(k + 0.5, n - k + 0.5)
    assert stats.kstest(draw([[k]], [[n]])[:, 0], posterior.cdf).pvalue > 0.001


@pytest.mark.parametrize("n", [1, 10, 100])
def test_prompts_that_do_not_matter_are_as_good_as_one(n: int) -> None:
    # 50 cells as alike as whole numbers can be; none draws the rate towards one half.
    successes = np.array(
        [[n * 50 // 10 * i // 50 - n * 50 // 10 * (i - 1) // 50 for i in range(1, 51)]]
    )
    total, trials = successes.sum(), np.full((1, 50), n)
    posterior = stats.beta(total + 0.5, trials.sum() - total + 0.5)
    drawn = draw(successes, trials)[:, 0]
    np.testing.assert_allclose(
        np.quantile(drawn, [0.025, 0.975]), posterior.ppf([0.025, 0.975]), rtol=0.08
    )


def test_nothing_found_leaves_a_width_but_not_a_bias() -> None:
    drawn = draw(np.zeros((1, 50)), np.full((1, 50), 10))
    assert 0.004 < np.quantile(drawn, 0.975) < 0.006


def test_the_spread_is_that_of_the_prompts() -> None:
    # Cells so large that chance within them is nothing: Student's t over the prompts remains.
    cells = np.random.default_rng(2).uniform(0.3, 0.7, 12)
    drawn = draw([cells * 1e9], np.full((1, 12), 1e9))[:, 0]
    error = cells.std(ddof=1) / np.sqrt(12)
    expected = cells.mean() + error * stats.t(11).ppf([0.025, 0.975])
    np.testing.assert_allclose(np.quantile(drawn, [0.025, 0.975]), expected, atol=0.1 * error)


def test_chance_within_cells_is_not_counted_twice() -> None:
    # Binomial cells around one rate plus a small spread: the sum of both, not more.
    rng = np.random.default_rng(3)
    variances = []
    for seed in range(150):
        true = np.clip(rng.normal(0.4, 0.1, (1, 30)), 0, 1)
        variances.append(draw(rng.binomial(20, true), np.full((1, 30), 20), seed, 400).var())
    expected = (0.1**2 + 0.4 * 0.6 / 20) / 30 * stats.t(29).var()
    assert np.mean(variances) == pytest.approx(expected, rel=0.1)


def test_what_a_prompt_does_to_all_groups_cancels_between_them() -> None:
    common = np.array([0.1, 0.3, 0.5, 0.7, 0.9, 0.2, 0.4, 0.8])
    drawn = draw(np.tile(common * 1000, (3, 1)), np.full((3, 8), 1000))
    difference = drawn[:, 0] - drawn[:, 1]
    chance = np.sqrt(2 * (common * (1 - common)).mean() / 8000)
    assert drawn[:, 0].std() > 10 * chance
    assert difference.std() < 1.5 * chance


def test_draws_stay_within_bounds_even_with_two_clusters_and_empty_cells() -> None:
    drawn = draw([[0, 100], [3, 0], [0, 0]], [[100, 100], [5, 0], [0, 1]])
    assert np.isfinite(drawn).all()
    assert drawn.min() >= 0
    assert drawn.max() <= 1
    # Asked with one prompt only, the second group shows its own chance alone.
    assert stats.kstest(drawn[:, 1], stats.beta(3.5, 2.5).cdf).pvalue > 0.001


def test_memory_limits_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = np.random.default_rng(4).binomial(10, 0.4, (4, 9))
    at_once = draw(counts, np.full((4, 9), 10))
    monkeypatch.setattr("slant.stats.cluster_draws._VALUES_AT_ONCE", 9 * 7000)
    np.testing.assert_array_equal(at_once, draw(counts, np.full((4, 9), 10)))


def test_few_prompts_spread_rates_as_students_t_does() -> None:
    # So many answers that only the prompts are uncertain: they move both groups alike.
    prompts = np.array([0.3, 0.4, 0.45, 0.5, 0.5, 0.55, 0.6, 0.62, 0.7, 0.38, 0.48, 0.52])
    trials = np.full((2, 12), 10**7)
    drawn = draw(np.round(prompts * trials), trials, resamples=100_000)[:, 0]
    error = prompts.std(ddof=1) / np.sqrt(12)
    # The variance of t with 11 degrees of freedom is 11/9.
    assert drawn.var() == pytest.approx(error**2 * 11 / 9, rel=0.03)
