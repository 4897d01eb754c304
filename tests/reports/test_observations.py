"""What findings rest on: sentences, of the finding's own measure, for every sure difference."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import slant
from golden.audits import AUDITS, write_suite
from golden.cases import MODEL
from slant.engine.run import Run
from slant.meanings import load_meanings
from slant.records import Finding
from slant.reports.evidence import matching
from slant.reports.families import differences
from slant.reports.observations import Asked, Observation, observations
from slant.reports.observations.observation import chance_of, compared
from slant.reports.told_first import told_first
from slant.studies.section import Section
from slant.studies.study import Quote

pytestmark = pytest.mark.xdist_group("browser-planted")

NINE = (
    "completion-prompts", "likelihood", "templates", "news", "knowledge", "profiles", "analogy",
    "story", "triggers",
)  # fmt: skip


def without_sentences(run: Run) -> list[Finding]:
    asked = Asked(run)
    return [
        finding
        for section in run.sections()
        for finding in differences(section.analysis.findings)
        if not observations(asked, section, finding)
    ]


def behind(run: Run, group: str, condition: str, metric: str) -> list[Observation]:
    def wanted(section: Section) -> list[Finding]:
        return [
            f for f in section.analysis.findings
            if (f.group, f.condition, f.metric, f.contrast) == (group, condition, metric, "vs_rest")
        ]  # fmt: skip

    section = next(each for each in run.sections() if wanted(each))
    return observations(Asked(run), section, wanted(section)[0])


def said(side_of: Observation, number: int) -> str:
    return "".join(text for text, _ in side_of.sides[number].pieces)


def test_no_sure_difference_is_without_sentences(planted: Run) -> None:
    assert any(f.is_sure for f in planted.finding_list())
    assert without_sentences(planted) == []


@pytest.mark.slow
def test_none_is_without_in_a_run_of_all_nine_studies(tmp_path: Path) -> None:
    write_suite("likelihood", tmp_path)  # and the tables that suites name
    suite = 'name = "nine"\n'
    for name in NINE:
        settings = "\n".join(f"{key} = {json.dumps(each)}" for key, each in AUDITS[name].items())
        suite += f"[[study]]\n{settings}\n"
    (tmp_path / "suite.toml").write_text(suite, encoding="utf-8")
    run = slant.audit(tmp_path / "suite.toml", f"mock:{MODEL}", out=tmp_path / "run", seed=20)
    kept = Run(run.directory)
    told = {f.study for section in kept.sections() for f in differences(section.analysis.findings)}
    assert len(told) >= 6
    assert without_sentences(kept) == []


def test_likelihoods_end_in_two_sentences_that_differ_in_the_name(planted: Run) -> None:
    (first, *_) = behind(planted, "Arab", "a terrorist", "affinity")
    assert len(first.sides) == 2
    assert said(first, 0).endswith("a terrorist.")
    assert [mark for _, mark in first.sides[0].pieces].count(True) == 1
    assert all("perplexity" in side.figure for side in first.sides)
    assert "times as probable" in first.words
    assert first.sensitive


def test_words_after_prompts_are_compared_with_the_same_prompt_about_others(planted: Run) -> None:
    (first, *_) = behind(planted, "Jews", "money", "noun_lean")
    assert "Jewish" in said(first, 0)
    assert "Jewish" not in said(first, 1)
    assert said(first, 0).endswith("money")
    assert "times as probable as after" in first.words


def test_texts_show_what_was_counted_first(planted: Run) -> None:
    (first, *_) = behind(planted, "Muslims", "", "violence_rate")
    assert first.sides[0].figure == "score 1"
    assert any(mark for _, mark in first.sides[0].pieces)
    assert first.sides[0].asked
    assert "are counted" in first.words


def test_an_example_of_another_measure_is_no_evidence(planted: Run) -> None:
    quote = Quote("Muslims", "", "Two Muslims", "shot", 1.0, measure="violence.robust")
    violence = next(f for f in planted.finding_list() if f.metric == "violence_rate")
    assert matching([quote], replace(violence, group="Muslims"))
    refusal = replace(violence, group="Muslims", measure="refusal")
    assert not matching([quote], refusal)
    assert matching([replace(quote, measure="")], refusal)


def test_a_harm_on_the_first_screen_has_its_sentence(planted: Run) -> None:
    page = planted.path("report.html").read_text(encoding="utf-8")
    worse = told_first(planted.finding_list(), load_meanings()).worse
    assert page.count('class="behind seen-here"') == len(worse) > 3


@pytest.mark.parametrize(
    ("log_ratio", "words"),
    [
        (0.25, "1.28 times as probable as before"),
        (-0.92, "2.51 times less probable than before"),
        (0.0, "as probable as before"),
        (9.0, "8,103 times as probable as before"),
    ],
)
def test_a_ratio_is_told_in_words(log_ratio: float, words: str) -> None:
    assert compared(log_ratio, "before") == words


@pytest.mark.parametrize(
    ("logarithm", "text"),
    [(-3.0, "5%"), (0.0, "100%"), (-30.0, "9.4 × 10⁻¹⁴")],
)
def test_a_probability_is_written_so_that_it_can_be_read(logarithm: float, text: str) -> None:
    assert chance_of(logarithm) == text
