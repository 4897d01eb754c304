from __future__ import annotations

import statistics

import pytest
from scipy import stats

from slant.models.mock.chance import Draws
from slant.models.mock.replies import Repertoire, Reply


def test_uniform_and_normal_numbers() -> None:
    draws = Draws(0, "a")
    uniform = [draws.uniform() for _ in range(20_000)]
    assert len(set(uniform)) == 20_000
    assert 0 < min(uniform) < max(uniform) < 1
    assert stats.kstest(uniform, "uniform").pvalue > 1e-3
    normal = [draws.normal() for _ in range(20_000)]
    assert stats.kstest(normal, "norm").pvalue > 1e-3


def test_streams_of_different_names_and_seeds_are_independent() -> None:
    first = [Draws(0, str(name)).uniform() for name in range(5000)]
    second = [Draws(1, str(name)).uniform() for name in range(5000)]
    assert stats.kstest(first, "uniform").pvalue > 1e-3
    assert abs(statistics.correlation(first, second)) < 0.06
    assert Draws(0, "a", "b").uniform() != Draws(0, "b", "a").uniform()
    assert Draws(0, "a").uniform() == Draws(0, "a").uniform()


@pytest.mark.parametrize(("drawn", "text"), [(1e-9, "a"), (0.4999, "a"), (0.5001, "b"), (1.0, "b")])
def test_rounding_never_draws_what_has_no_weight(
    monkeypatch: pytest.MonkeyPatch, drawn: float, text: str
) -> None:
    monkeypatch.setattr(Draws, "uniform", lambda _: drawn)
    weights = {"a": 0.5, "b": 0.4999999, "never": 0.0}
    replies = Repertoire([Reply(text=name, weight=weight) for name, weight in weights.items()])
    assert replies.draw(Draws(0), {}).text == text
