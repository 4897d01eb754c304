from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from slant.stats.tail_counts import TailCounts


def counted(draws: np.ndarray) -> TailCounts:
    counts = TailCounts()
    for part in np.array_split(draws, 7):
        counts.add(part)
    return counts


def test_p_is_the_share_of_draws_at_least_as_large() -> None:
    draws = np.random.default_rng(0).normal(size=1_000_000).astype(np.float32)
    values = np.array([0.0, 0.5, -1, 2, -3, 4])
    exact = [(1 + (np.abs(draws) >= abs(value)).sum()) / (1 + len(draws)) for value in values]
    p = counted(draws).p(values)
    np.testing.assert_allclose(p, exact, rtol=0.01)
    assert (p >= np.array(exact)).all()
    np.testing.assert_allclose(p, 2 * stats.norm.sf(np.abs(values)), rtol=0.2)


def test_beyond_all_draws_p_is_as_small_as_it_can_be() -> None:
    p = counted(np.linspace(-1, 1, 99)).p(np.array([50.0, np.finfo(float).max]))
    assert p.tolist() == [0.01, 0.01]


def test_critical_is_where_p_falls_below() -> None:
    counts = counted(np.random.default_rng(0).normal(size=100_000))
    critical = counts.critical(0.05)
    assert critical == pytest.approx(1.96, abs=0.02)
    below, above = counts.p(np.array([critical * 0.9999, critical * 1.0001]))
    assert above < 0.05 <= below


def test_nothing_can_be_beyond_chance_with_too_few_draws() -> None:
    assert counted(np.ones(10)).critical(0.05) > 1000
