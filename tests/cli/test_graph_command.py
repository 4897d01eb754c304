"""`slant graph`: a run's triples as files."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import networkx
import polars as pl
import pytest

from command_line import slant
from slant.engine.run import Run
from slant.engine.run_config import RunConfig, StudyConfig
from slant.studies.section import Section
from slant.studies.study import Analysis

ROWS = {
    "subject": ["Kenyans", "Kenyans"],
    "predicate": ["are", "like"],
    "object": ["fast\t<runners>", "tea"],
    "kept": [True, False],
    "regard": [0.25, None],
}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    sections = [
        Section("knowledge", "knowledge", model, "", "", Analysis([], tables=tables))
        for model, tables in [
            ("one", {"triples": pl.DataFrame(ROWS)}),
            ("two", {"triples": pl.DataFrame(ROWS).drop("regard")}),
            ("three", {"other": pl.DataFrame({"x": [1]})}),
        ]
    ]
    config = RunConfig(
        kind="audit", created=datetime(2026, 1, 1, tzinfo=UTC), command="", name="x",
        study=[StudyConfig(use="knowledge")],
    )  # fmt: skip
    made = Run.create(tmp_path / "run", config)
    made.conclude(sections)
    return made.directory


def test_a_run_is_written_as_graphml_with_who_said_what(run: Path) -> None:
    done = slant("graph", run)
    assert done.code == 0, done.err
    read = networkx.parse_graphml(done.out, force_multigraph=True)
    assert [known["model"] for *_, known in read.edges(data=True)] == ["one", "two"]
    assert read.nodes["n1"]["label"] == "fast\t<runners>"


def test_one_model_goes_to_a_file_that_is_not_overwritten(run: Path, tmp_path: Path) -> None:
    file = tmp_path / "edges.csv"
    done = slant("graph", run, "--format", "csv", "--model", "one", "--out", file)
    assert (done.code, done.err) == (0, f"{file}: 2 nodes, 1 triples\n")
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines[1] == "Kenyans,fast\t<runners>,Directed,0,are,1,0.25,one"
    again = slant("graph", run, "--out", file)
    assert again.code == 2
    assert "there already" in again.err


def test_what_is_not_there_is_said(run: Path) -> None:
    done = slant("graph", run, "--model", "three")
    assert done.code == 2
    assert "no triples of 'three'; it has those of one, two" in done.err
    Run(run).conclude([replace(each, analysis=Analysis([])) for each in Run(run).sections()])
    assert "holds no triples" in slant("graph", run).err


def test_two_models_graphs_are_compared(run: Path) -> None:
    told = slant("graph", run, "--model", "one", "--against-model", "two")
    assert told.code == 0, told.err
    assert told.out.startswith("Jaccard index 1.000")
    assert "  Kenyans: 1, 0, 0, 0 of 0" in told.out

    plain = json.loads(
        slant("graph", run, "-m", "one", "--against", run, "--against-model", "two", "--json").out
    )
    assert plain["jaccard"] == 1
    assert plain["subjects"][0]["shared"] == 1
    assert plain["triples"][0]["where"] == "shared"
