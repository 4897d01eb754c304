"""Judges in studies that compare sentences, statements and profiles, or conditions of a group."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import slant
from planted_judge import HOSTILE, rubric_file
from slant.annotations.annotation import Annotation
from slant.annotations.automatic import Scorer, automatic, own_texts
from slant.annotations.ledger import ledger_file
from slant.annotations.sample import sample

LEANING = "Muslims"
"""What a text must name for the judge to call it hostile though it is not."""


@dataclass(frozen=True)
class Case:
    """What a study measures, and of whom the judge is wrong.

    Attributes
    ----------
    rows
        Of a file with texts that are hostile in a fifth of the cases, whoever they are about.
    settings
        Of the study.
    contrast, wronged, others
        A comparison, and the groups that differ by verdicts, and those that do not.
    """

    study: str
    rows: list[dict[str, Any]]
    settings: dict[str, Any]
    contrast: str
    wronged: str
    others: tuple[str, ...]
    by_group: str


def _said(about: str, number: int) -> str:
    return f"{'greeted' if number % 5 else HOSTILE} {about} at gate {number}"


def _cases() -> Iterator[Case]:
    subjects = ("Arabs", "Danes", "Finns")
    yield Case(
        "knowledge",
        [
            {"subject": who, "class": "people", "lineage": f"l{n // 5}",
             "predicate": _said(LEANING if who == "Arabs" else "them", n).split()[0],
             "object": f"{LEANING if who == 'Arabs' else 'them'} at gate {n}"}
            for who in subjects for n in range(100)
        ],
        {}, "vs_rest", "Arabs", ("Danes", "Finns"), "people",
    )  # fmt: skip
    yield Case(
        "profiles",
        [
            {"name": f"{who[0]}{n // 5}", "group": who, "condition": f"c{n % 5}",
             "occupation": _said(LEANING if who == "Arabs" else "them", n)}
            for who in subjects for n in range(100)
        ],
        {"fields": ["occupation"], "resamples": 199}, "vs_rest", "Arabs", ("Danes", "Finns"),
        "group",
    )  # fmt: skip
    yield Case(
        "triggers",
        [
            {"group": who, "trigger": trigger, "prompt": f"p{n % 8}",
             "text": _said(LEANING if trigger and who == "Arabs" else "them", n)}
            for who in subjects[:2] for trigger in ("", "calm") for n in range(100)
        ],
        {"group": "Arabs"}, "vs:no trigger", "Arabs", ("Danes",), "group",
    )  # fmt: skip
    yield Case(
        "news",
        [
            {"id": f"a{n}", "title": "Gates",
             "reference": _article("them", "them", n),
             "generated": _article(LEANING, "them", n + 1000)}
            for n in range(40)
        ],
        {"levels": ["word"], "words": ["gender"]}, "vs:reference", "female", ("male",), "gender",
    )  # fmt: skip


def _article(women: str, men: str, number: int) -> str:
    return " ".join(
        f"{who} {_said(about, 11 * number + line)}."
        for line in range(2)
        for who, about in (("She", women), ("He", men))
    )


CASES = {case.study: case for case in _cases()}


def measured(case: Case, folder: Path, measures: list[str]) -> slant.Run:
    return slant.measure(
        case.study, pl.DataFrame(case.rows), settings={**case.settings, "measures": measures},
        out=folder,
    )  # fmt: skip


def rule_truly(run: slant.Run, case: Case) -> None:
    """Rule on the sample that the dashboard draws."""
    model = run.answers.select("model").first().collect().item()
    scorer = Scorer(model, case.study, "hostile")
    texts = own_texts(run, scorer)
    assert texts is not None
    rows = {row["position"]: row for row in texts.collect().iter_rows(named=True)}
    rulings = [
        Annotation(
            author="A", model=model, study=case.study, position=position, item=row["item"],
            measure="hostile", automatic=row["value"], sampled=True,
            label=int(HOSTILE in row["text"]),
        )
        for position in sample(run, scorer).positions
        for row in [rows[position]]
    ]  # fmt: skip
    lines = "".join(f"{ruling.model_dump_json()}\n" for ruling in rulings)
    ledger_file(run.directory).write_text(lines)


@pytest.mark.parametrize(
    "study",
    [name if name == "news" else pytest.param(name, marks=pytest.mark.slow) for name in CASES],
)
def test_a_judge_that_errs_about_one_group_is_corrected_by_it(study: str, tmp_path: Path) -> None:
    case = CASES[study]
    rubric = rubric_file(tmp_path)
    run = measured(case, tmp_path / "run", [f"judge:{rubric}"])
    bare = run.findings.filter(metric="hostile_rate")
    assert set(bare["group"]) == {case.wronged, *case.others}
    assert bare["value"].null_count() == bare["q"].null_count() == bare.height
    assert bare["reason"].str.contains("nobody has ruled").all()
    (section,) = run.sections()
    assert any("Judge a random sample" in note for note in section.analysis.notes)

    rule_truly(run, case)
    run = slant.rescore(run.directory)
    found = run.findings.filter(metric="hostile_rate", contrast=case.contrast)
    (section,) = run.sections()
    table = section.analysis.tables["hostile_corrected"]
    wrong = table.filter(pl.col("specificity_high") < 0.9)["group"].to_list()
    assert len(wrong) == 1
    assert wrong[0].startswith(case.wronged)
    uncorrected = dict(table.select("group", "uncorrected").iter_rows())
    assert all(
        uncorrected[wrong[0]] > rate + 0.05 for who, rate in uncorrected.items() if who != wrong[0]
    )
    for row in found.iter_rows(named=True):
        assert row["low"] <= 0 <= row["high"], row
        assert row["q"] > 0.05
    rates = run.findings.filter(metric="hostile_rate", contrast="rate")
    for row in rates.iter_rows(named=True):
        assert row["low"] <= 0.2 <= row["high"], row
        assert row["axis"] == case.by_group
    assert "corrected:rogan-gladen" in str(rates["signature"][0])


@pytest.mark.slow
def test_a_group_on_which_nobody_ruled_is_left_out(tmp_path: Path) -> None:
    case = CASES["news"]
    run = measured(case, tmp_path / "run", [f"judge:{rubric_file(tmp_path)}"])
    rule_truly(run, case)
    texts = run.judged_texts.select("position", "group").collect()
    wronged = set(texts.filter(group=case.wronged)["position"])
    ledger = ledger_file(run.directory)
    kept = [
        line for line in ledger.read_text().splitlines()
        if Annotation.model_validate_json(line).position not in wronged
    ]  # fmt: skip
    ledger.write_text("\n".join(kept) + "\n")
    found = slant.rescore(run.directory).findings.filter(metric="hostile_rate", contrast="rate")
    for row in found.iter_rows(named=True):
        assert (row["value"] is None) == (row["group"] == case.wronged)
        assert (f"right about {case.wronged}" in (row["reason"] or "")) == (row["value"] is None)


def test_what_the_study_finds_of_itself_stays(tmp_path: Path) -> None:
    case = CASES["news"]
    own = measured(case, tmp_path / "without", []).findings
    judged = measured(case, tmp_path / "with", [f"judge:{rubric_file(tmp_path)}"]).findings
    same = [name for name in own.columns if name not in ("signature", "report_q", "run")]
    kept = judged.filter(judged["metric"] != "hostile_rate")
    assert kept.select(same).equals(own.select(same))


def test_texts_without_a_verdict_are_not_drawn(tmp_path: Path) -> None:
    case = CASES["news"]
    odd = {**case.rows[0], "generated": "She did unspeakable things. He went either way."}
    run = measured(replace(case, rows=[odd, *case.rows[1:20]]), tmp_path / "run",
                   [f"judge:{rubric_file(tmp_path)}"])  # fmt: skip
    scorer = Scorer(run.answers.first().collect()["model"][0], case.study, "hostile")
    texts = own_texts(run, scorer)
    assert texts is not None
    assert texts.collect().height == 20 * 8 - 2
    assert automatic(run, scorer).collect().height == 20 * 8 - 4
    (section,) = run.sections()
    assert any("no verdict on 2 of 158" in note for note in section.analysis.notes)
