"""What several measures say about the same group and theme is told together, and truly."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from slant.meanings import load_meanings
from slant.records import Finding
from slant.reports.about import About
from slant.reports.association_view import association_figures, associations_view
from slant.reports.association_words import (
    Associations,
    association_lines,
    associations,
    associations_to_plain,
)
from slant.reports.associations import cells, readings
from slant.reports.figures import draw
from slant.reports.front import front
from slant.reports.page import render
from slant.reports.svg import svg_of
from slant.reports.told_first import worst_lines
from slant.reports.views import section_view
from slant.signature import Signature

from .fake import about, completion

GROUPS = ("Muslims", "Jews", "Sikhs", "Hindus", "Christians", "Buddhists")
LEANS = (1.2, 0.6, 0.2, -0.3, -0.7, -1.0)
ASKED = About("t", "quick", "2026-01-01T00:00:00", "slant audit", "0.1.0", "robust", 0)


def lean(
    study: str, group: str, size: float, metric: str = "violence_rate", **given: object
) -> Finding:
    sure = abs(size) > 0.5
    plain = {
        "study": study, "metric": metric, "model": "m", "axis": "religion", "group": group,
        "contrast": "vs_rest", "value": size / 4, "low": size / 4 - 0.1, "high": size / 4 + 0.1,
        "n": 60, "outcomes": {"answered": 60}, "p": 0.001 if sure else 0.5,
        "q": 0.002 if sure else 0.6, "effect": size, "effect_name": "cohen_h", "chance": None,
        "target": 0.0, "direction": "lower_is_better", "signature": Signature(),
        "kind": "difference", "scale": "share", **given,
    }  # fmt: skip
    return Finding(**plain)  # type: ignore[arg-type]


def study(name: str, leans: Iterable[float] = LEANS, **given: object) -> list[Finding]:
    return [
        lean(name, group, size, **given)  # type: ignore[arg-type]
        for group, size in zip(GROUPS, leans, strict=True)
    ]


def together(*findings: Iterable[Finding]) -> Associations:
    return associations([each for own in findings for each in own], load_meanings())


def test_planted_agreement_agrees() -> None:
    found = together(study("completion"), study("analogy", [2 * each for each in LEANS]))
    (agreement,) = found.agreements
    assert agreement.answer == "agree"
    muslims = next(cell for cell in found.cells if cell.first.group == "Muslims")
    assert muslims.standing == "agree"
    lines = "\n".join(association_lines(found))
    assert "2 measures agree: they put 6 groups in a like order" in lines
    assert "by chance −" in lines
    assert "Muslims, violence: 2 measures are sure of worse: “completion” and “analogy”" in lines


def test_planted_disagreement_stands_on_the_first_screen() -> None:
    findings = study("completion") + study("analogy", [-each for each in LEANS])
    found = together(findings)
    assert found.agreements[0].answer == "disagree"
    words = "These measures disagree: “completion” is sure of worse, “analogy” of better"
    harms = front(findings, load_meanings(), ASKED).harms
    assert {each.group for each in harms} >= {"Muslims", "Jews"}
    assert all(words in each.standing for each in harms if each.group in ("Muslims", "Jews"))
    assert any(words in line for line in worst_lines(findings, load_meanings()))
    view = associations_view(found)
    assert view is not None
    assert {each.cell.first.group for each in view.disagree} >= {"Muslims", "Jews"}


def test_chance_is_seldom_told_as_agreement() -> None:
    source, told = np.random.default_rng(3), 0
    for _ in range(40):
        found = together(*(study(name, source.normal(scale=0.1, size=6)) for name in "abc"))
        told += found.agreements[0].answer != "unknown"
        assert not any(cell.standing != "none" for cell in found.cells)
    assert told <= 6  # 5% of 40, and three standard errors


def test_figures_from_the_same_answers_are_one_measure() -> None:
    twice = [replace(each, metric="story_violence_rate") for each in study("completion")]
    found = together(study("completion"), twice)
    assert not found.shared
    assert not found.agreements
    assert all(len(cell.readings[0].findings) == 2 for cell in found.cells)
    other = together(study("completion"), study("completion", part="continuations"))
    assert len(other.shared) == len(GROUPS)


def test_of_few_groups_nothing_is_told() -> None:
    few = [study("completion")[:4], study("analogy")[:4]]
    (agreement,) = together(*few).agreements
    assert (agreement.answer, agreement.found, agreement.q) == ("unknown", None, None)


def test_strength_does_not_grow_with_the_number_of_questions() -> None:
    small, large = lean("a", "Jews", 0.7), lean("b", "Jews", 0.7, n=6000, low=0.17, high=0.18)
    (cell,) = cells(readings([small, large], load_meanings()))
    assert [each.strength for each in cell.readings] == [0.7, 0.7]
    errors = [each.error for each in cell.readings]
    assert errors[0] is not None
    assert errors[1] is not None
    assert errors[0] == pytest.approx(0.7 / 0.175 * 0.1 / 1.96, rel=0.01)
    assert errors[0] > 10 * errors[1]


@pytest.mark.parametrize(
    ("metric", "condition", "positive"),
    [("violence_rate", "", True), ("regard", "", False), ("affinity", "good at math", False)],
)
def test_worse_is_positive_whichever_way_it_is_counted(
    metric: str, condition: str, positive: bool
) -> None:
    finding = lean("a", "Jews", 0.7, metric, condition=condition)
    (reading,) = readings([finding], load_meanings())
    assert reading.positive is positive
    assert reading.sure == ("more" if positive else "less")


def test_groups_meet_under_one_name_and_parts_give_way_to_the_whole() -> None:
    found = readings(
        [
            lean("news", "Black", 0.7, "sentiment", axis="race"),
            lean("knowledge", "Black people", 0.7, "sentiment", axis="ethnicity"),
            lean("likelihood", "Arab", 0.7, axis="ethnicity"),
            lean("likelihood", "Arab Male", 0.7, axis="ethnicity × gender"),
        ],
        load_meanings(),
    )
    assert [(each.group, each.named) for each in found] == [
        ("Black people", "Black"),
        ("Black people", "Black people"),
        ("Middle Eastern people", "Arab"),
    ]


def test_what_has_no_common_scale_has_a_side_and_no_strength() -> None:
    finding = lean("a", "Jews", -0.7, effect_name="z")
    (reading,) = readings([finding], load_meanings())
    assert (reading.strength, reading.positive, reading.sure) == (None, False, "less")


def test_it_is_drawn_written_and_kept() -> None:
    found = together(
        study("completion"), study("analogy"),
        study("completion", metric="warmth"), study("analogy", metric="warmth"),
    )  # fmt: skip
    ((section, figure),) = association_figures(found)
    for width in (640, 350):
        drawn = svg_of(draw(figure, section, width=width))
        assert all(group in drawn for group in GROUPS)
    plain = associations_to_plain(found)
    assert {each["answer"] for each in plain["agreement"]} == {"agree"}
    assert plain["cells"][0]["measures"][0]["strength"] == pytest.approx(1.2)
    (matrix,) = plain["convergence"]
    assert matrix["convergent"]["value"] == pytest.approx(1.0)


def test_the_page_holds_it_and_leads_to_the_figures() -> None:
    section = completion()
    own = [replace(each, effect_name="cohen_h") for each in section.analysis.findings]
    section = replace(section, analysis=replace(section.analysis, findings=own))
    other = [replace(each, study="other", q=0.001, part="again") for each in own]
    sections = [
        section,
        replace(section, label="other", analysis=replace(section.analysis, findings=other)),
    ]
    views = [section_view(each, f"s{place}") for place, each in enumerate(sections, start=1)]
    found = associations_view(together(own, other))
    page = render(views, about(), together=found)
    assert "One association, one place" in page
    assert "agree: they put 8 groups in a like order" in page
    assert page.index("Who is harmed, and how") < page.index('id="together-h"')
