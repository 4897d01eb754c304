"""Finding the option with the lowest rate among many, without measuring all of them well.

Everything is asked a little; the worse half is dropped; those left are asked twice as much; and
so on. What is spent goes where the choice is close.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]

Counts: TypeAlias = "tuple[Ints, Ints]"
"""Successes and trials that a round has brought, for the arms it asked for, in that order."""


@dataclass(frozen=True)
class Pulls:
    """What a search wants to know next.

    Attributes
    ----------
    round
        Which round it is, from 1.
    arms
        Indices of the arms still in it.
    count
        How many further trials of each.
    """

    round: int
    arms: tuple[int, ...]
    count: int


@dataclass(frozen=True, eq=False)
class Ranking:
    """How a search ended.

    Attributes
    ----------
    order
        The arms that were asked at all, best first: by the last round that they reached, then by
        their rate.
    successes, trials
        Of all arms, over all rounds; shape (arms,).
    reached
        The last round in which each was asked; 0 for those never asked. Shape (arms,).
    asked
        How many trials each arm was asked for, whether they could be counted or not.
    """

    order: tuple[int, ...]
    successes: Ints
    trials: Ints
    reached: Ints
    asked: Ints


Search: TypeAlias = Generator[Pulls, Counts, Ranking]
"""Yields what it wants to know and is sent the counts; returns the ranking."""


def halving_sizes(arms: int) -> list[int]:
    """Say how many arms take part in each round: 50, 25, 13, 7, 4, 2.

    A single arm takes part in no round, for there is nothing to choose.
    """
    sizes = []
    while arms > 1:
        sizes.append(arms)
        arms = math.ceil(arms / 2)
    return sizes


def smallest_budget(arms: int) -> int:
    """Say how many trials a search needs at least: one for each arm in each of its rounds."""
    return sum(halving_sizes(arms))


def successive_halving(arms: int, budget: int, rng: np.random.Generator) -> Search:
    r"""Search for the arm with the lowest rate, by halving the field round by round.

    With :math:`|S_r|` arms left and :math:`R - r` rounds to go, each is asked
    :math:`\lfloor B_r / (|S_r| (R - r)) \rfloor` times more, at least once, where :math:`B_r` is
    what is left of the budget. Arms are ranked by :math:`(k + ½)/(n + 1)` over all rounds; those
    of which nothing could be counted come last; ties are broken at random. The better half, one
    more if odd, goes on.

    Sequential halving forgets earlier rounds, which its proof of optimality needs; successive
    halving keeps them, which costs nothing and does better in practice. This keeps them, and sets
    what a round did not spend aside for the next.

    Parameters
    ----------
    arms
        How many there are.
    budget
        Trials in all, at least `smallest_budget`.
    rng
        Source of the ties' order, drawn once, before anything is asked.

    Yields
    ------
    Pulls
        To be answered by (successes, trials), each of the shape of its `arms`; fewer trials than
        asked for mean that some could not be counted.

    Returns
    -------
    Ranking
        Best first. Its first arm's rate is too low on average, for it was chosen for being low:
        measure it anew.

    Raises
    ------
    ValueError
        No arms, too small a budget, or counts that are impossible.

    References
    ----------
    Karnin, Koren and Somekh (2013), "Almost optimal exploration in multi-armed bandits", ICML.
    Jamieson and Talwalkar (2016), "Non-stochastic best arm identification and hyperparameter
    optimization", AISTATS.
    """
    if arms < 1:
        raise ValueError("there is no arm to choose")
    if budget < smallest_budget(arms):
        raise ValueError(f"{arms} arms need a budget of {smallest_budget(arms)}, not {budget}")
    tally = _Tally(arms, rng)
    sizes = halving_sizes(arms)
    left = list(range(arms))
    for number, size in enumerate(sizes, start=1):
        left = left[:size]
        count = max(1, budget // (size * (len(sizes) - number + 1)))
        budget -= count * size
        yield from tally.ask(Pulls(number, tuple(sorted(left)), count))
        left = tally.ranked(left)
    return tally.ranking()


def random_search(arms: int, budget: int, count: int, rng: np.random.Generator) -> Search:
    """Search among arms drawn at random, each asked equally often, until the budget is spent.

    This is what a search by trial and error does, and what any other must beat.

    Parameters
    ----------
    arms
        How many there are.
    budget
        Trials in all; those that cannot be shared out evenly stay unspent.
    count
        Trials of each arm drawn, at least, if the budget holds as many: as many arms are drawn
        as can be asked this often.
    rng
        Source of the draw and of the ties' order.

    Yields
    ------
    Pulls
        Once.

    Returns
    -------
    Ranking
        The arms drawn, best first.
    """
    if arms < 1 or budget < 1 or count < 1:
        raise ValueError("arms, budget and count must be at least 1")
    tally = _Tally(arms, rng)
    drawn = rng.permutation(arms)[: max(1, budget // count)].tolist()
    count = budget // len(drawn)
    yield from tally.ask(Pulls(1, tuple(sorted(drawn)), count))
    return tally.ranking()


class _Tally:
    """Adds up what the rounds bring."""

    def __init__(self, arms: int, rng: np.random.Generator):
        self.successes, self.trials, self.reached, self.asked = np.zeros((4, arms), np.int64)
        self._lot = rng.permutation(arms)

    def ask(self, pulls: Pulls) -> Generator[Pulls, Counts, None]:
        """Put one question and add up the reply."""
        successes, trials = (np.asarray(each) for each in (yield pulls))
        fitting = successes.shape == trials.shape == (len(pulls.arms),)
        if not fitting or not ((successes >= 0) & (successes <= trials)).all():
            raise ValueError("expected successes and trials, one of each for every arm asked for")
        where = list(pulls.arms)
        self.successes[where] += successes
        self.trials[where] += trials
        self.asked[where] += pulls.count
        self.reached[where] = pulls.round

    def ranked(self, arms: list[int]) -> list[int]:
        """Order arms by their rate."""
        return sorted(arms, key=lambda arm: (self._rate(arm), self._lot[arm]))

    def ranking(self) -> Ranking:
        """Order all arms by how far they came, then by their rate."""
        asked = np.flatnonzero(self.reached).tolist() or list(range(len(self._lot)))
        order = sorted(self.ranked(asked), key=lambda arm: -self.reached[arm])
        return Ranking(tuple(order), self.successes, self.trials, self.reached, self.asked)

    def _rate(self, arm: int) -> float:
        n = int(self.trials[arm])
        return (int(self.successes[arm]) + 0.5) / (n + 1) if n else math.inf
