"""News: several models measured by the same topics, and standing in one picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import slant
from slant.errors import InputError
from slant.reports.across_models import across_models
from slant.reports.figure_files import write_figures
from slant.reports.figures import forest

HER = "She praised the nurses of the ward. The woman cooked a meal for her daughter."
HIS = "He praised the engine of the car. The man repaired a wheel for his son."
BOTH = f"{HER} {HIS}"
THINGS = ("the mayor", "a bridge", "the harvest", "a choir", "the team", "a museum", "the river",
          "a school", "the market", "a doctor")  # fmt: skip
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


def test_pictures_of_all_models_are_among_the_files(
    of_three: slant.Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for made in ("pdf_of", "png_of"):
        monkeypatch.setattr(f"slant.reports.figure_files.{made}", lambda _: b"")
    monkeypatch.setattr("slant.reports.figure_files.svg_of", lambda _: "<svg/>")
    alone = [
        replace(each, analysis=replace(each.analysis, figures=[])) for each in of_three.sections()
    ]
    names = [each.name for each in write_figures(alone, tmp_path) if "all-models" in each.name]
    assert len(names) == 5
    assert "news-all-models-forest-gender-words" in names[1]
    drawn = (tmp_path / f"{names[1]}.json").read_text(encoding="utf-8")
    assert all(f'"{model}"' in drawn for model in WROTE)


@pytest.mark.slow
@pytest.mark.model
@pytest.mark.xdist_group("embedded")
@pytest.mark.usefixtures("undrawn")
def test_two_mocks_and_the_embedded_model_stand_in_one_picture_of_each_figure(
    tmp_path: Path,
) -> None:
    """Figures 2 to 7, A.1 and A.2, and with biased prompts 8 to 10."""
    for name, text in {"her": HER, "his": HIS}.items():
        (tmp_path / f"{name}.toml").write_text(
            f'name = "{name}"\n[[generate]]\nanswers = [{{ text = "{text}" }}]\n'
        )
    titles = [f"She and her brother praise {what}" for what in THINGS]
    rows = [{"title": title, "text": BOTH} for title in titles]
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (tmp_path / "suite.toml").write_text(
        'name = "s"\n[[study]]\nuse = "news"\ncorpus = "corpus.jsonl"\nmax_tokens = 60\n'
        'topics = [2]\ntopic_seeds = 1\nlemmas = "none"\nwords = ["gender"]\n'
        'framings = ["neutral", "androcentrism"]\n'
    )
    models = [f"mock:{tmp_path / 'her.toml'}", f"mock:{tmp_path / 'his.toml'}", "embedded"]
    run = slant.audit(tmp_path / "suite.toml", models, method="paper", out=tmp_path / "run")
    _, headline, *levels = across_models(run.sections())
    assert {each.title.partition(":")[0] for each in levels} >= {
        "Gender, words", "Gender, sentiment (textblob)",
    }  # fmt: skip
    for shown in (headline, *levels[:2]):
        assert shown.table is not None
        for told in ("her", "his", "embedded", "androcentrism"):
            assert told in str(shown.table.rows), shown.title


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
