"""The tables of a run as they should be: whole, or rebuilt from the journal."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import polars as pl

from slant.engine.run_journal import open_journal
from slant.engine.tables import ANSWERS, ITEMS, LATER, SCORES, export
from slant.errors import InputError
from slant.studies.checksums import check_file

if TYPE_CHECKING:
    from pathlib import Path

    from slant.engine.run import Run


def ensure(run: Run) -> list[str]:
    """Make sure that a run's answers can be read, and say what had to be done.

    `items.parquet` and `answers.parquet` are written anew from the journal when one of them is
    missing, half-written or of an older form. Scores and findings are left to `slant rescore`.

    Returns
    -------
    list of str
        What was done, and what the user may want to do, a sentence each; empty when all is well.

    Raises
    ------
    InputError
        There is neither a readable table nor a journal, the journal is damaged, or the run is
        still going and has no tables yet.
    SlantError
        The tables cannot be written.
    """
    said = []
    answers, items = run.path("answers.parquet"), run.path("items.parquet")
    journal = run.path("journal.sqlite")
    faults = {answers: fault(answers, ANSWERS)}
    if journal.exists():  # answers that were measured, not asked, have no items
        faults[items] = fault(items, ITEMS)
    if any(faults.values()):
        if not journal.exists():
            raise InputError(
                f"{faults[answers]}, and there is no journal to rebuild it from. Measure or ask "
                "again, or put back a copy of the file",
                file=answers,
            )
        with run.locked(), closing(open_journal(run)) as opened:
            export(opened, items, answers)
        said = [
            f"{path.name}: {what}; it was rebuilt from the journal"
            for path, what in faults.items()
            if what
        ]
    if trouble := fault(run.path("scores.parquet"), SCORES):
        said.append(
            f"scores.parquet: {trouble}; `slant rescore {run.directory}` scores the answers again"
        )
    return said


def fault(path: Path, schema: pl.Schema) -> str:
    """Say why a table cannot be read as it should; empty when it can."""
    if not path.exists():
        return "the file is missing"
    if path.is_dir():
        return "it is a folder, not a file"
    try:
        found = pl.read_parquet_schema(path)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError):
        return "the file is damaged or half-written"
    if missing := [name for name in schema if name not in found and name not in LATER]:
        return f"the file has no column {', '.join(missing)}: an older slant wrote it"
    try:
        check_file(path.parent, path)
    except InputError:
        return "the file is damaged: it is not as slant wrote it"
    return ""
