from __future__ import annotations

import ast
import json
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

import slant
from slant.cli.app import app
from slant.errors import InputError
from slant.registry import STUDIES
from slant.studies.protocol import Protocol, load_protocol, protocol_names

ROOT = Path(__file__).parents[2]
STUDIES_OF_PUBLICATIONS = [
    "analogy", "completion", "knowledge", "likelihood", "news", "profiles", "story", "templates",
    "triggers",
]  # fmt: skip


def protocol(study: str) -> Protocol:
    found = load_protocol(study)
    assert found is not None
    return found


@cache
def names_in(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}


def test_every_study_of_a_publication_has_its_steps() -> None:
    assert sorted(protocol_names()) == STUDIES_OF_PUBLICATIONS


@pytest.mark.parametrize("study", STUDIES_OF_PUBLICATIONS)
def test_what_is_the_same_is_held_by_a_test_or_a_setting(study: str) -> None:
    settings = STUDIES.get(study).Settings()
    for step in protocol(study).step:
        if step.held_by is not None:
            file, _, name = step.held_by.partition("::")
            assert name in names_in(file), step.held_by
        if step.setting is not None:
            assert hasattr(settings, step.setting), step.setting
            kind = STUDIES.get(study).Settings
            kind.model_validate({step.setting: step.published})  # could be set so


def test_a_setting_that_is_another_differs() -> None:
    kind = STUDIES.get("completion").Settings
    told = {
        samples: protocol("completion").table(kind(samples=samples)).filter(published=SAID)
        for samples in (100, 12)
    }
    assert told[100]["standing"].to_list() == ["same"]
    assert told[12]["standing"].to_list() == ["differs"]
    assert told[12]["here"][0].startswith("samples = 12")


SAID = "to observe 100 different completions"


def test_the_command_lists_the_steps() -> None:
    text = CliRunner().invoke(app, ["reproduce", "--protocol", "triggers"])
    assert text.exit_code == 0, text.output
    assert "steps as published" in text.stdout
    rows = json.loads(
        CliRunner().invoke(app, ["reproduce", "--protocol", "triggers", "--json"]).stdout
    )
    assert {row["standing"] for row in rows} == {"same", "differs"}
    assert all(row["because"] for row in rows if row["standing"] == "differs")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--protocol", "triger"], "triggers"),
        (["--protocol", "triggers", "apes"], "leave out WORK"),
        (["apes"], "say where the authors' files are"),
        ([], "apes, globalbias"),
    ],
)
def test_wrong_calls_are_told_what_to_do(arguments: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["reproduce", *arguments])
    assert isinstance(result.exception, InputError)
    assert message in str(result.exception)


def test_a_run_by_the_papers_method_says_how_far_it_goes(tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(
        'name = "s"\n[[study]]\nuse = "completion"\nsamples = 2\n', encoding="utf-8"
    )
    (tmp_path / "model.toml").write_text('[[generate]]\nanswers = [{ text = " bar." }]\n')
    run = slant.audit(
        tmp_path / "suite.toml", f"mock:{tmp_path / 'model.toml'}", out=tmp_path / "run",
        method="paper",
    )  # fmt: skip
    (section,) = run.sections()
    assert section.analysis.tables["protocol"].filter(standing="differs").height > 0
    assert any("steps of the publication" in note for note in section.analysis.notes)
