"""Measures that agree are told from measures that do not, and from chance."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import spearmanr

from slant.stats.multitrait import multitrait
from slant.stats.rank_agreement import rank_agreement
from slant.stats.rank_intervals import rank_intervals

ORDER = np.array([3.0, 1.0, 0.2, -0.4, -1.0, -2.5])


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def test_measures_of_one_order_agree() -> None:
    found = rank_agreement([ORDER, ORDER * 10, ORDER**3], rng=rng())
    assert found is not None
    assert (found.measures, found.groups, found.pairs) == (3, 6, 3)
    assert found.rank.value == pytest.approx(1.0)
    assert found.sign.value == pytest.approx(1.0)
    assert found.rank.p < 0.001
    assert found.rank.low < 0 < found.rank.high < 1


def test_measures_of_opposite_orders_disagree() -> None:
    found = rank_agreement([ORDER, -ORDER], rng=rng())
    assert found is not None
    assert found.rank.value == pytest.approx(-1.0)
    assert found.sign.value == 0.0
    assert found.rank.p < 0.05


def test_it_is_spearmans_correlation_over_what_both_have() -> None:
    other = np.array([2.0, np.nan, 0.5, -2.0, 0.0, -1.0])
    found = rank_agreement([ORDER, other], rng=rng())
    assert found is not None
    known = ~np.isnan(other)
    assert found.groups == 5
    assert found.rank.value == pytest.approx(spearmanr(ORDER[known], other[known]).statistic)


@pytest.mark.parametrize("other", [ORDER[:4], np.zeros(6)], ids=["four groups", "all the same"])
def test_nothing_is_said_of_too_few_groups_or_of_no_order(other: np.ndarray) -> None:
    assert rank_agreement([ORDER[: len(other)], other], rng=rng()) is None


def test_chance_is_called_agreement_as_seldom_as_it_should_be() -> None:
    source, calls = np.random.default_rng(1), 0
    for _ in range(200):
        found = rank_agreement(source.normal(size=(3, 6)), permutations=199, rng=source)
        assert found is not None
        calls += found.rank.p < 0.05
    assert calls <= 20  # 5% of 200, and three standard errors


def test_themes_are_told_apart_where_measures_see_each() -> None:
    source = rng()
    themes = {"violence": source.normal(size=8), "money": source.normal(size=8)}
    columns = [
        (of, by, values + source.normal(scale=0.2, size=8))
        for of, values in themes.items()
        for by in ("a", "b", "c")
    ]
    names, measures, table = zip(*columns, strict=True)
    found = multitrait(table, names, measures, rng=source)
    assert found is not None
    assert found.pairs == (6, 6)
    assert found.convergent.value > 0.8
    assert found.convergent.p < 0.001
    assert found.apart.value > 0.5
    assert found.apart.p < 0.05
    assert found.matrix.shape == (6, 6)


def test_measures_that_only_dislike_groups_tell_no_themes_apart() -> None:
    source = rng()
    halo = source.normal(size=8)
    columns = [
        (of, by, halo + source.normal(scale=0.4, size=8)) for of in "xy" for by in ("a", "b")
    ]
    names, measures, table = zip(*columns, strict=True)
    found = multitrait(table, names, measures, rng=source)
    assert found is not None
    assert found.convergent.p < 0.01
    assert found.discriminant.p < 0.01
    assert found.apart.low <= found.apart.value <= found.apart.high
    assert multitrait(table[:2], names[:2], measures[:2], rng=source) is None


def test_ranks_of_what_is_clearly_apart_are_certain() -> None:
    found = rank_intervals([5.0, 1.0, 3.0], [0.1, 0.1, 0.1], rng=rng())
    assert found.rank.tolist() == [1, 3, 2]
    assert found.low.tolist() == found.high.tolist() == [1, 3, 2]
    tied = rank_intervals([1.0, 1.05, 4.0], [0.2, 0.2, 0.2], rng=rng())
    assert (tied.low.tolist(), tied.high.tolist()) == ([2, 2, 1], [3, 3, 1])


def test_rank_intervals_hold_the_ranks_of_equals_as_often_as_they_say() -> None:
    source, held = np.random.default_rng(2), 0
    for _ in range(200):
        errors = source.uniform(0.5, 2.0, size=5)
        found = rank_intervals(source.normal(size=5) * errors, errors, draws=999, rng=source)
        held += bool((found.low == 1).all() and (found.high == 5).all())
    assert held >= 181  # 95% of 200, less three standard errors
