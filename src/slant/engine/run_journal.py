"""The journal of a run, opened only if it is the one that the run wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.engine.journal import Journal
from slant.errors import InputError

if TYPE_CHECKING:
    from slant.engine.run import Run


def open_journal(run: Run) -> Journal:
    """Open the journal of a run; a run that has just begun gets one.

    `environment.json` is written after the journal knows the first model, the tables are written
    from it: where one of them is and no journal, or one that knows no model, what was answered is
    gone. To ask everything again in silence would cost the user money and change the answers.

    Raises
    ------
    InputError
        The journal is lost or damaged.
    """
    path = run.path("journal.sqlite")
    begun = any(run.path(name).exists() for name in ("environment.json", "answers.parquet"))
    if begun and not (path.exists() and path.stat().st_size):
        raise _lost(run)
    journal = Journal(path)
    if begun and not journal.facts():
        journal.close()
        raise _lost(run)
    return journal


def _lost(run: Run) -> InputError:
    path = run.path("journal.sqlite")
    found = "holds nothing" if path.exists() else "is missing"
    tables = (
        f"; what answers.parquet holds can be concluded from: remove {path.name} if it is there, "
        f"then `slant rescore {run.directory}`"
        if run.path("answers.parquet").exists()
        else ""
    )
    return InputError(
        f"the journal {found}, but this run has asked questions already. Put back a copy of the "
        f"file{tables}. To ask everything again, begin a new run: {run.config.command}",
        file=path,
    )
