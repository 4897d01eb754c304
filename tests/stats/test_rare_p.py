"""p-values of what next to no exchange reaches."""

from __future__ import annotations

import numpy as np
import pytest

from slant.stats.crossed_wordings import crossed_wordings
from slant.stats.rare_p import MOST, rare_p


@pytest.fixture(autouse=True)
def _as_anywhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("slant.stats.rare_p.MOST", MOST)


class Drawn:
    """Normal statistics of two groups, and how many were asked for."""

    def __init__(self, available: int | None = None) -> None:
        self.asked: list[int] = []
        self._rng = np.random.default_rng(0)
        self._available = available

    def __call__(self, draws: int) -> np.ndarray:
        self.asked.append(draws)
        return np.abs(self._rng.normal(size=(min(draws, self._available or draws), 2)))


def test_more_is_drawn_where_few_reach_the_data_and_for_no_other_group() -> None:
    drawn = Drawn()
    p = rare_p(drawn, [4.0, 1.0], 10_000, smallest=1e-6)
    assert drawn.asked == [10_000, MOST]
    assert p[0] == pytest.approx(6.3e-5, rel=0.5)  # of a normal deviate beyond 4
    again = Drawn()
    assert p[1] == rare_p(again, [1.0, 1.0], 10_000, smallest=1e-6)[1]
    assert again.asked == [10_000]


def test_nothing_more_is_drawn_where_it_could_show_nothing() -> None:
    few = Drawn()
    assert rare_p(few, [9.0, 9.0], 10_000, smallest=2e-4).tolist() == [1 / 10_001] * 2
    assert few.asked == [10_000]
    every = Drawn(available=719)  # all arrangements but the data's own
    assert rare_p(every, [9.0, 9.0], 10_000, smallest=1e-6).tolist() == [1 / 720] * 2
    assert every.asked == [10_000]


def test_one_group_that_leans_has_the_smallest_p_that_its_wordings_allow() -> None:
    """It gets all its own wordings back in one of 4 ** 7 exchanges, half of which count."""
    values = np.random.default_rng(0).normal(size=(4, 7, 8))
    values[0] += 9
    result = crossed_wordings(values, rng=np.random.default_rng(1))
    assert 0.25 / 4**7 < result.vs_rest.p[0] < 2 / 4**7


def test_p_of_what_is_not_rare_does_not_hang_on_whether_more_was_drawn_before() -> None:
    """More draws for the rest do not change those for the reference."""
    values = np.random.default_rng(0).normal(size=(6, 6, 6))
    values[0] += 9
    rest = crossed_wordings(values, rng=np.random.default_rng(1)).vs_rest
    again = crossed_wordings(values, reference=1, rng=np.random.default_rng(1)).vs_rest
    np.testing.assert_array_equal(rest.p, again.p)


def test_looking_twice_makes_no_p_too_small() -> None:
    rng = np.random.default_rng(0)
    p = np.concatenate(
        [
            rare_p(lambda n: np.abs(rng.normal(size=(n, 1))), np.abs(rng.normal(size=1)), 200,
                   smallest=1e-3)
            for _ in range(4000)
        ]
    )  # fmt: skip
    assert (p <= 0.002).mean() < 0.005
    assert (p <= 0.05).mean() == pytest.approx(0.05, abs=0.012)
