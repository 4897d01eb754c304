"""Groups over wordings and prompts: nothing is found that only a word or a prompt has."""

from __future__ import annotations

from itertools import product
from math import factorial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.stats import t

from slant.stats.crossed_wordings import crossed_wordings, whole_cells
from slant.stats.exchanges import exchanges
from slant.stats.multiple import benjamini_hochberg
from slant.stats.two_way_errors import two_way_errors

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHAPE = (6, 6, 6)


def table(
    rng: np.random.Generator,
    shape: tuple[int, int, int] = SHAPE,
    *,
    wording: float = 0.23,
    quirk: float = 0.23,
    planted: float = 0.0,
    uneven: float = 1.0,
) -> NDArray[np.float64]:
    """Make values of groups: what wordings, prompts and cells add, and a group that leans."""
    groups, kinds, prompts = shape
    spread = np.where(np.arange(groups) == 0, uneven, 1.0)[:, None]
    values = rng.normal(0, 0.3, kinds)[:, None] + rng.normal(0, 0.5, prompts)
    values = values + (rng.normal(0, wording, (groups, kinds)) * spread)[:, :, None]
    values = values + (rng.normal(0, quirk, (groups, prompts)) * spread)[:, None, :]
    values = values + rng.normal(0, 0.3, shape)
    values[0] += planted
    return np.asarray(values)


def check(
    runs: int, resamples: int, turns: int | None = None, **made: float
) -> tuple[float, float]:
    """Give the share of tables in which a q is below .05, and the coverage of 0.

    With `turns` each prompt has only so many wordings, which take turns.
    """
    rng = np.random.default_rng(1)
    found, covered = 0, []
    for _ in range(runs):
        values = table(rng, **made)  # type: ignore[arg-type]
        if turns is not None:
            _, kinds, prompts = values.shape
            turn = np.subtract.outer(np.arange(kinds), turns * np.arange(prompts)) % kinds
            values = np.where(turn < turns, values, np.nan)
        result = crossed_wordings(values, resamples=resamples, rng=rng)
        found += benjamini_hochberg(result.vs_rest.p).min() < 0.05
        covered.append(((result.vs_rest.low <= 0) & (result.vs_rest.high >= 0)).mean())
    return found / runs, float(np.mean(covered))


def test_what_one_word_or_one_prompt_has_is_not_the_groups() -> None:
    found, covered = check(60, 299)
    assert found <= 0.1
    assert 0.92 <= covered <= 0.99


@pytest.mark.parametrize("turns", [1, 2])
def test_few_samples_cover_too_where_wordings_take_turns(turns: int) -> None:
    """One wording a prompt leaves nothing to tell wordings, prompts and the rest apart by."""
    found, covered = check(60, 199, turns)
    assert found <= 0.1
    assert 0.91 <= covered <= 0.99


@pytest.mark.slow
@pytest.mark.parametrize("turns", [1, 2, 3])
@pytest.mark.parametrize("quirk", [0.0, 0.5])
def test_turns_of_wordings_neither_find_nor_hide(turns: int, quirk: float) -> None:
    found, covered = check(400, 999, turns, quirk=quirk)
    assert found <= 0.075
    assert 0.93 <= covered <= 0.985


@pytest.mark.slow
@pytest.mark.parametrize(
    "made",
    [
        {"wording": 0.23, "quirk": 0.0},
        {"wording": 0.23, "quirk": 0.23},
        {"wording": 0.23, "quirk": 0.5},
        {"wording": 0.0, "quirk": 0.5},
        {"wording": 0.23, "quirk": 0.23, "uneven": 3.0},
    ],
)
def test_false_findings_stay_rare_and_intervals_cover(made: dict[str, float]) -> None:
    found, covered = check(400, 999, **made)  # type: ignore[arg-type]
    assert found <= 0.06
    assert 0.93 <= covered <= 0.985


def test_a_group_that_leans_in_all_its_wordings_is_found() -> None:
    rng = np.random.default_rng(2)
    result = crossed_wordings(table(rng, planted=1.2), rng=rng, resamples=2000)
    q = benjamini_hochberg(result.vs_rest.p)
    assert q[0] < 0.05 < q[1:].min()
    assert result.vs_rest.low[0] > 0
    assert result.vs_rest.value[0] == pytest.approx(1.2, abs=0.5)


def test_a_lean_after_one_word_only_is_not_found() -> None:
    rng = np.random.default_rng(3)
    values = table(rng, quirk=0.0)
    values[0, 0] += 5  # "Muslims", and none of its other wordings
    result = crossed_wordings(values, rng=rng, resamples=999)
    assert result.vs_rest.p[0] > 0.1
    values = table(rng, wording=0.0)
    values[0, :, 0] += 5  # one prompt, and none of the others
    result = crossed_wordings(values, rng=rng, resamples=999)
    assert result.vs_rest.p[0] > 0.1


def test_values_are_means_over_cells_that_half_of_the_groups_have() -> None:
    values = table(np.random.default_rng(4))
    values[2:, 1, 3] = np.nan
    result = crossed_wordings(values, rng=np.random.default_rng(5), resamples=99)
    kept = np.isfinite(values).all(axis=0)
    assert result.cells == 35
    assert result.own.value == pytest.approx([each[kept].mean() for each in values])
    assert np.isnan(result.own.p).all()


def test_a_hole_is_filled_and_does_not_take_a_mean_beyond_what_was_seen() -> None:
    values = (table(np.random.default_rng(4)) > 0.5).astype(float)
    values[2] = 0.0
    values[2, 1, 3:] = np.nan
    result = crossed_wordings(values, rng=np.random.default_rng(5), resamples=99)
    assert result.cells == 36
    assert result.own.value[2] == 0
    assert result.own.value[[0, 1]] == pytest.approx(values[:2].mean(axis=(1, 2)))


@pytest.mark.parametrize("shares", [False, True])
def test_intervals_and_p_hold_where_a_third_is_missing(shares: bool) -> None:
    """As of a chat model that refuses 15% of statements, and 15% of their negations."""
    rng = np.random.default_rng(21)
    covered, found = [], []
    for _ in range(150):
        values = table(rng, (7, 6, 6))
        values = (values > 0.5).astype(float) if shares else values
        values[rng.random(values.shape) < 0.28] = np.nan
        result = crossed_wordings(values, rng=rng, resamples=199).vs_rest
        covered += [(result.low <= 0) & (result.high >= 0)]
        found += [result.p < 0.05]
    assert 0.92 < np.mean(covered) < 0.98
    assert np.mean(found) < 0.07


def test_few_prompts_or_wordings_give_an_interval_and_no_p() -> None:
    rng = np.random.default_rng(6)
    for shape in ((6, 6, 4), (6, 4, 6)):
        result = crossed_wordings(table(rng, shape), rng=rng, resamples=99)
        assert np.isnan(result.vs_rest.p).all()
        assert (result.vs_rest.low < result.vs_rest.high).all()
        assert result.vs_rest.chance[0] is None


def test_a_reference_is_compared_with_each_other_group() -> None:
    rng = np.random.default_rng(7)
    result = crossed_wordings(table(rng, planted=2.0), reference=1, rng=rng, resamples=500)
    against = result.vs_reference
    assert against is not None
    assert np.isnan(against.value[1])
    assert against.p[0] < 0.05
    assert against.low[0] < 2.0 < against.high[0]


def test_a_table_of_zeros_is_as_unsure_as_counting_is() -> None:
    rng = np.random.default_rng(8)
    result = crossed_wordings(np.zeros(SHAPE), least=0.02, rng=rng, resamples=99)
    assert (result.vs_rest.high > 0.03).all()
    assert (result.vs_rest.p == 1).all()


def test_all_arrangements_are_gone_through_where_they_are_few() -> None:
    values = np.arange(2 * 6 * 3, dtype=float).reshape(2, 6, 3)
    tables = np.concatenate(list(exchanges(values, 1, 10_000, np.random.default_rng(0))))
    assert len(tables) == factorial(2) ** 6 - 1
    assert len({each.tobytes() for each in tables} | {values.tobytes()}) == 64
    assert (np.sort(tables, axis=1) == np.sort(values, axis=0)).all()
    by_prompt = np.concatenate(list(exchanges(values, 2, 10_000, np.random.default_rng(0))))
    assert len(by_prompt) == 2**3 - 1
    # A whole prompt changes groups: with all its wordings.
    moved = by_prompt[:, 0, :, 0] == values[1, :, 0]
    assert (moved.all(axis=1) == moved.any(axis=1)).all()


def test_errors_are_those_of_the_variance_components() -> None:
    rng = np.random.default_rng(9)
    draws, rows, columns = 4000, 6, 8
    a, b = rng.normal(0, 0.5, (draws, rows)), rng.normal(0, 0.8, (draws, columns))
    values = a[:, :, None] + b[:, None, :] + rng.normal(0, 0.4, (draws, rows, columns))
    errors = two_way_errors(values, np.ones((rows, columns), dtype=bool))
    true = 0.25 / rows + 0.64 / columns + 0.16 / (rows * columns)
    assert errors.variance.mean() == pytest.approx(true, rel=0.04)
    assert values.mean(axis=(1, 2)).var() == pytest.approx(true, rel=0.1)
    assert (errors.freedom < rows + columns).all()


def by_hand(difference: NDArray[np.float64]) -> float:
    """Divide a mean by its error, the components of which are those of a two-way table."""
    rows, columns = difference.shape
    mean = difference.mean()
    by_row, by_column = difference.mean(axis=1), difference.mean(axis=0)
    left = difference - by_row[:, None] - by_column + mean
    rest = (left**2).sum() / (rows - 1) / (columns - 1) / difference.size
    parts = [by_row.var(ddof=1) / rows - rest, by_column.var(ddof=1) / columns - rest]
    return float(abs(mean) / np.sqrt(rest + sum(max(each, 0.0) for each in parts)))


def test_intervals_are_students_t_with_the_freedom_they_tell() -> None:
    values = table(np.random.default_rng(12))
    found = crossed_wordings(values, reference=0, resamples=9, rng=np.random.default_rng(13))
    assert found.vs_reference is not None
    assert found.reference_error is not None
    for each, errors in (
        (found.vs_rest, found.rest_error),
        (found.vs_reference, found.reference_error),
    ):
        assert each.freedom is not None
        half = t.ppf(0.975, each.freedom) * errors
        assert (each.high - each.value)[1:] == pytest.approx(half[1:])


def test_p_is_that_of_all_arrangements() -> None:
    """Of two groups an exchange turns the sign of a wording's, or of a prompt's, differences."""
    signs = np.array(list(product([1, -1], repeat=5)))
    rng = np.random.default_rng(11)
    for _ in range(10):
        values = rng.normal(size=(2, 5, 5)) + np.array([0.3, 0.0])[:, None, None]
        difference = values[0] - values[1]
        own = by_hand(difference)
        kinds = [by_hand(each[:, None] * difference) for each in signs]
        prompts = [by_hand(each * difference) for each in signs]
        expected = max(np.mean(np.array(each) > own - 1e-9) for each in (kinds, prompts))
        result = crossed_wordings(values, resamples=1000, rng=rng)
        assert result.vs_rest.p == pytest.approx([expected, expected])


@pytest.mark.parametrize("shape", [(1, 6, 6), (6, 1, 6), (6, 6, 1), (6, 6)])
def test_what_cannot_be_compared_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="need"):
        whole_cells(np.zeros(shape))


def test_a_prompt_or_kind_that_no_group_has_whole_is_left_out() -> None:
    values = np.arange(24.0).reshape(2, 3, 4)
    values[0, 1], values[1, :, 2] = np.nan, np.nan
    data, known = whole_cells(values)
    assert known.all()
    assert data.tolist() == [[[0, 1, 3], [8, 9, 11]], [[12, 13, 15], [20, 21, 23]]]


def test_a_group_whose_cells_are_all_alike_has_an_interval() -> None:
    values = table(np.random.default_rng(8))
    values[1] = 0.3
    own = crossed_wordings(values, rng=np.random.default_rng(9), resamples=9).own
    assert own.low[1] < 0.29 < 0.31 < own.high[1]


def test_noise_is_right_on_average_where_errors_are_cautious() -> None:
    """Where neither wordings nor prompts matter, what is kept from falling below 0 adds up."""
    rng = np.random.default_rng(7)
    found = [crossed_wordings(rng.normal(size=(3, 6, 6)), resamples=1, rng=rng) for _ in range(400)]
    values = np.array([each.vs_rest.value for each in found])
    noise = np.mean([each.rest_noise for each in found])
    assert noise == pytest.approx((values**2).mean(), rel=0.12)
    assert np.mean([each.rest_error**2 for each in found]) > 1.1 * noise
    against = crossed_wordings(rng.normal(size=(2, 6, 6)), reference=0, resamples=1, rng=rng)
    assert against.reference_noise is not None
    assert np.isnan(against.reference_noise[0])
    assert np.isfinite(against.reference_noise[1])
