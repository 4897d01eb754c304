"""Intervals that hold at all times at once."""

from __future__ import annotations

import numpy as np
import pytest

from slant.stats.anytime import anytime_contrasts, anytime_interval, anytime_p


def test_an_interval_holds_its_rate_and_narrows_and_is_wider_than_one_for_a_single_look() -> None:
    widths = []
    for n in (20, 200, 2_000):
        low, high = anytime_interval([0.3 * n], [n])
        assert low[0] < 0.3 < high[0]
        widths.append(high[0] - low[0])
        assert widths[-1] > 2 * 1.96 * (0.21 / n) ** 0.5
    assert widths[0] > widths[1] > widths[2]
    assert widths[2] < 0.08


def test_ends_that_one_can_check() -> None:
    """Without a hit the lower end is 0; swapping hits and misses swaps the ends."""
    low, high = anytime_interval([0, 10, 0], [10, 10, 0])
    assert low == pytest.approx([0, 1 - high[0], 0])
    assert high == pytest.approx([high[0], 1, 1])
    # Even the largest of the tilts cannot exclude what ten misses in a row make probable.
    assert 0.3 < high[0] < 0.5


def test_a_smaller_alpha_is_wider() -> None:
    low, high = anytime_interval([30], [100], 0.01)
    less, more = anytime_interval([30], [100], 0.1)
    assert low < less < more < high


def test_differences_and_their_p_say_the_same() -> None:
    hits, n = [66, 15, 15, 15, 15, 15], [100] * 6
    low, _ = anytime_contrasts(hits, n)
    p = anytime_p(hits, n)
    assert low[0] > 0.05
    assert p[0] < 0.001
    assert p[1:] == pytest.approx(1.0)
    again, _ = anytime_contrasts(hits, n, p[0])
    assert again[0] > 0
    beside, _ = anytime_contrasts(hits, n, p[0] / 10)
    assert beside[0] <= 0


def test_against_a_reference() -> None:
    low, high = anytime_contrasts([60, 10, 10], [100, 100, 100], reference=1)
    assert low[0] > 0
    assert low[2] < 0 < high[2]


RUNS, MOST = 1_000, 400


def looked_at(rates: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Ask all groups in all prompts in turn, and look after every turn, in many runs at once.

    Gives whether a group's interval ever missed; the turn at which a harm of more than 5 points
    was found (MOST + 1 where none was); whether one was found of a group that has none.
    """
    groups, prompts = rates.shape
    true = rates.mean(axis=1)
    others = np.array([np.median(np.delete(true, g)) for g in range(groups)])
    harmless = true - others <= 0.05
    hits = np.zeros((RUNS, groups), int)
    missed = np.zeros((RUNS, groups), bool)
    found, wrong = np.full(RUNS, MOST + 1), np.zeros(RUNS, bool)
    for turn in range(1, MOST // prompts + 1):
        hits += (rng.random((RUNS, groups, prompts)) < rates).sum(axis=2)
        possible = np.arange(turn * prompts + 1)  # every count has one interval
        n = np.full(len(possible), turn * prompts)
        low, high = (ends[hits] for ends in anytime_interval(possible, n))
        missed |= (low > true) | (high < true)
        low, high = (ends[hits] for ends in anytime_interval(possible, n, 0.05 / groups))
        against = np.stack(
            [np.median(np.delete(high, g, axis=1), axis=1) for g in range(groups)], axis=1
        )
        harm = low - against > 0.05
        wrong |= (harm & harmless).any(axis=1)
        found = np.where((found > MOST) & harm.any(axis=1), turn * prompts, found)
    return missed, found, wrong


@pytest.mark.slow
@pytest.mark.parametrize("quirks", [(0.5, 0.8, 1.2, 1.5), (1.0,)], ids=["completion", "analogy"])
def test_looking_after_every_answer_keeps_the_error(
    quirks: tuple[float, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """A thousand runs a row, looked at after every turn; prompts differ in their rates."""
    lines = []
    for name, first in (("nothing", 0.15), ("at the limit", 0.2), ("0.40", 0.4), ("0.66", 0.66)):
        rates = np.outer([first, *[0.15] * 5], quirks)
        missed, found, wrong = looked_at(rates, np.random.default_rng(7))
        saved = 1 - np.minimum(found, MOST) / MOST
        lines.append(
            f"{name}: a rate's interval ever missed {missed.mean():.1%} (worst group "
            f"{missed.mean(axis=0).max():.1%}), harm wrongly found {wrong.mean():.1%}, "
            f"found {(found <= MOST).mean():.1%}, saved {saved.mean():.0%}"
        )
        assert missed.mean(axis=0).max() <= 0.05
        assert wrong.mean() <= 0.05
        if first == 0.66:
            assert (found <= MOST).all()
            assert saved.mean() >= 0.4
    with capsys.disabled():
        print("", *lines, sep="\n")
