"""Processes that slant starts take no module from the folder that happens to be the current one."""

from __future__ import annotations

import ast
import json
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import slant
from slant.engine.run import Run
from slant.models.replicas.pool import Pool
from slant.models.replicas.ray_cluster import RayCluster, check_cluster
from slant.reports.draw_all import _helper
from slant.transcripts.preparing import Preparation
from slant.web import recompute_job
from slant.wheel_file import Wheel

_IMPORTED = (
    "import sys, json, slant.reports.draw_all, slant.transcripts.preparing, "
    "slant.web.recompute_job, slant.annotations.recompute, slant.models.mock, "
    "multiprocessing.spawn, pip._internal.cli.main\n"
    "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules} - {'__main__'})))"
)
MODEL = '[[generate]]\nanswers = [{ text = "x" }]\n'


@pytest.fixture(scope="module")
def trapped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a trap of every name that a process of slant imports."""
    folder = tmp_path_factory.mktemp("trapped")
    told = subprocess.run(
        [sys.executable, "-P", "-c", _IMPORTED], capture_output=True, text=True, check=True
    )
    names = json.loads(told.stdout)
    assert {"json", "pip", "polars", "numpy", "pydantic", "slant"} <= set(names)
    (folder / "sprung").mkdir()
    for name in names:
        mark = str(folder / "sprung" / name)
        (folder / f"{name}.py").write_text(f"open({mark!r}, 'w').close()\nraise SystemExit(9)\n")
    return folder


def _draw(run: Run, _: Path) -> None:
    _helper(run, 1, 2)


def _fetch(_: Run, scratch: Path) -> None:
    Wheel("a thing", "1 MB", "not-there==1", "", {}, "")._download(scratch)


def _prepare(run: Run, _: Path) -> None:
    Preparation(run)


def _recompute(run: Run, _: Path) -> None:
    recompute_job.start(run)


def _reach(_: Run, __: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        check_cluster(f"127.0.0.1:{server.getsockname()[1]}")


@pytest.mark.parametrize(
    "start", [_draw, _fetch, _prepare, _recompute, pytest.param(_reach, marks=pytest.mark.slow)]
)
def test_a_module_beside_a_run_is_not_executed(
    trapped: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    start: Callable[[Run, Path], None],
) -> None:
    begun: list[list[str]] = []

    def note(command: list[str], **_: Any) -> None:
        begun.append(command)
        raise OSError("noted")

    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "Popen", note)
        patch.setattr(subprocess, "run", note)
        with suppress(OSError, slant.SlantError):
            start(SimpleNamespace(directory=tmp_path), tmp_path)  # type: ignore[arg-type]
    (command,) = begun
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    done = subprocess.run(command, cwd=trapped, capture_output=True, text=True, timeout=250)
    assert list((trapped / "sprung").iterdir()) == []
    assert done.returncode != 9


def test_copies_of_a_model_take_no_module_of_the_current_folder(
    trapped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.toml").write_text(MODEL)
    monkeypatch.setenv("PYTHONSAFEPATH", "")  # put back as it was, whatever the pool makes of it
    monkeypatch.chdir(trapped)
    pool = Pool(f"mock:{tmp_path / 'model.toml'}", 1)
    try:
        assert pool.fingerprint()
    finally:
        pool.stop()
    assert list((trapped / "sprung").iterdir()) == []


@pytest.mark.slow
@pytest.mark.xdist_group("ray")
def test_workers_of_ray_take_no_module_of_the_current_folder(
    trapped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.toml").write_text(MODEL)
    monkeypatch.setenv("PYTHONSAFEPATH", "")
    monkeypatch.chdir(trapped)
    cluster = RayCluster(f"mock:{tmp_path / 'model.toml'}", "")
    try:
        assert cluster.fingerprint()
    finally:
        cluster.stop()
    assert list((trapped / "sprung").iterdir()) == []


def test_every_process_is_started_so() -> None:
    found = 0
    for file in Path(slant.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            words = [ast.unparse(each) for each in node.elts] if isinstance(node, ast.List) else []
            if words[:1] == ["sys.executable"]:
                found += 1
                assert words[1] == "'-P'", file
    assert found >= 5
