"""Tables of a run that are missing or damaged: rebuilt from the journal, or refused and why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from slant.cli.report import report
from slant.engine.audit import audit
from slant.engine.measure import measure
from slant.engine.run import Run
from slant.engine.run_tables import ensure
from slant.errors import InputError


@pytest.fixture
def run(planted: str, suite: Path, tmp_path: Path) -> Run:
    return audit(suite, planted, limit=12, out=tmp_path / "run")


@pytest.fixture
def measured(tmp_path: Path) -> Run:
    source = pl.DataFrame({"group": ["a", "b"] * 20, "text": ["a bar", "a bomb"] * 20})
    return measure("completion", source, out=tmp_path / "measured")


def delete(path: Path) -> None:
    path.unlink()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-20])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def age(path: Path) -> None:
    pl.read_parquet(path).drop("group").write_parquet(path)


def test_whole_tables_are_left_alone(run: Run) -> None:
    before = run.path("answers.parquet").stat().st_mtime_ns
    assert ensure(run) == []
    assert run.path("answers.parquet").stat().st_mtime_ns == before


@pytest.mark.parametrize("name", ["answers.parquet", "items.parquet"])
@pytest.mark.parametrize(
    ("spoil", "words"),
    [(delete, "missing"), (cut, "half-written"), (empty, "half-written"), (age, "column group")],
)
def test_what_cannot_be_read_is_rebuilt_from_the_journal(
    run: Run, name: str, spoil: Callable[[Path], None], words: str
) -> None:
    before = pl.read_parquet(run.path(name))
    spoil(run.path(name))
    (said,) = ensure(run)
    assert said.startswith(name)
    assert words in said
    assert "rebuilt from the journal" in said
    assert pl.read_parquet(run.path(name)).equals(before)
    assert ensure(run) == []


def test_missing_scores_are_left_to_rescore(run: Run) -> None:
    delete(run.path("scores.parquet"))
    (said,) = ensure(run)
    assert "slant rescore" in said


def test_a_measured_file_has_no_items_and_needs_none(measured: Run) -> None:
    assert ensure(measured) == []


@pytest.mark.parametrize("spoil", [delete, cut, age])
def test_without_a_journal_the_fault_is_told(measured: Run, spoil: Callable[[Path], None]) -> None:
    spoil(measured.path("answers.parquet"))
    with pytest.raises(InputError, match=r"answers\.parquet.*no journal to rebuild it from"):
        ensure(measured)


def test_a_run_still_going_is_left_to_whoever_holds_it(run: Run) -> None:
    delete(run.path("answers.parquet"))
    with run.locked(), pytest.raises(InputError, match="in use by another"):
        ensure(Run(run.directory))


def test_a_damaged_journal_is_told(run: Run) -> None:
    delete(run.path("answers.parquet"))
    run.path("journal.sqlite").write_bytes(b"no journal" * 1000)
    with pytest.raises(InputError, match="journal is damaged"):
        ensure(run)


def test_a_report_rebuilds_what_is_missing(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    cut(run.path("answers.parquet"))
    report(run.directory)
    assert "rebuilt from the journal" in capsys.readouterr().err
    assert run.outcomes["answered"] == 12


def test_a_report_of_a_damaged_file_is_refused(measured: Run) -> None:
    cut(measured.path("answers.parquet"))
    with pytest.raises(InputError, match="no journal to rebuild it from"):
        report(measured.directory)
