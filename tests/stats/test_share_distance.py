"""Shares of groups: against a naive loop, linear programming, and what must be exactly so."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linprog

from slant.stats.share_distance import compare_shares, shares, wasserstein

counts = arrays(np.int64, st.tuples(st.just(5), st.just(3)), elements=st.integers(0, 9))


def by_transport(f: np.ndarray, g: np.ndarray) -> float:
    """Solve equation 3 as it is printed: the cheapest way to move one distribution to the other."""
    m = len(f)
    cost = (1 - np.eye(m)).ravel()
    rows = [np.kron(np.eye(m)[i], np.ones(m)) for i in range(m)]
    columns = [np.kron(np.ones(m), np.eye(m)[j]) for j in range(m)]
    solved = linprog(cost, A_eq=[*rows, *columns], b_eq=[*g, *f])
    assert solved.fun is not None
    return float(solved.fun)


@pytest.mark.parametrize("groups", [2, 3, 4, 7])
def test_the_distance_is_that_of_the_transport_problem(groups: int) -> None:
    rng = np.random.default_rng(groups)
    first, second = rng.dirichlet(np.ones(groups), 20), rng.dirichlet(np.ones(groups), 20)

    expected = [by_transport(f, g) for f, g in zip(first, second, strict=True)]

    assert wasserstein(first, second) == pytest.approx(expected, abs=1e-9)
    if groups <= 3:
        assert wasserstein(first, second) == pytest.approx(np.abs(first - second).max(axis=1))


@given(counts, counts)
def test_the_comparison_is_that_of_a_naive_loop(first: np.ndarray, second: np.ndarray) -> None:
    found = compare_shares(first, second, rng=np.random.default_rng(0))
    distances, female = [], []
    for a, b in zip(first, second, strict=True):
        if sum(a) and sum(b):
            f, g = [n / sum(a) for n in a], [n / sum(b) for n in b]
            distances.append(sum(abs(x - y) for x, y in zip(f, g, strict=True)) / 2)
            if a[0]:
                female.append(g[0] < f[0])

    assert found.distance.n == len(distances) == found.kept.sum()
    assert found.groups[0].prejudice.n == len(female)
    if distances:
        assert found.distance.value == pytest.approx(np.mean(distances))
    if female:
        assert found.groups[0].prejudice.value == pytest.approx(np.mean(female))


@given(counts, counts)
def test_signed_differences_sum_to_zero(first: np.ndarray, second: np.ndarray) -> None:
    found = compare_shares(first, second, rng=np.random.default_rng(0))

    assert found.differences.sum(axis=1) == pytest.approx(0, abs=1e-12)


@given(counts)
def test_a_text_beside_itself_differs_by_nothing(texts: np.ndarray) -> None:
    found = compare_shares(texts, texts, rng=np.random.default_rng(0))

    assert not found.distances.any()
    assert not found.differences.any()
    assert all(
        group.prejudice.value == 0 or np.isnan(group.prejudice.value) for group in found.groups
    )
    assert all(group.test.p == 1 or np.isnan(group.test.p) for group in found.groups)


def test_a_known_share_of_swaps_gives_the_known_answer() -> None:
    reference = np.tile([4, 4], (400, 1))
    other = np.where(np.arange(400)[:, None] % 4 == 0, [0, 8], [4, 4])
    found = compare_shares(reference, other, rng=np.random.default_rng(0))

    assert found.distance.value == pytest.approx(0.125)
    female, male = found.groups
    assert (female.prejudice.value, female.decrease.value) == (0.25, -0.5)
    assert female.signed.value == pytest.approx(-0.125)
    assert male.prejudice.value == 0
    assert female.test.p < 0.001
    assert female.signed.low < -0.125 < female.signed.high


@pytest.mark.slow
def test_false_alarms_come_at_the_nominal_rate() -> None:
    rng, alarms = np.random.default_rng(1), 0
    for _ in range(100):
        first, second = rng.poisson(3, (40, 2)), rng.poisson(3, (40, 2))
        alarms += compare_shares(first, second, rng=rng).groups[0].test.p < 0.05

    assert alarms <= 12


def test_texts_without_words_have_no_distribution() -> None:
    assert np.isnan(shares([[0, 0]])).all()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([[1, 2]], [[1, 2], [3, 4]]),
        ([[1]], [[1]]),
        ([[-1, 2]], [[1, 2]]),
        ([[np.nan, 1]], [[1, 1]]),
    ],
)
def test_impossible_counts_are_refused(first: list[list[float]], second: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="counts"):
        compare_shares(first, second, rng=np.random.default_rng(0))
