"""Runs that stop: interrupted, out of disk, in use; nothing answered is lost."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from openai_server import Asked, Reply, Server, clean_environment, completion

import slant
from patience import PATIENCE, until
from running import command, slow_files
from slant.engine.journal import Journal
from slant.errors import InputError


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Audit the slow model once, undisturbed; beside the run lie its suite and model."""
    folder = tmp_path_factory.mktemp("whole")
    suite, model = slow_files(folder)
    slant.audit(suite, model, out=folder / "run")
    return folder


STANDS_STILL = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
from slant.engine.journal import Journal
stored = Journal.commit_together
def store_and_stand_still(self, batches):
    stored(self, batches)
    Journal.commit_together = stored
    os.kill(os.getpid(), signal.SIGSTOP)
Journal.commit_together = store_and_stand_still
"""
"""Lets a process stand still once its first answers are stored: however busy the machine is, what
a test does then happens in the middle of the run."""


def start(whole: Path, out: Path) -> subprocess.Popen[str]:
    suite, model = whole / "suite.toml", f"mock:{whole / 'slow.toml'}"
    begin = f"{STANDS_STILL}\nfrom slant.cli import main; main()"
    arguments = ["audit", str(suite), "--model", model, "--out", str(out)]
    return subprocess.Popen(
        [sys.executable, "-c", begin, *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=out.parent,
    )  # fmt: skip


def wait_for_answers(process: subprocess.Popen[str]) -> None:
    """Wait until a process stands still, or has ended."""
    os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)


def interrupt(process: subprocess.Popen[str]) -> None:
    """Press Ctrl-C, and let the process go on."""
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGCONT)


def answered(run: Path) -> int:
    journal = Journal(run / "journal.sqlite")
    counts = journal.outcome_counts()
    journal.close()
    return counts.get("answered", 0)


def same_findings(whole: Path, run: Path) -> bool:
    mine, theirs = run / "findings.json", whole / "run" / "findings.json"
    return mine.read_bytes() == theirs.read_bytes()


def test_ctrl_c_keeps_every_answer_and_says_how_to_go_on(whole: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    with start(whole, run) as process:
        wait_for_answers(process)
        interrupt(process)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert f"slant resume {run}" in errors
    assert re.search(r"waiting for (0|10) questions under way", errors)
    assert "Traceback" not in errors
    assert 0 < answered(run) < 300
    assert answered(run) % 10 == 0
    assert slant.Run(run).incomplete == "some questions have not been asked yet"
    done = subprocess.run(command("resume", run), capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0
    assert same_findings(whole, run)


@pytest.mark.slow
def test_a_second_ctrl_c_abandons_at_once(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clean_environment(monkeypatch)
    over = threading.Event()

    def never(_: Asked) -> Reply:
        over.wait()
        return completion(" bar.")

    run = tmp_path / "run"
    with Server(never).running() as server:
        model = f"{server.address}?api=completions&timeout=3600#tiny"
        arguments = command("audit", whole / "suite.toml", "--model", model, "--out", run)
        with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True) as process:
            until(lambda: server.asked)
            process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            assert any("waiting for" in line for line in process.stderr)
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=PATIENCE)
        over.set()
    assert process.returncode == 130
    assert errors.rstrip().endswith(f"slant resume {run}")


def test_ctrl_c_while_concluding_says_how_to_go_on(whole: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(whole / "run", run)
    begin = (
        "import slant.engine.run_loop as asking\n"
        "def interrupted(*_, **__): raise KeyboardInterrupt\n"
        "asking.conclude = interrupted\n"
        "from slant.cli import main; main()"
    )
    arguments = [sys.executable, "-c", begin, "resume", str(run)]
    done = subprocess.run(arguments, capture_output=True, text=True)
    assert done.returncode == 130
    assert f"slant resume {run}" in done.stderr


def test_ctrl_c_stops_an_audit_inside_an_event_loop(whole: Path, tmp_path: Path) -> None:
    suite, model = str(whole / "suite.toml"), f"mock:{whole / 'slow.toml'}"
    run = tmp_path / "run"
    begin = (
        f"{STANDS_STILL}\n"
        "import asyncio, slant\n"
        f"async def main(): slant.audit({suite!r}, {model!r}, out={str(run)!r})\n"
        "loop = asyncio.new_event_loop()\n"
        "try: loop.run_until_complete(main())\n"
        "except slant.InterruptedRunError as error: print('stopped:', error)\n"
        "finally: loop.close()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", begin], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        wait_for_answers(process)
        interrupt(process)
        output, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert f"slant resume {run}" in output
    assert slant.Run(run).incomplete == "some questions have not been asked yet"
    assert 0 < answered(run) < 300
    slant.resume(run)
    assert same_findings(whole, run)


def test_a_run_in_use_is_refused(whole: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    with start(whole, run) as process:
        wait_for_answers(process)
        with pytest.raises(InputError, match=f"{run} is in use by another slant process") as fault:
            slant.resume(run)
        assert process.poll() is None
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=PATIENCE)
    assert fault.value.exit_code == 2
    assert same_findings(whole, run)


@pytest.mark.parametrize(
    "kilobytes", [70, *(pytest.param(most, marks=pytest.mark.slow) for most in (1, 20, 120))]
)
def test_a_full_disk_is_one_message_and_resuming_completes(
    whole: Path, tmp_path: Path, kilobytes: int
) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (kilobytes * 1024, kilobytes * 1024))

    run = tmp_path / "run"
    model = f"mock:{whole / 'slow.toml'}"
    done = subprocess.run(
        command("audit", whole / "suite.toml", "--model", model, "--out", run),
        capture_output=True,
        text=True,
        preexec_fn=small_files,
    )
    assert done.returncode == 1
    messages = [line for line in done.stderr.splitlines() if line.startswith("slant: ")]
    assert len(messages) == 1, done.stderr
    assert str(run) in messages[0]
    assert f"slant resume {run}" in done.stderr
    assert "Traceback" not in done.stderr
    assert "defect" not in done.stderr
    slant.resume(run)
    assert same_findings(whole, run)


@pytest.mark.parametrize(
    "name",
    [
        "findings.json",
        pytest.param("sections", marks=pytest.mark.slow),
        pytest.param("items.parquet", marks=pytest.mark.slow),
        pytest.param("scores.parquet", marks=pytest.mark.slow),
    ],
)
def test_a_file_that_cannot_be_written_is_one_message(
    whole: Path, tmp_path: Path, name: str
) -> None:
    run = tmp_path / "run"
    shutil.copytree(whole / "run", run)
    (run / f"{name}.new").unlink(missing_ok=True)
    blocked = run / f"{name}.new"
    if name == "sections":
        blocked.write_text("in the way")
    else:
        blocked.mkdir()
    done = subprocess.run(command("resume", run), capture_output=True, text=True)
    assert done.returncode == 1
    assert "defect" not in done.stderr
    assert f"slant resume {run}" in done.stderr
    blocked.unlink() if blocked.is_file() else blocked.rmdir()
    os.unlink(run / "findings.json")  # noqa: PTH108
    slant.resume(run)
    assert same_findings(whole, run)
