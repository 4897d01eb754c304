from __future__ import annotations

import numpy as np
import pytest

from slant.stats.crossed_wordings import crossed_wordings
from slant.stats.left_out import error_shares, left_out

RNG = np.random.default_rng(5)


def test_one_prompt_that_all_hangs_on_is_seen() -> None:
    values = np.zeros((4, 3, 5))
    values[0, :, 2] = 1.0  # the first group differs in the third prompt only
    every, kinds, prompts = left_out(values)
    assert every[0] == pytest.approx(0.2)
    assert kinds[:, 0] == pytest.approx([0.2] * 3)
    assert prompts[:, 0] == pytest.approx([0.25, 0.25, 0, 0.25, 0.25])
    assert np.abs(prompts[:, 1:]).max() == 0


def test_cells_that_were_not_asked_are_left_out_for_all() -> None:
    values = RNG.normal(size=(4, 3, 5))
    values[1:, 0, 0] = np.nan
    kept = np.isfinite(values).all(axis=0)
    means = values[:, kept].mean(axis=1)
    every, kinds, _ = left_out(values)
    assert every[0] == pytest.approx(means[0] - np.median(means[1:]))
    lonely = np.full((3, 2, 2), np.nan)
    lonely[:, 0, :] = RNG.normal(size=(3, 2))
    _, kinds, _ = left_out(lonely)
    assert np.isnan(kinds[0]).all()
    assert np.isfinite(kinds[1]).all()


def test_a_hole_is_filled_as_it_is_for_the_difference_itself() -> None:
    values = RNG.normal(size=(4, 5, 6))
    values[1, 0, 0], values[2, 3, 1:3] = np.nan, np.nan
    every, kinds, prompts = left_out(values)
    found = crossed_wordings(values, resamples=1, rng=np.random.default_rng(0))
    assert every == pytest.approx(found.vs_rest.value)
    assert np.isfinite(kinds).all()
    assert np.isfinite(prompts).all()


@pytest.mark.parametrize(
    ("part", "shape"),
    [("wordings", (6, 6, 1)), ("prompts", (6, 1, 6)), ("combinations", (6, 6, 6))],
)
def test_what_was_planted_makes_most_of_the_error(part: str, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    shares = [
        error_shares(rng.normal(size=shape) + rng.normal(scale=0.2, size=(6, 6, 6)))
        for _ in range(30)
    ]
    assert np.mean([each[part] for each in shares]) > 0.75
    assert all(sum(each.values()) == pytest.approx(1) for each in shares)


def test_counting_is_told_from_combinations() -> None:
    rng = np.random.default_rng(2)
    rates = rng.binomial(10, 0.3, size=(6, 6, 8)) / 10
    counted = 0.3 * 0.7 / (10 * 48)
    shares = error_shares(rates, counted)
    assert shares["samples"] > 0.6
    assert error_shares(rates)["samples"] == 0


def test_nothing_is_said_of_too_few_cells_and_of_what_does_not_vary() -> None:
    assert error_shares(np.zeros((3, 3, 3))) == {}
    assert error_shares(RNG.normal(size=(3, 1, 4))) == {}
