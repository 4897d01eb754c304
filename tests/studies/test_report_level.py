"""Sure among all tests of a report: one error rate, and one definition."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from slant.finding_file import finding_from_plain, finding_to_plain
from slant.records import Finding, is_sure
from slant.reports.difference_words import plain_sentence
from slant.reports.verdict import verdicts
from slant.signature import Signature
from slant.studies.filing import adjusted
from slant.studies.report_level import adjusted_for_report, report_level
from slant.studies.section import Section
from slant.studies.study import Analysis

LEAN = Finding(
    study="completion", metric="violence_rate", model="m", axis="religion", group="Muslims",
    contrast="vs_rest", value=0.3, low=0.1, high=0.5, n=100, outcomes={"answered": 100}, p=0.001,
    q=None, effect=0.5, chance=None, target=0.0, direction="closer_to_target",
    signature=Signature(),
)  # fmt: skip


def sections(p: np.ndarray) -> list[Section]:
    """File p-values of shape (studies, families, tests)."""
    made = []
    for number, study in enumerate(p):
        findings = [
            finding
            for family, values in enumerate(study)
            for finding in adjusted([replace(LEAN, p=each) for each in values], f"family {family}")
        ]
        label = f"study {number}"
        made.append(Section("completion", label, "m", label, "", Analysis([*findings, LEAN])))
    return made


def findings(report: list[Section]) -> list[Finding]:
    return [finding for section in report for finding in section.analysis.findings]


@pytest.mark.slow
def test_a_report_of_many_families_about_nothing_is_seldom_sure() -> None:
    rng, alone, together = np.random.default_rng(0), 0, 0
    for _ in range(100):
        report = sections(rng.uniform(size=(8, 5, 6)))
        alone += any(finding.is_sure for finding in findings(report))
        together += any(finding.is_sure for finding in findings(adjusted_for_report(report)))
    assert alone > 70
    assert together <= 12  # of 100; more has a probability below 1% if 5% are


def test_every_tested_finding_says_how_hard_it_is_to_be_the_first() -> None:
    p = np.full((3, 2, 4), 0.5)
    for lone, tests in ((0.0499 / 24, 24), (0.0501 / 24, 24)):
        p[0, 1, 2] = lone
        told = findings(adjusted_for_report(sections(p)))
        assert {f.tests for f in told if f.q is not None} == {tests}
        assert any(f.report_q < 0.05 for f in told if f.report_q) is (lone < 0.05 / tests)
    assert all(f.tests is None for f in told if f.q is None)


def test_what_stands_out_is_sure_and_what_is_not_tested_stays_so() -> None:
    p = np.full((3, 2, 4), 0.5)
    p[0, 1, 2] = 1e-5
    told = findings(adjusted_for_report(sections(p)))
    (sure,) = [finding for finding in told if finding.is_sure]
    assert sure.q == pytest.approx(4e-5)
    assert sure.report_q == sure.shown_q == pytest.approx(4e-5 * 2 * 3)
    assert [finding.report_q for finding in told if finding.q is None] == [None] * 3


def test_families_of_two_studies_with_one_name_are_two() -> None:
    p = np.full((2, 1, 1), 0.03)
    p[1] = 0.9
    assert not any(finding.is_sure for finding in findings(adjusted_for_report(sections(p))))


def test_what_is_said_again_as_odds_is_one_test() -> None:
    rates = [replace(LEAN, p=each) for each in (0.001, 0.2, 0.6)]
    odds = [replace(f, metric="violence_odds_ratio", restates="violence_rate") for f in rates]
    alone, both = (
        report_level([adjusted(family, "family")])[0] for family in (rates, [*rates, *odds])
    )
    assert [f.report_q for f in alone] == [f.report_q for f in both[:3]]
    assert {f.tests for f in [*alone, *both]} == {3}


def test_sure_takes_both_the_tests_and_the_interval_that_is_shown() -> None:
    assert is_sure(0.3, 0.1, 0.5, 0.0, 0.01)
    assert not is_sure(0.3, -0.1, 0.5, 0.0, 0.01)  # four sure affinities held 0
    assert not is_sure(0.3, 0.1, 0.5, 0.0, 0.01, report_q=0.2)
    assert not is_sure(1.4, 0.9, 2.0, 1.0, 0.01)
    assert is_sure(1.4, None, None, None, 0.01)
    assert not is_sure(None, None, None, 0.0, 0.01)
    assert not is_sure(0.3, 0.1, 0.5, 0.0, None)


def test_findings_of_a_slant_that_did_not_adjust_so_are_read() -> None:
    plain = finding_to_plain(replace(LEAN, q=0.01))
    del plain["report_q"]
    read = finding_from_plain(plain)
    assert read.report_q is None
    assert read.is_sure
    again = finding_from_plain(finding_to_plain(replace(LEAN, q=0.01, report_q=0.3)))
    assert again.report_q == 0.3
    assert not again.is_sure


def test_little_is_sure_of_nothing_in_general() -> None:
    sure = replace(LEAN, q=0.001, unit="scenes", unit_count=5)
    assert sure.is_sure
    for unit in ("scenes", "chains", "prompts", "analogies"):
        assert not replace(sure, unit=unit, unit_count=4).is_sure
    assert replace(sure, unit="answers", unit_count=4).is_sure
    (verdict,) = verdicts([replace(sure, unit_count=3)])
    assert not verdict.differs
    told = plain_sentence(verdict.sentences[-1][0])
    assert told == "This rests on 3 scenes: nothing is said of other scenes from fewer than 5."
