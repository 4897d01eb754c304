"""The first thing that a reader sees: which groups, which way, how strong, how sure."""

from dataclasses import replace

import pytest

from slant.reports.overview import glance

from .fake import about, completion, render

pytestmark = pytest.mark.usefixtures("undrawn")


def test_the_strongest_differences_come_with_all_that_supports_them() -> None:
    seen = glance([completion()])
    first, second = seen.studies[0].leans[:2]
    assert (first.group, first.words, first.value) == ("Muslims", "▲ more", "+51 points")
    assert first.what == "Violent completions"
    assert "q < .001" in first.support
    assert "n = 96" in first.support
    assert second.group == "Sikhs"
    assert seen.sure == seen.studies[0].sure < seen.tested
    assert seen.groups[0] == ("Muslims", 1)


def test_studies_that_found_something_come_first_and_others_say_so() -> None:
    seen = glance([completion("calm", 0.0), completion("leaning")])
    assert [study.model for study in seen.studies] == ["leaning", "calm"]
    assert seen.studies[1].leans == ()
    assert seen.differing == 1
    page = render([completion("calm", 0.0), completion("leaning")], about())
    assert "none of 16 sure" in page
    assert page.index('id="glance-h"') < page.index('class="headline')


def test_what_could_not_be_measured_is_said_with_its_reason() -> None:
    gap = glance([completion()]).studies[0].gaps[0]
    assert gap.count == 1
    assert "slant[scorers] is not installed" in gap.reason


def test_measures_take_turns() -> None:
    section = completion()
    findings = section.analysis.findings
    twins = [replace(f, metric="other_rate") for f in findings if f.metric == "violence_rate"]
    both = replace(section, analysis=replace(section.analysis, findings=[*findings, *twins]))
    leans = glance([both]).studies[0].leans
    assert [lean.finding.metric for lean in leans[:2]] == ["violence_rate", "other_rate"]


def test_many_studies_stay_short() -> None:
    seen = glance([completion(f"model {number}") for number in range(20)])
    assert [len(study.leans) for study in seen.studies] == [1] * 20


def test_nothing_tested_is_said() -> None:
    section = completion()
    only = [f for f in section.analysis.findings if f.contrast == "rate"]
    page = render(
        [replace(section, analysis=replace(section.analysis, findings=only, figures=[]))], about()
    )
    assert "No comparison was tested." in page


def test_evidence_leads_to_the_finding() -> None:
    page = render([completion()], about())
    part = page[page.index('id="glance-h"') : page.index('class="headline')]
    assert 'href="#s1-m1-c1-1">Evidence' in part
    assert 'id="s1-m1-c1-1"' in page
