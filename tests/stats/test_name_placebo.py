from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm, t

from slant.stats.grid_contrasts import grid_contrasts, group_strength
from slant.stats.name_placebo import NamePlacebo, name_placebo

LABELS = np.repeat(np.arange(8), 6)


def measured(spread: float, seed: int) -> NamePlacebo:
    rng = np.random.default_rng(seed)
    values = rng.normal(0, 1, (48, 30)) + spread * rng.normal(0, 1, (8, 30))[LABELS]
    return name_placebo(
        grid_contrasts(values, LABELS, resamples=300, rng=rng),
        group_strength(values, LABELS, resamples=300, rng=rng),
    )


@pytest.mark.parametrize("spread", [0.0, 0.5, 1.0])
def test_the_spread_of_groups_is_found_in_standard_deviations_of_names(spread: float) -> None:
    found = [measured(spread, seed).spread.value for seed in range(4)]
    assert np.mean(found) == pytest.approx(spread, abs=0.2)


def test_cells_of_groups_like_the_made_up_ones_are_rarely_beyond_them() -> None:
    made_up, rng = measured(1.0, 1), np.random.default_rng(0)
    values = rng.normal(0, 1, (48, 30)) + rng.normal(0, 1, (8, 30))[LABELS]
    found = grid_contrasts(values, LABELS, resamples=300, rng=rng)
    share = made_up.cell_share(found)
    assert (found.p < 0.05).mean() > 0.3
    assert (share > 0.95).mean() < 0.1
    assert share[np.unravel_index(np.abs(found.value).argmax(), share.shape)] > 0.9


def test_a_cell_is_held_against_students_t_of_names_and_spelling() -> None:
    made_up, rng = measured(0.5, 1), np.random.default_rng(2)
    values = rng.normal(0, 1, (48, 30))
    values[LABELS == 0] *= 2
    found = grid_contrasts(values, LABELS, resamples=300, rng=rng)
    noise = found.chance_error[0] ** 2 * found.own_variance[0]
    tau = made_up.spread.value**2 + (made_up.spread.value**2 + noise) * np.sqrt(2 / 7)
    reach = found.value[0] / found.chance_high[0] * norm.ppf(0.975) * found.chance_error[0]
    p = 2 * t.sf(np.abs(reach) / np.sqrt(tau + noise), 7 * (1 + noise / tau) ** 2)
    np.testing.assert_allclose(made_up.cell_share(found)[0], 1 - p)


def test_a_group_whose_names_vary_more_is_no_more_often_beyond_made_up_ones() -> None:
    shares = []
    for seed in range(20):
        made_up, rng = measured(0.0, seed), np.random.default_rng(100 + seed)
        values = rng.normal(0, 1, (48, 30))
        values[LABELS == 0] *= 3
        found = grid_contrasts(values, LABELS, resamples=300, rng=rng)
        assert found.own_variance[0] > 3 > 1 > found.own_variance[1:].max()
        shares.append((made_up.cell_share(found)[0] > 0.95).mean())
    assert np.mean(shares) < 0.05  # 0.2 with the variance of all names


def test_strengths_are_compared_at_the_standard_error_of_the_group() -> None:
    # Excess of 0.75 and 3 with an error of a half: 2 and 3.6 times what chance shows.
    made_up = replace(measured(0.5, 1), excess=np.array([0.75, 3.0]))
    strength: Any = SimpleNamespace(value=np.array([2.5]), chance=SimpleNamespace(expected=1.0))
    assert made_up.strength_share(strength, np.array([0.5])) == pytest.approx(1 / 3)


def test_a_group_like_the_made_up_ones_is_not_set_apart() -> None:
    made_up, rng = measured(0.7, 1), np.random.default_rng(5)
    values = rng.normal(0, 1, (48, 30)) + 0.7 * rng.normal(0, 1, (8, 30))[LABELS]
    values[LABELS == 0] += 3 * rng.normal(0, 1, 30)
    grid = grid_contrasts(values, LABELS, resamples=300, rng=rng)
    strength = group_strength(values, LABELS, resamples=300, rng=rng)
    share = made_up.strength_share(strength, grid.chance_error)
    groups = len(made_up.excess)
    assert share[0] == groups / (groups + 1)  # it exceeds them all, which eight cannot make sure
    assert np.median(share[1:]) < 0.8


def test_names_that_are_all_alike_are_told_apart_by_nothing() -> None:
    rng, values = np.random.default_rng(0), np.zeros((48, 30))
    grid = grid_contrasts(values, LABELS, resamples=100, rng=rng)
    strength = group_strength(values, LABELS, resamples=100, rng=rng)
    with np.errstate(all="raise"):
        made_up = name_placebo(grid, strength)
        assert made_up.spread.value == 0
        assert (made_up.strength_share(strength, grid.chance_error) < 0.95).all()
