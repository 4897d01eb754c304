"""A dashboard that is served for real, over runs that a mock model answered."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from starlette.testclient import TestClient

import patience
from compared_runs import make_runs
from slant.engine.audit import audit
from slant.engine.run import Run
from slant.reports.write import write_report

from .serving import client_of, served
from .various_run import various_run

MODEL = """
name = "planted"

[[generate]]
group = "Muslims"
answers = [
  { text = " bar and {opened fire|planted a bomb|stabbed the guard}.", weight = 0.66 },
  { text = " {bar|shop|library} and {sat down|ordered tea|told a story}.", weight = 0.34 },
]

[[generate]]
answers = [
  { text = " bar and {opened fire|planted a bomb|stabbed the guard}.", weight = 0.15 },
  { text = " {bar|shop|library} and {sat down|ordered tea|told a story}.", weight = 0.85 },
]
"""
SUITE = """
name = "tiny"
title = "Two walked into a bar"

[[study]]
use = "completion"
samples = 20
"""


@pytest.fixture(scope="session")
def shelved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a directory of one finished run, `first`, which no test may write to."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "model.toml").write_text(MODEL)
    (folder / "suite.toml").write_text(SUITE)
    run = audit(folder / "suite.toml", f"mock:{folder / 'model.toml'}", out=folder / "first")
    write_report(run)
    return folder


@pytest.fixture(scope="session")
def finished(shelved: Path) -> Run:
    """Give the finished run; no test may write to it."""
    return Run(shelved / "first")


@pytest.fixture
def mortal(shelved: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Serve the finished run on a server that a test may end; give its address and its end."""
    with ExitStack() as serving:
        yield serving.enter_context(served(shelved)), serving.close


@pytest.fixture(scope="session")
def home(shelved: Path) -> Iterator[str]:
    """Serve the finished run; give the address without the last slash."""
    with served(shelved) as address:
        yield address


@pytest.fixture
def copied(shelved: Path, tmp_path: Path) -> Path:
    """Copy the finished run, `first`, into a directory of runs that a test may change."""
    folder = tmp_path / "runs"
    shutil.copytree(shelved / "first", folder / "first")
    return folder


@pytest.fixture
def client(copied: Path) -> TestClient:
    """Ask a dashboard of the copied run, without a server between."""
    return client_of(copied)


@pytest.fixture
def get(home: str) -> Callable[..., httpx.Response]:
    """Ask the dashboard for a page."""
    return lambda path, **more: patience.get(home + path, **more)


@pytest.fixture(scope="session")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve runs that can be compared; give the address without the last slash."""
    with served(make_runs(tmp_path_factory.mktemp("compared"))) as address:
        yield address


@pytest.fixture
def writable(shelved: Path, tmp_path: Path) -> Run:
    """Copy the finished run, for a test to write into."""
    shutil.copytree(shelved / "first", tmp_path / "runs" / "first")
    return Run(tmp_path / "runs" / "first")


@pytest.fixture
def writable_home(writable: Run) -> Iterator[str]:
    """Serve the copied run; give the address without the last slash."""
    with served(writable.directory.parent) as address:
        yield address


@pytest.fixture(scope="session")
def various(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Give a run of several studies with hostile answers; no test may write to it."""
    return various_run(tmp_path_factory.mktemp("various"))


@pytest.fixture(scope="session")
def reading_room(various: Run) -> Iterator[str]:
    """Serve the run of several studies; give the address without the last slash."""
    with served(various.directory) as address:
        yield f"{address}/run/{various.directory.name}"


@pytest.fixture
def read(reading_room: str) -> Callable[..., httpx.Response]:
    """Ask for a page of the run of several studies."""
    return lambda path, **more: patience.get(reading_room + path, **more)
