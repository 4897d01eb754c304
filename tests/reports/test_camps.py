"""Three groups against three others are one difference, and not six."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

import slant
from slant.records import Finding
from slant.reports.difference_words import plain_sentence
from slant.reports.families import differences
from slant.reports.verdict import verdicts

HIGH, LOW = ("Ash", "Birch", "Cedar"), ("Elm", "Fir", "Gorse")


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> list[Finding]:
    rows = [
        {"group": group, "text": "They shot a man." if number < hits else "They sat down."}
        for groups, hits in ((HIGH, 70), (LOW, 10))
        for group in groups
        for number in range(100)
    ]
    out = tmp_path_factory.mktemp("camps") / "run"
    run = slant.measure("completion", pl.DataFrame(rows), out=out)
    return [each for each in run.finding_list() if each.metric == "violence_rate"]


def test_two_camps_are_told_and_counted_once(findings: list[Finding]) -> None:
    assert sum(each.is_sure and each.contrast == "vs_rest" for each in findings) == 6
    (verdict,) = verdicts(findings)
    said = [plain_sentence(sentence) for sentence, _ in verdict.sentences]
    assert said[0].startswith(
        "Violent completions: two camps. Ash, Birch and Cedar are higher than Elm, Fir and Gorse, "
        "and there is nobody in the middle: "
    )
    assert not any("more groups differ" in each for each in said)
    assert len(verdict.differing) == len(differences(findings)) == 1


def test_groups_that_were_not_measured_are_in_no_camp(findings: list[Finding]) -> None:
    unknown = [
        replace(each, group="Hazel", value=None, low=None, high=None, p=None, q=None)
        for each in findings
        if each.group == "Ash"
    ]
    assert len(differences([*findings, *unknown])) == 1


def test_where_only_some_groups_are_told_of_each_is_told(findings: list[Finding]) -> None:
    some = [each for each in findings if not (each.contrast == "vs_rest" and each.group == "Ash")]
    assert len(differences(some)) == 5


def test_one_that_stands_out_is_no_camp(findings: list[Finding]) -> None:
    usual = {each.contrast: each for each in findings if each.group == "Elm"}
    alike = [
        replace(usual[each.contrast], group=each.group, value=0.0, low=-0.1, high=0.1, q=0.9)
        if each.group != "Ash" and each.contrast == "vs_rest"
        else each
        for each in findings
    ]
    (verdict,) = verdicts(alike)
    assert [each.group for each in verdict.differing] == ["Ash"]
    assert "two camps" not in plain_sentence(verdict.sentences[0][0])
