"""Runs killed at any moment: resumed, nothing is lost, doubled, asked again or changed.

Each case starts a process that kills itself at a moment counted in replies, statements of the
journal or changes of files (`killed.py`), spread evenly over all that an undisturbed process does.
Half of the kills strike while the run asks. The normal tests take one kill of each kind.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import slant
from running import slow_files
from slant.engine.journal import Journal
from slant.engine.progress_file import read_progress
from slant.errors import InputError
from slant.models.mock.model import Mock

QUESTIONS = 300
KILLS = {  # how many, by what is done and by what is counted
    ("audit", "reply"): 8,
    ("audit", "statement"): 16,
    ("resume", "statement"): 8,
    ("audit", "file"): 16,
    ("resume", "file"): 8,
    ("merge", "file"): 8,
}
QUICK = {("audit", "reply"), ("resume", "statement"), ("merge", "file")}
"""Of these, the one in the middle is no slow test."""


def cases() -> list[Any]:
    marked = []
    for (verb, kind), count in KILLS.items():
        for number in range(count):
            middle = (verb, kind) in QUICK and number == count // 2
            marks = [] if middle else [pytest.mark.slow]
            share = (number + 0.5) / count
            name = f"{verb}-{kind}-{share:.2f}"
            marked.append(pytest.param(verb, kind, share, marks=marks, id=name))
    return marked


class Field:
    """What the kills need: a suite, a model, a whole run, a run that stopped halfway, shards."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.suite, self.model = slow_files(folder)
        model = folder / "slow.toml"
        model.write_text(model.read_text().replace("delay_ms = 50", "delay_ms = 0"))
        self.counts: dict[str, dict[str, int]] = {}
        self.whole = folder / "whole"
        self.count("audit", self.whole)

    def arguments(self, verb: str, run: Path) -> list[str]:
        if verb == "audit":
            return [verb, self.suite, self.model, str(run)]
        if verb == "resume":
            shutil.copytree(self.half, run)
            return [verb, str(run)]
        return [verb, str(run), *map(str, self.parts)]

    def start(self, verb: str, run: Path, kind: str, number: int, record: Path) -> int:
        run.parent.mkdir(parents=True, exist_ok=True)
        script = str(Path(__file__).with_name("killed.py"))
        begin = [sys.executable, script, kind, str(number), str(run.parent), str(record)]
        done = subprocess.run([*begin, *self.arguments(verb, run)], capture_output=True, text=True)
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        return done.returncode

    def count(self, verb: str, run: Path) -> dict[str, int]:
        """Count what a process does that nobody kills."""
        if verb not in self.counts:
            record = self.folder / f"{verb}.json"
            assert self.start(verb, run, "nothing", 0, record) == 0
            self.counts[verb] = json.loads(record.read_text())
        return self.counts[verb]

    @property
    def half(self) -> Path:
        """A run that was killed when half of its batches were answered."""
        run = self.folder / "half"
        if not run.exists():
            middle = self.counts["audit"]["reply"] // 2
            assert self.start("audit", run, "reply", middle, self.folder / "none") < 0
            read = shutil.copytree(run, self.folder / "read")  # to read it would tidy it up
            self.known = stored(read)
            assert 0 < len(self.known) < QUESTIONS
        return run

    @property
    def parts(self) -> list[Path]:
        runs = [self.folder / f"part{index}" for index in (1, 2)]
        for index, run in enumerate(runs, 1):
            if not run.exists():
                slant.audit(self.suite, self.model, out=run, shard=f"{index}/2")
        return runs


@pytest.fixture(scope="module")
def field(tmp_path_factory: pytest.TempPathFactory) -> Field:
    return Field(tmp_path_factory.mktemp("kills"))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the questions that this process asks of a mock model."""
    ids: list[str] = []
    answer = Mock.answer

    async def recorded(self: Mock, items: Sequence[Any], seed: int) -> list[Any]:
        ids.extend(item.id for item in items)
        return await answer(self, items, seed)

    monkeypatch.setattr(Mock, "answer", recorded)
    return ids


def stored(run: Path) -> dict[int, tuple[Any, ...]]:
    """Read what a journal holds, by position."""
    if not (run / "journal.sqlite").exists():
        return {}
    with closing(Journal(run / "journal.sqlite")) as journal:
        rows = [row for rows in journal.rows() for row in rows]
    found = {row[16]: row for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize(("verb", "kind", "share"), cases())
def test_a_killed_run_comes_to_the_same_end(
    field: Field, tmp_path: Path, asked: list[str], verb: str, kind: str, share: float
) -> None:
    total = field.count(verb, tmp_path / "undisturbed" / "run")[kind]
    run = tmp_path / "killed" / "run"
    number = 1 + int(share * total)
    assert field.start(verb, run, kind, number, tmp_path / "none") == -signal.SIGKILL
    asked.clear()
    if not (run / "run.toml").exists():  # killed before there was a run
        assert not stored(run)
        with pytest.raises(InputError, match="not a run directory"):
            slant.resume(run)
        if verb == "merge":
            slant.merge(field.parts, run)
        else:
            assert verb == "audit"
            shutil.rmtree(run, ignore_errors=True)
            slant.audit(field.suite, field.model, out=run)
            asked.clear()
        before = stored(run)
    else:
        before = stored(run)
        progress = read_progress(slant.Run(run))
        if progress is not None:  # what was said to be answered is there
            assert sum(study.done for study in progress.studies) <= len(before)
        slant.resume(run)
    if verb == "resume":
        assert field.known.items() <= before.items()
    assert len(asked) == len(set(asked)) == QUESTIONS - len(before)
    after = stored(run)
    assert before.items() <= after.items()
    assert after == stored(field.whole)
    for table in ("items", "answers", "scores"):
        mine, theirs = (pl.read_parquet(place / f"{table}.parquet") for place in (run, field.whole))
        assert mine.equals(theirs)
    assert (run / "findings.json").read_bytes() == (field.whole / "findings.json").read_bytes()
    assert slant.Run(run).incomplete is None
    assert [path.name for path in run.parent.iterdir()] == ["run"]
