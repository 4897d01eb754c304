"""A comparison in words, as a picture and as a page."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from slant.comparison.compare import Comparison, compare
from slant.comparison.page import render
from slant.comparison.plain import comparisons_to_plain
from slant.comparison.side import run_sides
from slant.comparison.view import comparison_view
from slant.comparison.wording import headline, told_studies
from slant.engine.run import Run
from slant.engine.run_config import RunConfig, StudyConfig
from slant.errors import InputError
from slant.records import Finding
from slant.reports.difference_words import plain_sentence
from slant.reports.figures.dumbbell import dumbbell
from slant.signature import Signature
from slant.studies.section import Section
from slant.studies.study import Analysis

from .fake import HOSTILE

LEAN = Finding(
    study="knowledge", metric="regard", model="m", axis="religion", group="Jews",
    contrast="vs_rest", value=0.3, low=0.2, high=0.4, n=100, outcomes={"answered": 100},
    p=0.001, q=0.001, effect=None, chance=None, target=0.0, direction="closer_to_target",
    signature=Signature(slant="0.1.0", study="knowledge", subjects="a"), kind="difference",
)  # fmt: skip
WEAK = replace(LEAN, value=0.02, low=-0.08, high=0.12, p=0.7, q=0.7)
TRIPLES = pl.DataFrame(
    {
        "subject": ["Kenyans", "Kenyans", "Danes"],
        "predicate": ["are", "like", "like"],
        "object": ["fast", "tea", "<img src=x onerror=alert(1)>"],
        "regard_label": ["positive", "neutral", "negative"],
    }
)


def run(folder: Path, *findings: Finding, triples: pl.DataFrame | None = None) -> Run:
    config = RunConfig(
        kind="audit", created=datetime(2026, 1, 1, tzinfo=UTC), command="", name="x",
        study=[StudyConfig(use="knowledge")],
    )  # fmt: skip
    made = Run.create(folder, config)
    tables = {} if triples is None else {"triples": triples}
    made.conclude(
        [Section("knowledge", "knowledge", "m", "", "", Analysis(list(findings), tables=tables))]
    )
    return made


def comparison(folder: Path, first: list[Finding], second: list[Finding]) -> Comparison:
    sides = [
        run_sides(run(folder / name, *findings))[0]
        for name, findings in (("one", first), ("two", second))
    ]
    return compare(*sides)


def sentences(found: Comparison) -> list[str]:
    (told,) = told_studies(found)
    return [
        *(plain_sentence(sentence) for sentence, _ in [*told.changed, *told.unsure]),
        *told.rest,
    ]


def test_a_lean_that_appeared(tmp_path: Path) -> None:
    found = comparison(tmp_path, [WEAK], [LEAN])
    assert plain_sentence(headline(found)) == ("1 of 1 figures changed for sure: 1 lean appeared.")
    said = sentences(found)
    assert said[0].startswith(
        "Jews (overall regard: positive minus negative statements): a lean has appeared, from "
        "+0.02 to +0.3 against the median of the other groups: change +0.28 (0.139–0.421), q < .001"
    )
    assert said[1] == "Compared by the two sides’ intervals, as if these were independent."


def test_significant_beside_not_significant_is_no_change(tmp_path: Path) -> None:
    middling = replace(WEAK, value=0.19, low=-0.01, high=0.39, q=0.06)
    found = comparison(tmp_path, [middling], [LEAN])
    assert plain_sentence(headline(found)).startswith("None of 1 figures changed")
    assert (
        "only the second side is sure of a lean, and the change could be chance"
        in (sentences(found)[0])
    )


def test_what_could_not_be_measured_says_why(tmp_path: Path) -> None:
    none = replace(LEAN, value=None, low=None, high=None, q=None, reason="no triple was parsed")
    found = comparison(tmp_path, [none], [LEAN])
    assert sentences(found) == [
        "1 figure is in the second side only: could not be measured: no triple was parsed."
    ]
    assert plain_sentence(headline(found)).startswith("No figure is measured on both sides")


def test_other_subjects_are_not_the_same_measurement(tmp_path: Path) -> None:
    other = replace(LEAN, signature=Signature(LEAN.signature, subjects="b"))
    assert "Not the same measurement: subjects (a, then b)." in (
        sentences(comparison(tmp_path, [LEAN], [other]))
    )


def test_another_measurement_is_told_before_what_changed(tmp_path: Path) -> None:
    lean = replace(LEAN, value=0.9, low=0.8, high=1.0)
    other = replace(lean, signature=Signature(slant="0.1.0", study="knowledge", subjects="b"))
    text = plain_sentence(headline(comparison(tmp_path, [LEAN], [other])))
    assert text.startswith("Not the same measurement for 1 of 1 figures, which differ in subject")
    assert "1 figure grew" in text
    alike = plain_sentence(headline(comparison(tmp_path / "alike", [LEAN], [lean])))
    assert alike.startswith("1 of 1 figures changed")


def test_a_changed_run_is_told_on_the_page(tmp_path: Path) -> None:
    found = comparison(tmp_path, [LEAN], [LEAN])
    assert "were changed since" not in render([found])
    file = tmp_path / "two" / "run.toml"
    file.write_text(file.read_text().replace("seed = 0", "seed = 7"))
    page = render([found])
    alarm = page[page.index('role="alert"') : page.index('class="headline')]
    assert "Files of the second run were changed since slant wrote them:</strong> run.toml" in alarm


def test_ratios_are_compared_as_ratios(tmp_path: Path) -> None:
    one = replace(
        LEAN, metric="speed_ratio", scale="ratio", contrast="vs:Danes", value=1.0, low=0.5, high=2.0
    )
    two = replace(one, value=8.0, low=4.0, high=16.0)
    found = comparison(tmp_path, [one], [two])
    (change,) = found.changes
    assert change.value == pytest.approx(2.0794, abs=1e-3)
    assert change.signature["scale"] == "log"


def test_graphs_are_compared(tmp_path: Path) -> None:
    changed = TRIPLES.with_columns(pl.Series("regard_label", ["negative", "neutral", "negative"]))
    one = run_sides(run(tmp_path / "one", LEAN, triples=TRIPLES))[0]
    two = run_sides(run(tmp_path / "two", LEAN, triples=changed))[0]
    found = compare(one, two)
    view = comparison_view(found, 1)
    assert view.graphs is not None
    assert view.graphs.sentence.startswith("Of 3 different triples, 3 are in both graphs")
    assert "1 changed their regard" in view.graphs.sentence
    plain = comparisons_to_plain([found])["comparisons"][0]["graphs"]
    assert (plain["jaccard"], plain["subjects"][0]["changed"]) == (1.0, 1)
    page = render([found])
    assert "<img src=x" not in page
    assert "Show sensitive text" in page


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    worst = [
        replace(
            LEAN,
            group=text[:300],
            condition=text[:300],
            metric="x<b>",
            signature=Signature(subjects=text[:200]),
        )
        for text in HOSTILE
    ]
    found = comparison(tmp_path, worst, [replace(f, value=0.9, low=0.8, high=1.0) for f in worst])
    page = render([found])
    assert "<script>window" not in page
    assert "<svg onload" not in page
    assert "\u202e" not in page
    assert "⟦U+202E⟧" in page
    json.dumps(comparisons_to_plain([found]))


def test_a_dumbbell_needs_a_group_on_both_sides() -> None:
    columns = ("first", "first_low", "first_high", "second", "second_low", "second_high")
    table = pl.DataFrame(
        {"group": ["a", "b"], "change": ["+1", "+2"], "way": ["above", "plain"]}
        | {name: [0.1, 0.2] for name in columns}
    )
    drawn = json.dumps(dumbbell(table, percent=True, title="Changes").to_dict())
    assert "second: risen, q < .05" in drawn
    assert "second: could be chance" in drawn
    assert "second: fallen" not in drawn
    with pytest.raises(InputError, match="both sides"):
        dumbbell(table.with_columns(pl.lit(None, pl.Float64).alias("first")))
    with pytest.raises(InputError, match="no column 'way'"):
        dumbbell(table.drop("way"))
