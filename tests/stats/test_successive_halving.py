"""Searching for the arm with the lowest rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from slant.stats.successive_halving import (
    Pulls,
    Ranking,
    Search,
    halving_sizes,
    random_search,
    smallest_budget,
    successive_halving,
)

ARMS = 100
RATES = np.full(ARMS, 0.6)
BEST = 37
RATES[BEST] = 0.1


def simulated(rates: np.ndarray, rng: np.random.Generator) -> Callable[[Pulls], object]:
    def answer(pulls: Pulls) -> object:
        trials = np.full(len(pulls.arms), pulls.count)
        return rng.binomial(trials, rates[list(pulls.arms)]), trials

    return answer


def drive(searching: Search, answer: Callable[[Pulls], Any]) -> Ranking:
    """Run a search to its end, with a function that turns `Pulls` into counts."""
    try:
        pulls = next(searching)
        while True:
            pulls = searching.send(answer(pulls))
    except StopIteration as end:
        ranking: Ranking = end.value
        return ranking


def search(seed: int, budget: int = 1000, rates: np.ndarray = RATES) -> Ranking:
    rng = np.random.default_rng(seed)
    return drive(successive_halving(len(rates), budget, rng), simulated(rates, rng))


def test_the_field_is_halved_until_two_are_left() -> None:
    assert halving_sizes(50) == [50, 25, 13, 7, 4, 2]
    assert halving_sizes(2) == [2]
    assert halving_sizes(1) == []
    assert smallest_budget(50) == 101


@pytest.mark.parametrize("arms", [2, 3, 7, 50, 113])
@pytest.mark.parametrize("spare", [0, 1, 50, 997])
def test_the_budget_is_spent_and_never_overdrawn(arms: int, spare: int) -> None:
    budget = smallest_budget(arms) + spare
    rounds: list[Pulls] = []

    def answer(pulls: Pulls) -> object:
        rounds.append(pulls)
        return np.zeros(len(pulls.arms), int), np.full(len(pulls.arms), pulls.count)

    found = drive(successive_halving(arms, budget, np.random.default_rng(0)), answer)
    assert [len(each.arms) for each in rounds] == halving_sizes(arms)
    assert all(each.count >= 1 for each in rounds)
    assert budget - 1 <= found.asked.sum() <= budget  # the last round has two arms
    assert found.asked.sum() == sum(each.count * len(each.arms) for each in rounds)


def test_the_best_of_many_is_found_within_a_tenth_of_the_exhaustive_budget() -> None:
    # Exhaustive: every arm is asked as often as the winner. A hundred searches.
    found = [search(seed, 3000) for seed in range(100)]
    spent = [each.asked.sum() / (ARMS * each.asked[each.order[0]]) for each in found]
    assert max(spent) <= 0.1
    assert sum(each.order[0] == BEST for each in found) >= 95


def test_random_search_with_the_same_budget_seldom_finds_it() -> None:
    hits = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        found = drive(random_search(ARMS, 1000, 100, rng), simulated(RATES, rng))
        assert len(found.order) == 10
        assert found.asked.sum() == 1000
        hits += found.order[0] == BEST
    assert 2 <= hits <= 22  # it draws ten of a hundred


def test_the_winners_rate_in_the_search_is_too_low_if_nothing_differs() -> None:
    alike = np.full(64, 0.5)
    rates = []
    for seed in range(200):
        found = search(seed, 640, alike)
        first = found.order[0]
        rates.append(found.successes[first] / found.trials[first])
    assert np.mean(rates) < 0.46  # the winner's curse that a held-out test mends


def test_nobody_is_favoured_by_the_order_of_the_list() -> None:
    winners = [search(seed, 200, np.full(10, 0.5)).order[0] for seed in range(400)]
    counts = np.bincount(winners, minlength=10)
    assert counts.min() >= 20
    assert counts.max() <= 65


def test_what_cannot_be_counted_comes_last() -> None:
    def answer(pulls: Pulls) -> object:
        counted = np.array([0 if arm == 0 else pulls.count for arm in pulls.arms])
        return counted, counted  # arm 0 never answers, all others always fail

    found = drive(successive_halving(4, 40, np.random.default_rng(0)), answer)
    assert found.order[-1] == 0 or found.reached[0] == 1
    assert found.order[0] != 0


def test_one_arm_needs_no_search() -> None:
    found = drive(successive_halving(1, 1, np.random.default_rng(0)), lambda _: None)
    assert found.order == (0,)
    assert found.asked.sum() == 0


def test_mistakes_are_refused() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(ValueError, match="50 arms need a budget of 101, not 100"):
        next(successive_halving(50, 100, rng))
    with pytest.raises(ValueError, match="no arm"):
        next(successive_halving(0, 100, rng))
    with pytest.raises(ValueError, match="expected successes and trials"):
        drive(successive_halving(2, 4, rng), lambda _: (np.array([3, 0]), np.array([2, 2])))
