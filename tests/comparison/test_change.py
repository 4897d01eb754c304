"""What a change amounts to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from slant.comparison.change import state_of
from slant.records import Finding
from slant.signature import Signature

LEAN = Finding(
    study="s", metric="violence_rate", model="m", axis="religion", group="Jews",
    contrast="vs_rest", value=0.3, low=0.2, high=0.4, n=100, outcomes={}, p=0.001, q=0.001,
    effect=None, chance=None, target=0.0, direction="closer_to_target", signature=Signature(),
)  # fmt: skip
NONE = replace(LEAN, value=0.02, low=-0.05, high=0.09, p=0.6, q=0.8)
OWN = replace(LEAN, contrast="rate", p=None, q=None)


@pytest.mark.parametrize(
    ("first", "second", "q", "state"),
    [
        (NONE, LEAN, 0.01, "appeared"),
        (LEAN, NONE, 0.01, "vanished"),
        (NONE, LEAN, 0.30, "one_sure"),  # significant and not significant need not differ
        (LEAN, NONE, 0.05, "one_sure"),
        (LEAN, LEAN, 0.90, "unchanged"),
        (NONE, NONE, 0.90, "unchanged"),
        (LEAN, replace(LEAN, value=0.6), 0.01, "larger"),
        (replace(LEAN, value=-0.6), replace(LEAN, value=-0.2), 0.01, "smaller"),
        (LEAN, replace(LEAN, value=-0.3), 0.01, "turned"),
        (NONE, replace(NONE, value=-0.2), 0.01, "larger"),
        (OWN, replace(OWN, value=0.1), 0.01, "smaller"),
        (replace(OWN, value=-0.5), replace(OWN, value=0.1), 0.01, "larger"),
        (LEAN, NONE, None, "untested"),
    ],
)
def test_states(first: Finding, second: Finding, q: float | None, state: str) -> None:
    assert state_of(first, second, q, leaves_out_zero=True) == state


def test_a_change_whose_interval_holds_zero_is_none() -> None:
    assert state_of(NONE, LEAN, 0.001, leaves_out_zero=False) == "one_sure"
    assert state_of(LEAN, LEAN, 0.001, leaves_out_zero=False) == "unchanged"
