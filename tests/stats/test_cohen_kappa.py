"""Kappa: the same as other programs give, an interval that holds, and no value made up."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from slant.stats.cohen_kappa import cohen_kappa, kappa_of_shares

TABLES = [
    [[40, 9], [6, 45]],
    [[212, 10], [8, 20]],
    [[44, 5, 1], [7, 20, 3], [9, 5, 6]],
    [[5, 20], [25, 4]],
]


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


@pytest.mark.parametrize("table", TABLES)
def test_the_value_is_that_of_sklearn_and_statsmodels(table: list[list[int]]) -> None:
    rows, columns = np.indices(np.shape(table)).reshape(2, -1)
    first, second = (np.repeat(each, np.ravel(table)) for each in (rows, columns))
    found = cohen_kappa(table, resamples=200, rng=rng())
    assert found.value == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)
    assert found.value == pytest.approx(cohens_kappa(table).kappa, abs=1e-12)
    assert found.n == len(first)


@pytest.mark.parametrize("table", TABLES)
def test_in_large_samples_the_interval_is_that_of_fleiss_cohen_and_everitt(
    table: list[list[int]],
) -> None:
    large = np.array(table) * 80
    theirs = cohens_kappa(large)
    found = cohen_kappa(large, rng=rng())
    assert found.low == pytest.approx(theirs.kappa_low, abs=0.004)
    assert found.high == pytest.approx(theirs.kappa_upp, abs=0.004)


def test_chance_is_where_kappa_falls_when_ratings_have_nothing_in_common() -> None:
    found = cohen_kappa([[200, 50], [40, 10]], rng=rng())
    assert found.value == pytest.approx(0, abs=0.01)
    assert found.chance is not None
    assert found.chance.low < 0 < found.chance.high
    assert found.chance.histogram is not None
    assert sum(found.chance.histogram.counts) == 10_000
    # The variance of kappa by chance, statsmodels' var_kappa0.
    spread = 1.96 * np.sqrt(cohens_kappa([[200, 50], [40, 10]]).var_kappa0)
    assert found.chance.high == pytest.approx(spread, abs=0.03)


def test_a_stratified_sample_is_weighed_up_to_what_it_was_drawn_from() -> None:
    whole = np.array([[900, 20], [10, 70]])
    drawn = np.array([[450, 10], [10, 70]])
    assert cohen_kappa(drawn, whole.sum(axis=1), resamples=200, rng=rng()).value == pytest.approx(
        cohens_kappa(whole).kappa, abs=1e-12
    )
    assert abs(cohens_kappa(drawn).kappa - cohens_kappa(whole).kappa) > 0.02


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    """A thousand answers, 50 scored 1; thirty of either are judged; one in fifty is missed."""
    random = np.random.default_rng(7)
    weight, ruled = np.array([0.95, 0.05]), np.array([0.02, 0.9])
    truth = float(kappa_of_shares(np.stack([weight * (1 - ruled), weight * ruled], axis=-1)))
    held = 0
    for _ in range(300):
        ones = random.binomial(30, ruled)
        found = cohen_kappa(
            np.stack([30 - ones, ones], axis=-1), [950, 50], resamples=1000, rng=random
        )
        held += found.value is None or bool(found.low <= truth <= found.high)  # type: ignore[operator]
    assert 0.92 <= held / 300 <= 0.99


def test_agreement_on_all_that_was_shown_leaves_room_for_doubt() -> None:
    found = cohen_kappa([[15, 0], [0, 15]], [950, 50], rng=rng())
    assert found.value == found.high == 1
    # Of 15 answers scored 0 none was violent: of 950 there may well be a hundred.
    assert found.low is not None
    assert found.low < 0.5


@pytest.mark.parametrize(
    ("table", "sizes", "reason"),
    [
        ([[0, 0], [0, 0]], [9, 9], "nothing was rated by both"),
        ([[9, 0], [0, 0]], None, "the first rater gave one category"),
        ([[9, 1], [0, 0]], None, "the first rater gave one category"),
        ([[9, 0], [4, 0]], None, "the second rater gave one category"),
        ([[9, 1], [0, 0]], [20, 5], "nothing was rated twice of a category"),
    ],
)
def test_without_a_value_there_is_a_reason_and_no_zero(
    table: list[list[int]], sizes: list[int] | None, reason: str
) -> None:
    found = cohen_kappa(table, sizes, rng=rng())
    assert (found.value, found.low, found.high) == (None, None, None)
    assert found.reason is not None
    assert found.reason.startswith(reason)


@pytest.mark.parametrize(
    ("table", "sizes", "message"),
    [
        ([[1, 2, 3]], None, "shape"),
        ([[1]], None, "shape"),
        ([[1, 2], [3, -1]], None, "negative"),
        ([[1, 2], [3, 4]], [2, 9], "exceed"),
        ([[1, 2], [3, 4]], [9, 9, 9], "sizes needs the shape"),
    ],
)
def test_impossible_tables_are_refused(
    table: list[list[int]], sizes: list[int] | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        cohen_kappa(table, sizes, rng=rng())
