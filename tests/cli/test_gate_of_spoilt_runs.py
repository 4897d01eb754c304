"""A run that was spoilt never passes a policy that it failed whole, and is no plan's downfall."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from mutations import Mutation, mutations

from command_line import slant, small_audit, written

POLICY = (
    'name = "p"\n[[limit]]\nname = "l"\nat_most = "5 points"\nmust_see = "90 points"\n'
    "[floor]\ncoverage = 0.9\n"
)
FILES = {"findings.json", "answers.parquet", "log.jsonl", "status.json", "run.toml"}
SHORT = {
    "findings.json-half", "findings.json-numbers", "answers.parquet-flip2", "answers.parquet-gone",
    "log.jsonl-noise", "status.json-pipe", "run.toml-half",
}  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    policy = written(folder / "gate.toml", POLICY)
    done = slant(*small_audit(folder), "--out", folder / "run", "--policy", policy)
    assert done.code == 100, done.err
    return folder


@pytest.fixture(autouse=True)
def _nothing_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("slant.planning.plan.powers", lambda *_: ((), ""))


def test_some_ways(whole: Path, tmp_path: Path) -> None:
    ways = {str(each): each for each in mutations(whole / "run")}
    for name in sorted(SHORT):
        stands(ways[name], whole, tmp_path)


@pytest.mark.slow
def test_all_ways(whole: Path, tmp_path: Path) -> None:
    every = [each for each in mutations(whole / "run") if each.file in FILES]
    assert len(every) > 40
    for each in every:
        stands(each, whole, tmp_path)


def stands(mutation: Mutation, whole: Path, tmp_path: Path) -> None:
    shutil.rmtree(tmp_path / "run", ignore_errors=True)
    run = Path(shutil.copytree(whole / "run", tmp_path / "run"))
    mutation.spoil(run / mutation.file)
    judged = slant("gate", run, "--policy", whole / "gate.toml")
    assert judged.code in (2, 100, 101), (mutation, judged)
    suite, model = small_audit(whole)[1], small_audit(whole)[3]
    planned = slant("plan", suite, "--model", model, "--from", run)
    assert planned.code in (0, 2), (mutation, planned)
    for done in (judged, planned):
        assert "defect" not in done.err, (mutation, done.err)
        assert "Traceback" not in done.err, (mutation, done.err)
