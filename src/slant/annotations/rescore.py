"""Scoring and analysing again what a run has asked."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from slant.annotations.ledger import Ledger
from slant.annotations.recompute import conclude_judged
from slant.annotations.rulings import blind_rulings
from slant.engine.conclude import conclude
from slant.engine.remembered import remembered_studies
from slant.engine.run import Run
from slant.engine.run_journal import open_journal
from slant.engine.tables import export
from slant.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


def rescore(directory: str | Path) -> Run:
    """Score and analyse what a run has asked so far, without asking anything.

    Use it after changing a lexicon or updating slant, or to see what an unfinished run has. Where
    people have judged scores, what follows from their labels is drawn again too, beside the rest.
    """
    run = Run(directory)
    with run.locked():
        remembered_studies(run)  # what cannot be concluded from replaces nothing
        if run.path("journal.sqlite").exists():
            with closing(open_journal(run)) as journal:
                export(journal, run.path("items.parquet"), run.path("answers.parquet"))
        elif not run.path("answers.parquet").exists():
            raise InputError(f"{directory} holds neither a journal nor answers.parquet")
        conclude(run, blind_rulings(Ledger.read(run.directory)))
        conclude_judged(run)
    return run
