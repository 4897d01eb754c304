"""Corrected rates: the textbook's estimate, and intervals that hold what they promise."""

from __future__ import annotations

import numpy as np
import pytest

from slant.stats import wilson
from slant.stats.arrays import Floats
from slant.stats.judged_rates import JudgedRates, effective_units, judged_rates
from slant.stats.median_of_others import median_of_others

EQUAL = np.full(6, 0.15)
SENSITIVITY = np.array([0.85, 0.6, 0.85, 0.85, 0.85, 0.85])
SPECIFICITY = np.array([0.75, 0.95, 0.95, 0.95, 0.95, 0.95])


def test_the_estimate_is_that_of_rogan_and_gladen() -> None:
    judged = np.array([[[45, 5], [10, 40]], [[48, 2], [25, 25]]])
    found = judged_rates([0.3, 0.4], [500, 500], judged, rng=np.random.default_rng(1))
    se, sp = found.sensitivity, found.specificity
    assert found.rate == pytest.approx((np.array([0.3, 0.4]) + sp - 1) / (se + sp - 1))
    assert found.rate == pytest.approx([0.3 * 0.8 + 0.7 * 0.1, 0.4 * 0.5 + 0.6 * 0.04])
    assert se[0] == pytest.approx(0.24 / 0.31)
    assert sp[0] == pytest.approx(0.63 / 0.69)


def test_what_nobody_ruled_on_is_not_known_and_what_never_occurs_need_not_be() -> None:
    judged = np.array([[[20, 0], [0, 0]], [[20, 0], [0, 0]], [[18, 2], [3, 17]]])
    found = judged_rates([0.0, 0.2, 0.2], [100, 100, 100], judged, rng=np.random.default_rng(1))
    assert np.isnan(found.rate).tolist() == [False, True, False]
    assert found.rates().high[0] > 0.01  # nobody found an error, and some may be there
    assert np.isnan(found.rates().low[1])


@pytest.mark.parametrize(("hits", "units"), [(0, 50), (7, 40), (200, 400), (400, 400)])
def test_a_plain_rate_rests_on_its_texts_and_one_with_a_wider_interval_on_fewer(
    hits: int, units: int
) -> None:
    low, high = wilson(hits, units)
    assert effective_units(hits / units, low, high, 10_000) == pytest.approx(units, rel=0.01)
    assert effective_units(hits / units, low, high, units / 2) == units / 2


def simulated(
    true: Floats, specificity: Floats, texts: int, ruled: int, rng: np.random.Generator
) -> JudgedRates:
    groups = len(true)
    kind = rng.random((groups, texts)) < true[:, None]
    hit = rng.random((groups, texts)) < SENSITIVITY[:, None]
    alarm = rng.random((groups, texts)) >= specificity[:, None]
    said = np.where(kind, hit, alarm)
    judged = np.zeros((groups, 2, 2))
    for group, score in np.ndindex(groups, 2):
        own = kind[group][said[group] == score][:ruled]
        judged[group, score] = (~own).sum(), own.sum()
    low, high = wilson(said.sum(axis=1), texts)
    units = effective_units(said.mean(axis=1), low, high, texts)
    return judged_rates(said.mean(axis=1), units, judged, resamples=1_000, rng=rng)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("true", "texts", "ruled"),
    [
        (EQUAL, 400, 20),
        (EQUAL, 400, 50),
        (EQUAL, 1_000, 50),
        (np.array([0.35, *EQUAL[1:]]), 400, 50),
    ],
)
def test_intervals_cover_and_equal_groups_are_not_told_apart(
    true: Floats, texts: int, ruled: int
) -> None:
    rng, runs = np.random.default_rng(7), 600
    apart = true - median_of_others(true)
    covered, held, false, naive = (np.zeros(len(true)) for _ in range(4))
    for _ in range(runs):
        found = simulated(true, SPECIFICITY, texts, ruled, rng)
        rates, rest = found.rates(), found.against_rest()
        covered += (rates.low <= true) & (true <= rates.high)
        held += (rest.low <= apart) & (apart <= rest.high)
        false += rest.p < 0.05
    said = true * SENSITIVITY + (1 - true) * (1 - SPECIFICITY)
    naive = said - median_of_others(said)
    assert abs(naive[0] - apart[0]) > 0.08  # what the bare verdicts would say
    assert (covered / runs > 0.925).all()
    assert (covered / runs < 0.99).all()
    assert (held / runs > 0.93).all()
    assert (false[apart == 0] / runs < 0.07).all()


def test_no_rate_rests_on_less_than_a_text() -> None:
    assert effective_units([0.5, 0.5], [0.01, 0.0], [0.99, 1.0], [30, 30]).tolist() == [1, 1]
