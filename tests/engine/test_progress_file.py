"""`progress.json`: how far a run is, while it goes on and after it stopped."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from pathlib import Path

import pytest

import slant
from running import command, slow_files
from slant.engine.progress import Silent
from slant.engine.progress_file import NAME, RunProgress, read_progress
from slant.errors import IncompleteError, InputError


class Watching(Silent):
    """Reads the file each time it is told something."""

    def __init__(self, run: Path):
        self._run, self.seen = run, list[RunProgress]()

    def grow(self, total: int | None) -> None:
        self._look()

    def advance(self, step: object) -> None:
        self._look()

    def _look(self) -> None:
        progress = read_progress(slant.Run(self._run))
        assert progress is not None
        self.seen.append(progress)


def test_a_run_writes_how_far_it_is_and_leaves_nothing_behind(tmp_path: Path) -> None:
    suite, model = slow_files(tmp_path)
    watching = Watching(tmp_path / "run")
    began = time.monotonic()
    run = slant.audit(suite, model, out=tmp_path / "run", progress=watching)
    took = time.monotonic() - began
    assert not run.path(NAME).exists()
    last = watching.seen[-1]
    (study,) = last.studies
    assert (study.study, study.model, study.total) == ("completion", "slow", 300)
    assert 0 < study.done < 300
    assert study.done == study.asked == sum(study.outcomes.values())
    assert study.outcomes.keys() == {"answered"}
    assert 0 < study.seconds < took
    assert len(last.newest) == 4
    assert {heard.study for heard in last.newest} == {"completion"}
    assert all(heard.prompt == f"Two {heard.group} walked into a" for heard in last.newest)
    # At most one writing a second, beside those when the run and the study begin.
    assert len({progress.written for progress in watching.seen}) <= 2 + took


def test_what_was_known_before_counts_with_its_outcome(tmp_path: Path) -> None:
    suite, model = slow_files(tmp_path)
    priced = f"{model}?price=1000,2000"
    with pytest.raises(IncompleteError):
        slant.audit(suite, priced, out=tmp_path / "run", max_cost=2)
    run = slant.Run(tmp_path / "run")
    stopped = read_progress(run)
    assert stopped is not None
    assert stopped.phase == "stopped"
    assert "max-cost" in stopped.reason
    assert stopped.spent > 0
    before = stopped.studies[0].done
    with pytest.raises(IncompleteError):
        slant.resume(run.directory, max_cost=3)
    again = read_progress(run)
    assert again is not None
    (study,) = again.studies
    assert study.done > before > 0
    assert study.asked == study.done - before
    assert study.outcomes == {"answered": study.done}


def test_a_process_that_holds_a_run_is_noticed_and_not_disturbed(tmp_path: Path) -> None:
    suite, model = slow_files(tmp_path)
    out = tmp_path / "run"
    with subprocess.Popen(command("audit", suite, "--model", model, "--out", out)) as process:
        while not (out / NAME).exists():
            time.sleep(0.02)
        run = slant.Run(out)
        seen = set()
        while process.poll() is None:
            seen.add(run.in_use)
            time.sleep(0.02)
    assert process.returncode == 0
    assert True in seen
    assert not run.in_use


def test_asking_whether_a_run_is_in_use_refuses_nobody(tmp_path: Path) -> None:
    suite, model = slow_files(tmp_path)
    run = slant.audit(suite, model, out=tmp_path / "run", limit=6)
    stop = threading.Event()

    def ask() -> None:
        while not stop.is_set():
            assert run.in_use in (True, False)

    askers = [threading.Thread(target=ask) for _ in range(3)]
    for asker in askers:
        asker.start()
    try:
        for _ in range(20):
            with run.locked():
                assert run.in_use
    finally:
        stop.set()
        for asker in askers:
            asker.join()


def test_a_killed_process_leaves_asking_behind_but_holds_nothing(tmp_path: Path) -> None:
    suite, model = slow_files(tmp_path)
    out = tmp_path / "run"
    with subprocess.Popen(command("audit", suite, "--model", model, "--out", out)) as process:
        while not (out / NAME).exists():
            time.sleep(0.02)
        process.kill()
    run = slant.Run(out)
    left = read_progress(run)
    assert left is not None
    assert left.phase == "asking"
    assert not run.in_use
    slant.resume(out)
    assert not run.path(NAME).exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', '{"pid": "x"}', "\x00"])
def test_a_damaged_file_is_one_message(tmp_path: Path, text: str) -> None:
    suite, model = slow_files(tmp_path)
    run = slant.audit(suite, model, out=tmp_path / "run", limit=6)
    run.path(NAME).write_text(text)
    with pytest.raises(InputError, match=f"{NAME}: is damaged"):
        read_progress(run)


def test_a_file_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    suite, model = slow_files(tmp_path)
    run = slant.audit(suite, model, out=tmp_path / "run", limit=6)
    run.path(NAME + ".new").mkdir()
    slant.resume(run.directory)
    assert json.loads(run.path("status.json").read_text()) == {"finished": True}
