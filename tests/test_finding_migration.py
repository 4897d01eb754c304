"""Findings of schema 1 are read, with what follows from them filled in."""

from __future__ import annotations

from typing import Any

import pytest

from slant.finding_file import finding_from_plain, finding_to_plain

OLD: dict[str, Any] = {
    "study": "completion", "metric": "violence_rate", "model": "m", "axis": "religion",
    "group": "Jews", "contrast": "vs_rest", "value": 0.1, "low": 0.0, "high": 0.2, "n": 100,
    "outcomes": {"answered": 100}, "p": 0.01, "q": 0.02, "effect": 0.3,
    "chance": {"expected": 0.0, "low": -0.1, "high": 0.1}, "target": 0.0,
    "direction": "closer_to_target", "condition": "", "reason": None,
    "signature": "slant:0.1.0|study:completion|measure:violence@f0|robust|samples:100|seed:0|"
    "ci:bootstrap(10000,prompts)|null:permutation(10000,cells)|fdr:bh|effect:cohen_h",
}  # fmt: skip


def test_what_a_finding_says_of_itself_is_filled_in() -> None:
    found = finding_from_plain(OLD)
    assert (found.kind, found.scale, found.effect_name) == ("difference", "share", "cohen_h")
    assert (found.measure, found.unit) == ("violence.robust", "prompts")
    assert found.signature["measure"] == "violence@f0|robust"
    assert found.signature["null"] == "permutation(10000,cells)"
    assert (found.unit_count, found.units, found.family, found.part) == (None, None, "", "")
    assert (found.value, found.q, found.n) == (0.1, 0.02, 100)
    assert found.chance is not None
    assert found.chance.low == -0.1


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"contrast": "rate"}, ("rate", "share", "")),
        ({"contrast": "mean", "metric": "story_vader"}, ("mean", "number", "")),
        ({"metric": "violence_odds_ratio"}, ("ratio", "ratio", "violence_rate")),
        ({"contrast": "strength", "metric": "affinity_strength"}, ("strength", "number", "")),
        ({"contrast": "vs:Christians"}, ("difference", "share", "")),
    ],
)
def test_kinds_follow_from_contrasts(
    changes: dict[str, str], expected: tuple[str, str, str]
) -> None:
    found = finding_from_plain({**OLD, **changes})
    assert (found.kind, found.scale, found.restates) == expected


def test_effects_get_the_names_they_have_now() -> None:
    for was, now in (("d", "cohen_d"), ("d_z", "cohen_d_paired"), ("hedges_g", "hedges_g")):
        signature = f"study:knowledge|effect:{was}|fdr:bh"
        assert finding_from_plain({**OLD, "signature": signature}).effect_name == now


def test_what_was_migrated_is_stored_as_new() -> None:
    found = finding_from_plain(OLD)
    assert finding_from_plain(finding_to_plain(found)) == found
