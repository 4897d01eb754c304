"""Means of groups over common prompts: known answers, and no more discoveries than promised."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import permutation_test

from slant.stats.grouped_means import grouped_means


def test_means_count_all_prompts_alike_whatever_their_answers() -> None:
    values = [0.0, 0.0, 0.0, 4.0, 1.0, 1.0]
    found = grouped_means(
        values, [0, 0, 0, 0, 1, 1], [0, 0, 0, 1, 0, 1], resamples=200, rng=np.random.default_rng(0)
    )
    assert found.own.value.tolist() == [2.0, 1.0]
    assert found.n.tolist() == [4, 2]
    assert found.cells.tolist() == [2, 2]
    assert found.vs_rest is not None
    assert found.vs_rest.estimate.value.tolist() == [1.0, -1.0]
    assert not found.vs_reference


def test_a_shifted_group_is_found_and_the_others_are_not() -> None:
    rng = np.random.default_rng(1)
    group, prompt = np.repeat(np.arange(5), 40), np.tile(np.repeat(np.arange(8), 5), 5)
    values = rng.normal(size=200) + 3.0 * (group == 2) + rng.normal(size=8)[prompt]
    found = grouped_means(values, group, prompt, reference=0, resamples=1000, rng=rng)
    assert found.vs_rest is not None
    assert found.vs_rest.permuted == "cells"
    assert np.flatnonzero(found.vs_rest.estimate.p < 0.01).tolist() == [2]
    assert found.vs_rest.effect[2] == pytest.approx(3.0, abs=0.5)
    assert set(found.vs_reference) == {1, 2, 3, 4}
    shifted = found.vs_reference[2].estimate
    assert shifted.p[0] < 0.01
    assert shifted.low[0] > 0
    assert found.vs_reference[3].estimate.p[0] > 0.05


def test_means_stay_within_their_bounds_and_a_single_group_is_compared_with_nobody() -> None:
    found = grouped_means(
        [1.0, 1.0, 0.9], [0, 0, 0], [0, 0, 0], bounds=(0.0, 1.0), resamples=500,
        rng=np.random.default_rng(0),
    )  # fmt: skip
    assert found.own.low[0] < found.own.value[0] < found.own.high[0] <= 1.0
    assert found.vs_rest is None


@pytest.mark.parametrize(("prompts", "each"), [(1, 12), (3, 8), (8, 3)])
def test_groups_that_do_not_differ_are_found_to_as_seldom_as_promised(
    prompts: int, each: int
) -> None:
    rng = np.random.default_rng(prompts)
    group = np.repeat(np.arange(4), prompts * each)
    prompt = np.tile(np.repeat(np.arange(prompts), each), 4)
    found, covered = [], []
    for _ in range(60):
        values = rng.exponential(size=len(group)) + rng.normal(size=prompts)[prompt]
        rest = grouped_means(values, group, prompt, resamples=200, rng=rng).vs_rest
        assert rest is not None
        found += (rest.estimate.p < 0.05).tolist()
        covered += ((rest.estimate.low <= 0) & (rest.estimate.high >= 0)).tolist()
    assert np.mean(found) < 0.1
    assert np.mean(covered) > 0.9


@pytest.mark.parametrize("values", [[], [1.0, np.nan]])
def test_what_cannot_be_averaged_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="finite"):
        grouped_means(values, [0] * len(values), [0] * len(values), rng=np.random.default_rng(0))


def test_answers_to_one_prompt_are_exchanged_as_scipy_does() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.normal(0, 1, 12), rng.normal(1, 1, 15)
    found = grouped_means(
        [*first, *second], [0] * 12 + [1] * 15, [0] * 27, reference=0, resamples=20_000, rng=rng
    )
    theirs = permutation_test(
        (second, first), lambda a, b: a.mean() - b.mean(), n_resamples=20_000, rng=rng
    )
    assert found.vs_reference[1].permuted == "observations"
    assert 0 < theirs.pvalue < 0.2
    assert found.vs_reference[1].estimate.p[0] == pytest.approx(theirs.pvalue, abs=0.015)


def test_whole_prompts_are_exchanged_where_answers_to_one_are_alike() -> None:
    rng = np.random.default_rng(4)
    group, prompt = np.repeat([0, 1], 80), np.tile(np.repeat(np.arange(16), 5), 2)
    cell = rng.normal(0, 1, (2, 16))  # each answer repeats its cell: sixteen values a group
    found = grouped_means(cell[group, prompt], group, prompt, resamples=5_000, rng=rng)
    difference = cell[0] - cell[1]
    signs = rng.choice((-1, 1), (20_000, 16))
    p = (np.abs((signs * difference).mean(axis=1)) >= abs(difference.mean()) - 1e-12).mean()
    assert found.vs_rest is not None
    assert found.vs_rest.estimate.p[0] == pytest.approx(p, abs=0.02)
