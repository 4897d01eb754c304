"""Does what `grouped_rates` says hold, in simulated data sets of known truth?"""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.special import expit, logit

from slant.stats import benjamini_hochberg, grouped_rates, median_of_others
from slant.stats.arrays import Floats

PLANTED = np.array([0.66] + [0.15] * 5)
EQUAL = np.full(6, 0.15)


@dataclass
class Outcome:
    """Shares of the data sets: intervals that held the truth, and comparisons called different."""

    rate: np.ndarray
    rest: np.ndarray
    reference: np.ndarray
    odds: np.ndarray
    found: np.ndarray
    found_any: float
    found_any_reference: float


def true_rates(base: np.ndarray, clusters: int, prompts: float, whims: float, seed: int) -> Floats:
    """Draw true rates of every group and prompt: groups differ by `base`, prompts on the logit."""
    rng = np.random.default_rng(seed)
    common = prompts * rng.standard_normal((1, clusters))
    own = whims * rng.standard_normal((len(base), clusters))
    return np.asarray(expit(logit(base)[:, None] + common + own))


def simulate(
    base: np.ndarray,
    trials: int,
    clusters: int = 1,
    prompts: float = 0,
    whims: float = 0,
    data_sets: int = 200,
) -> Outcome:
    truth = true_rates(base, 100_000, prompts, whims, seed=1).mean(1) if prompts or whims else base
    rest, reference = truth - median_of_others(truth), truth - truth[1]
    ratio = truth / (1 - truth)
    ratio = ratio / median_of_others(ratio)
    rng = np.random.default_rng(2)
    n = np.full((len(base), clusters), trials)
    rows = []
    for seed in range(data_sets):
        k = rng.binomial(n, true_rates(base, clusters, prompts, whims, seed + 10))
        result = grouped_rates(k, n, reference=1, resamples=999, rng=rng)
        own, by_rest, by_reference = result.rates, result.vs_rest, result.vs_reference
        assert by_reference is not None
        rows.append(
            [
                (own.low <= truth) & (truth <= own.high),
                (by_rest.low <= rest) & (rest <= by_rest.high),
                (by_reference.low <= reference) & (reference <= by_reference.high),
                (by_rest.odds_low <= ratio) & (ratio <= by_rest.odds_high),
                benjamini_hochberg(by_rest.p) < 0.05,
                benjamini_hochberg(by_reference.p) < 0.05,
            ]
        )
    table = np.array(rows)
    share = table.mean(0)
    found_any = table.any(2).mean(0)
    return Outcome(
        rate=share[0],
        rest=share[1],
        reference=np.delete(share[2], 1),
        odds=share[3],
        found=share[4],
        found_any=float(found_any[4]),
        found_any_reference=float(found_any[5]),
    )


@pytest.mark.slow
def test_a_planted_group_is_found_and_no_other() -> None:
    outcome = simulate(PLANTED, 100, data_sets=500)
    assert outcome.found[0] == 1
    assert (outcome.found[1:] < 0.02).all()
    # Standard error of each: 0.9% for a group, 0.4% for the mean of six.
    for coverage in (outcome.rate, outcome.rest, outcome.reference, outcome.odds):
        assert coverage.mean() == pytest.approx(0.95, abs=0.025)
        assert coverage.min() > 0.91


@pytest.mark.slow
@pytest.mark.parametrize("rate", [0.03, 0.15, 0.5])
def test_equal_groups_are_left_in_peace(rate: float) -> None:
    outcome = simulate(np.full(6, rate), 100, data_sets=300)
    # Nominal: at most 5%, with a standard error of 1.1%.
    assert outcome.found_any < 0.08
    assert outcome.found_any_reference < 0.08
    assert outcome.rest.mean() > 0.93


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trials", "clusters", "prompts", "whims"),
    [(50, 8, 1.0, 0.5), (1, 50, 0.5, 0.0), (50, 5, 1.0, 0.5)],
)
def test_prompts_with_whims_do_not_make_groups_differ(
    trials: int, clusters: int, prompts: float, whims: float
) -> None:
    outcome = simulate(EQUAL, trials, clusters, prompts, whims)
    # Nominal: at most 5%, with a standard error of 1.5%.
    assert outcome.found_any < 0.09
    assert outcome.found_any_reference < 0.09
    assert outcome.rate.mean() > 0.89
    assert outcome.rest.mean() > 0.92
    assert outcome.reference.mean() > 0.91
    assert outcome.odds.mean() > 0.92


@pytest.mark.slow
def test_few_prompts_that_differ_for_all_groups_do_not_make_groups_differ() -> None:
    outcome = simulate(EQUAL, 50, clusters=3, prompts=1)
    assert outcome.found_any < 0.085
    assert outcome.rate.mean() > 0.87
    assert outcome.rest.mean() > 0.93


@pytest.mark.slow
def test_many_small_cells_are_neither_biased_nor_wasteful() -> None:
    # Fifty prompts asked ten times, where nothing but chance is at work: as good as one prompt.
    outcome = simulate(PLANTED, 10, clusters=50, data_sets=100)
    assert outcome.found[0] == 1
    for coverage in (outcome.rate, outcome.rest, outcome.reference):
        assert 0.93 < coverage.mean() < 0.98


@pytest.mark.slow
def test_a_planted_group_is_found_across_prompts_with_whims() -> None:
    outcome = simulate(np.array([0.4] + [0.15] * 5), 20, clusters=8, prompts=1, whims=0.5)
    assert outcome.found[0] > 0.78  # exchanges that took spreads for equal: 93%, and false finds
    assert (outcome.found[1:] < 0.03).all()
    assert outcome.rest[0] > 0.9
