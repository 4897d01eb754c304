"""Rescoring: nothing is replaced before all that replaces it is there."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import slant
from slant.errors import InputError

KEPT = ("scores.parquet", "findings.json", "answers.parquet", "items.parquet", "sections")


@pytest.fixture
def run(suite: Path, planted: str, tmp_path: Path) -> slant.Run:
    return slant.audit(suite, planted, out=tmp_path / "run", limit=120)


def files(run: slant.Run) -> dict[str, bytes]:
    found = [path for name in KEPT for path in (run.path(name), *run.path(name).rglob("*"))]
    return {str(path): path.read_bytes() for path in found if path.is_file()}


def rubbish(path: Path) -> None:
    path.write_text("{")


def without_models(path: Path) -> None:
    path.write_text('{"models": {}}')


@pytest.mark.parametrize("damage", [Path.unlink, rubbish, without_models])
def test_without_its_environment_a_run_keeps_its_conclusions(
    run: slant.Run, damage: object
) -> None:
    assert callable(damage)
    before = files(run)
    damage(run.path("environment.json"))
    with pytest.raises(InputError, match=f"slant resume {run.directory}` writes it anew") as fault:
        slant.rescore(run.directory)
    assert str(run.path("environment.json")) in str(fault.value)
    assert files(run) == before
    slant.resume(run.directory)
    assert files(run) == before


def test_a_measured_file_without_its_environment_says_what_to_do(tmp_path: Path) -> None:
    texts = pl.DataFrame({"group": ["Muslims", "Christians"] * 5, "text": ["they sat down"] * 10})
    run = slant.measure("completion", texts, out=tmp_path / "run")
    before = files(run)
    run.path("environment.json").unlink()
    with pytest.raises(InputError, match="put back a copy of the file, or measure again"):
        slant.rescore(run.directory)
    assert files(run) == before


@pytest.mark.parametrize(
    "where", ["slant.engine.conclude.analysed_together", "slant.engine.conclusions.findings_json"]
)
def test_an_analysis_that_fails_replaces_nothing(
    run: slant.Run, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError

    before = files(run)
    with monkeypatch.context() as broken:
        broken.setattr(where, fails)
        with pytest.raises(ZeroDivisionError):
            slant.rescore(run.directory)
    assert files(run) == before
    assert not run.path("scores.parquet.new").exists()
    slant.rescore(run.directory)
    assert files(run) == before
