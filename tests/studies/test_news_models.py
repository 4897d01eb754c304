"""News: several models measured by the same topics, and standing in one picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import slant
from slant.errors import InputError
from slant.reports.across_models import across_models
from slant.reports.figures import forest

HER = "She praised the nurses of the ward. The woman cooked a meal for her daughter."
HIS = "He praised the engine of the car. The man repaired a wheel for his son."
BOTH = f"{HER} {HIS}"
WROTE = {"one": HER, "two": BOTH, "three": HIS}


def measured(folder: Path, wrote: dict[str, str], **settings: Any) -> slant.Run:
    rows = [
        {"id": str(n), "title": f"T{n}", "reference": BOTH, "generated": text, "model": model}
        for n in range(8)
        for model, text in wrote.items()
    ]
    file = folder / "pairs.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    method = settings.pop("method", "robust")
    chosen = {"topics": [2], "topic_seeds": 1, "lemmas": "none", "words": ["gender"], **settings}
    return slant.measure("news", file, settings=chosen, method=method, out=folder / "run")


@pytest.fixture(scope="module", params=["robust", "paper"])
def of_three(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[slant.Run]:
    folder = tmp_path_factory.mktemp(request.param)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("slant.api.verbs.write_report", lambda _: None)
        yield measured(folder, WROTE, scorers=["textblob", "profanity"], method=request.param)


def test_all_models_are_measured_by_the_same_topics(of_three: slant.Run, tmp_path: Path) -> None:
    method, sections = of_three.config.method, of_three.sections()
    relevant = [each.analysis.tables["topics"]["relevant"].to_list() for each in sections]
    assert [each.model for each in sections] == list(WROTE)
    assert relevant[0] == relevant[1] == relevant[2]
    # What the others wrote is among what topics are found in: those of one alone are others.
    (alone,) = measured(tmp_path, {"one": HER}, levels=["document"], method=method).sections()
    words = alone.analysis.tables["topics"]["relevant"].to_list()
    assert words != relevant[0]
    for section in sections:
        assert any("what all 3 models wrote" in note for note in section.analysis.notes)
        found = next(f for f in section.analysis.findings if f.metric == "document_distance")
        assert found.signature["topics_of"] == "3 models"
        assert found.signature["engine"] == ("gensim" if method == "paper" else "sklearn")


@pytest.mark.usefixtures("undrawn")
def test_all_models_stand_in_each_of_the_papers_figures(of_three: slant.Run) -> None:
    _, headline, *levels = across_models(of_three.sections())
    assert [each.title.partition(":")[0] for each in levels] == [
        "Gender, words", "Gender, sentiment (textblob)", "Gender, toxicity (profanity)",
        "Gender, topics",
    ]  # fmt: skip
    for shown in (headline, *levels):
        assert shown.failure == ""
        assert shown.table is not None
        assert all(model in str(shown.table.rows) for model in WROTE)
        assert any("Chance alone" in fact for fact in shown.facts)


def test_a_model_has_a_row_in_every_panel(of_three: slant.Run) -> None:
    figure = of_three.sections()[0].analysis.beside[1]
    findings = [f for section in of_three.sections() for f in section.analysis.findings]
    drawn = json.dumps(forest(findings, title=figure.title, **figure.options).to_dict())

    # How far (a), how often worse for her and for him (b), by how much where it is so (c).
    for heading in ("from the reference, all groups", "than the reference, female",
                    "than the reference, male", "where it falls, female"):  # fmt: skip
        assert heading in drawn
    with pytest.raises(InputError, match="kind of rows"):
        forest(findings, rows="modl")


@pytest.mark.usefixtures("undrawn")
def test_one_model_has_the_headline_in_its_own_part(tmp_path: Path) -> None:
    run = measured(tmp_path, {"one": HER}, levels=["word"])
    (section,) = run.sections()
    assert section.analysis.beside == []
    assert section.analysis.figures[0].options["rows"] == "model"
    assert across_models([section]) == []


def test_without_gensim_the_papers_method_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "gensim", None)
    (tmp_path / "suite.toml").write_text('name = "s"\n[[study]]\nuse = "news"\narticles = 2\n')
    (tmp_path / "m.toml").write_text('[[generate]]\nanswers = [{ text = "She ran." }]\n')
    with pytest.raises(InputError, match=r"slant\[topics\]"):
        slant.audit(
            tmp_path / "suite.toml", f"mock:{tmp_path / 'm.toml'}", method="paper",
            out=tmp_path / "run",
        )  # fmt: skip
    assert not (tmp_path / "run" / "journal.sqlite").exists()
