"""Runs with every file spoilt in many ways: told, not followed, not run, nothing changed silently.

The short form takes some of the ways, one of each kind; the long one takes all of them.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from mutations import Mutation, contents, mutations
from starlette.testclient import TestClient

from command_line import slant, small_audit
from sketching import sketch
from slant.engine.run import Run
from slant.errors import SlantError
from web.serving import client_of

pytestmark = pytest.mark.filterwarnings("always:figure")  # as they are outside of tests

SHORT = {
    "run.toml-half", "answers.parquet-flip2", "scores.parquet-noise", "journal.sqlite-zeros",
    "report.html-link", "sections/000/section.json-places", "status.json-pipe",
    "summary.json-infinite",
}  # fmt: skip
PARTS = 4
PAGES = ("", "/study/0", "/transcripts", "/pairs/0", "/annotations", "/report.html")


@pytest.fixture(scope="module", autouse=True)
def sketched() -> Iterator[None]:
    """Prepare every chart, and sketch it: to draw two thousand would take an hour."""
    with pytest.MonkeyPatch.context() as patch:
        sketch(patch)
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a run that tests copy, with its report."""
    folder = tmp_path_factory.mktemp("whole")
    assert slant(*small_audit(folder), "--out", folder / "run").code == 0
    return folder / "run"


@pytest.fixture(scope="module")
def told(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give what the run's report tells, as JSON."""
    copy = shutil.copytree(whole, tmp_path_factory.mktemp("told") / "run")
    done = slant("report", copy, "--json")
    assert done.code == 0
    return done.out


@pytest.fixture
def caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay the module that mutations name; the file given appears when it is imported."""
    (tmp_path / "modules").mkdir()
    mark = tmp_path / "sprung"
    text = f"from pathlib import Path\nPath({str(mark)!r}).touch()\n"
    (tmp_path / "modules" / "trap.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path / "modules")
    return mark


def test_some_files_spoilt_in_some_ways(
    whole: Path, told: str, caught: Path, tmp_path: Path
) -> None:
    ways = {str(each): each for each in mutations(whole)}
    for name in sorted(SHORT):
        stands(ways[name], whole, told, caught, tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("part", range(PARTS))
def test_every_file_spoilt_in_every_way(
    whole: Path, told: str, caught: Path, tmp_path: Path, part: int
) -> None:
    every = mutations(whole)
    assert len(every) >= 198
    faults = []
    for each in every[part::PARTS]:
        try:
            stands(each, whole, told, caught, tmp_path)
        except Exception as fault:  # the others are to be seen too
            faults.append(f"{each}: {type(fault).__name__}: {fault}"[:300])
    assert faults == []


def stands(mutation: Mutation, whole: Path, told: str, caught: Path, tmp_path: Path) -> None:
    """Spoil a copy of the run, then look at it and report on it."""
    # A folder of its own: what the dashboard began about the one before may still be writing there.
    shelf = Path(tempfile.mkdtemp(dir=tmp_path))
    run = Path(shutil.copytree(whole, shelf / "run"))
    mutation.spoil(run / mutation.file)
    before = dict(contents(run))
    _looked_at(client_of(shelf), mutation)
    done = slant("report", run, "--json")
    assert done.code in (0, 1, 2, 3), (mutation, done)
    assert "defect" not in done.err, (mutation, done.err)
    assert "Traceback" not in done.err, (mutation, done.err)
    said = [line for line in done.err.splitlines() if not line.startswith("report: ")]
    if done.code == 0 and not said:
        assert done.out == told, f"{mutation}: changed in silence"
        assert _same_answers(run, whole), f"{mutation}: changed in silence"
    else:
        assert said, f"{mutation}: no message"
    assert dict(contents(run)) == before, mutation
    assert not caught.exists(), f"{mutation}: code was run"
    assert "trap" not in sys.modules


def _looked_at(client: TestClient, mutation: Mutation) -> None:
    """Ask for pages; what is a defect is raised by the client."""
    listed = client.get("/")
    assert listed.status_code == 200, mutation
    for path in PAGES:
        answer = client.get(f"/run/run{path}")
        assert answer.status_code in (200, 400), (mutation, path)
        if "sandbox" not in answer.headers["content-security-policy"]:
            assert "Traceback" not in answer.text, (mutation, path)


def _same_answers(run: Path, whole: Path) -> bool:
    """Tell whether answers and scores are those of the whole run, or refused in words."""
    try:
        for name in ("answers", "scores"):
            found, known = (getattr(Run(each), name).collect() for each in (run, whole))
            if not found.equals(known):
                return False
    except SlantError:
        return True
    return True
