"""Merging shards: all of their answers or no run at all, and nothing asked twice."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import slant
from slant.engine.journal import Journal
from slant.errors import InputError


class Killed(BaseException):
    """Stands for a signal: nothing that catches errors catches it."""


@pytest.fixture
def parts(suite: Path, planted: str, tmp_path: Path) -> list[Path]:
    return [
        slant.audit(
            suite, planted, out=tmp_path / f"part{index}", shard=f"{index}/3", limit=120, seed=3
        ).directory
        for index in (1, 2, 3)
    ]


@pytest.fixture
def whole(suite: Path, planted: str, tmp_path: Path) -> bytes:
    run = slant.audit(suite, planted, out=tmp_path / "whole", limit=120, seed=3)
    return run.path("findings.json").read_bytes()


def stopped_after(absorbed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    absorb, calls = Journal.absorb, iter(range(100))

    def limited(self: Journal, other: Path) -> None:
        if next(calls) == absorbed:
            raise Killed
        absorb(self, other)

    monkeypatch.setattr(Journal, "absorb", limited)


@pytest.mark.parametrize("absorbed", [0, 1, 2])
def test_a_merge_that_was_stopped_leaves_no_run_and_is_done_again(
    parts: list[Path],
    whole: bytes,
    tmp_path: Path,
    absorbed: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = tmp_path / "merged"
    with monkeypatch.context() as stopping:
        stopped_after(absorbed, stopping)
        with pytest.raises(Killed):
            slant.merge(parts, out)
    assert not out.exists()
    merged = slant.merge(parts, out)
    assert merged.path("findings.json").read_bytes() == whole
    assert {path.name for path in tmp_path.iterdir() if path.name.startswith(".")} == set()


def test_what_a_killed_merge_left_is_cleared_away(
    parts: list[Path], whole: bytes, tmp_path: Path
) -> None:
    left = tmp_path / ".merged.merging"
    left.mkdir()
    shutil.copy(parts[0] / "run.toml", left / "run.toml")
    shutil.copy(parts[0] / "journal.sqlite", left / "journal.sqlite")
    assert slant.merge(parts, tmp_path / "merged").path("findings.json").read_bytes() == whole
    assert not left.exists()


def test_a_merge_that_another_does_already_is_refused(parts: list[Path], tmp_path: Path) -> None:
    left = tmp_path / ".merged.merging"
    left.mkdir()
    shutil.copy(parts[0] / "run.toml", left / "run.toml")
    with slant.Run(left).locked(), pytest.raises(InputError, match="in use"):
        slant.merge(parts, tmp_path / "merged")
    assert (left / "run.toml").exists()


def test_a_merge_stopped_in_its_analysis_asks_nothing_again(
    parts: list[Path], whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(run: slant.Run) -> None:
        raise Killed

    with monkeypatch.context() as stopping:
        stopping.setattr("slant.engine.merge.conclude", killed)
        with pytest.raises(Killed):
            slant.merge(parts, tmp_path / "merged")

    def none_asked(*_: object) -> None:
        raise AssertionError("a question was asked again")

    monkeypatch.setattr("slant.models.mock.model.Mock.answer", none_asked)
    resumed = slant.resume(tmp_path / "merged")
    assert resumed.path("findings.json").read_bytes() == whole
    assert resumed.outcomes["error"] == 0


def removed(path: Path) -> None:
    path.unlink()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


@pytest.mark.parametrize("lost", [removed, emptied])
def test_a_shard_without_its_journal_is_named(
    parts: list[Path], tmp_path: Path, lost: Callable[[Path], None]
) -> None:
    lost(parts[1] / "journal.sqlite")
    with pytest.raises(InputError, match="has asked questions already") as fault:
        slant.merge(parts, tmp_path / "merged")
    assert str(parts[1] / "journal.sqlite") in str(fault.value)
    assert not (tmp_path / "merged").exists()


def test_a_damaged_shard_is_named_and_nothing_is_left(parts: list[Path], tmp_path: Path) -> None:
    path = parts[1] / "journal.sqlite"
    path.write_bytes(path.read_bytes().replace(b"sat down", b"set down"))
    with pytest.raises(InputError, match="the journal is damaged") as fault:
        slant.merge(parts, tmp_path / "merged")
    assert str(path) in str(fault.value)
    assert not (tmp_path / "merged").exists()
    assert not (tmp_path / ".merged.merging").exists()


def test_an_empty_directory_takes_a_merged_run(parts: list[Path], tmp_path: Path) -> None:
    (tmp_path / "merged").mkdir()
    assert slant.merge(parts, tmp_path / "merged").incomplete is None
