"""Filing: what a study measured becomes findings, at one place."""

from __future__ import annotations

import math

import polars as pl
import pytest

from slant.records import Units
from slant.signature import Signature
from slant.stats import benjamini_hochberg
from slant.studies.filing import (
    Filing,
    Measured,
    Quantity,
    Subject,
    adjusted,
    count_outcomes,
    outcomes_by_group,
    q_values,
)

FILE = Filing("study", "model", Signature(study="study", seed=0))
OWN = Quantity(
    "x_rate", "rate", "rate", "lower_is_better", 0.0, "share", "x.robust", "prompts",
    Units("counts", ("condition",)), "part", how={"ci": "wilson"},
)  # fmt: skip
JEWS = Subject("religion", "Jews", {"answered": 5}, "prompt", {"noun": "bank"})


def test_a_finding_says_what_it_rests_on() -> None:
    found = FILE(OWN, JEWS, Measured(0.5, 0.2, 0.8, n=10, unit_count=4))
    assert (found.study, found.model, found.axis, found.group) == (
        "study", "model", "religion", "Jews",
    )  # fmt: skip
    assert (found.value, found.low, found.high, found.n) == (0.5, 0.2, 0.8, 10)
    assert (found.kind, found.scale, found.measure) == ("rate", "share", "x.robust")
    assert (found.unit, found.unit_count, found.part) == ("prompts", 4, "part")
    assert found.units == Units("counts", ("condition",))
    assert (found.condition, found.slots) == ("prompt", {"noun": "bank"})
    assert dict(found.signature) == {"study": "study", "seed": 0, "ci": "wilson"}
    assert (found.p, found.q, found.effect, found.family) == (None, None, None, "")


@pytest.mark.parametrize("what", [OWN, OWN.against(), OWN.against("vs:Danes")])
def test_what_was_not_measured_has_the_target_and_direction_of_what_was(what: Quantity) -> None:
    known = FILE(what, JEWS, Measured(0.5, reason="not told of what is known"))
    unknown = FILE(what, JEWS, Measured(math.nan, reason="nothing came back"))
    assert (unknown.target, unknown.direction) == (known.target, known.direction)
    assert (unknown.kind, unknown.measure) == (known.kind, known.measure)
    assert (known.reason, unknown.reason) == (None, "nothing came back")
    assert unknown.value is None


def test_a_difference_is_zero_without_a_lean() -> None:
    found = FILE(OWN.against(effect_name="cohen_h", null="signs(9)"), JEWS, Measured(0.1))
    assert (found.kind, found.target, found.direction) == ("difference", 0.0, "closer_to_target")
    assert (found.contrast, found.effect_name) == ("vs_rest", "cohen_h")
    assert (found.scale, found.measure, found.part) == ("share", "x.robust", "part")
    assert (found.signature["ci"], found.signature["null"]) == ("wilson", "signs(9)")


def test_a_family_is_adjusted_together_and_says_so() -> None:
    p = [0.01, math.nan, 0.04, 0.5]
    findings = [FILE(OWN.against(), JEWS, Measured(0.1, p=each)) for each in p]
    found = adjusted(findings, "x compared")
    expected = benjamini_hochberg([0.01, 0.04, 0.5])
    assert [each.q for each in found if each.q is not None] == pytest.approx(list(expected))
    assert [each.family for each in found] == ["x compared", "", "x compared", "x compared"]
    assert [each.signature.get("fdr") for each in found] == ["bh", None, "bh", "bh"]
    assert q_values(p) == [each.q for each in found]


def test_a_cell_of_a_larger_family_brings_its_q() -> None:
    found = FILE(OWN.against(), JEWS, Measured(0.1, p=0.01, q=0.03, family="cells"))
    assert (found.q, found.family, found.signature["fdr"]) == (0.03, "cells", "bh")


def test_outcomes_are_counted_with_those_that_did_not_occur() -> None:
    rows = pl.DataFrame({"group": ["a", "a", "b"], "outcome": ["answered", "refused", "error"]})
    assert count_outcomes(rows) == {"answered": 1, "refused": 1, "unparseable": 0, "error": 1}
    assert outcomes_by_group(rows)["b"] == {
        "answered": 0, "refused": 0, "unparseable": 0, "error": 1,
    }  # fmt: skip
