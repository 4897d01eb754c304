"""The triples of a run, over all its studies and models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.knowledge_graph.graph import REQUIRED

if TYPE_CHECKING:
    import polars as pl

    from slant.engine.run import Run

TABLE = "triples"
"""What sections call their table of triples."""


def run_triples(run: Run, model: str | None = None) -> pl.DataFrame:
    """Collect the triples of a run, each with the model that said it.

    Parameters
    ----------
    run
        A run that has come to conclusions.
    model
        Whose triples; everyone's when left out.

    Returns
    -------
    polars.DataFrame
        The sections' tables `triples` one after the other, with the column `model`.

    Raises
    ------
    InputError
        No section has triples, or none of this model.
    """
    import polars as pl

    found = [
        section
        for section in run.sections()
        if set(REQUIRED) <= set(section.analysis.tables.get(TABLE, pl.DataFrame()).columns)
    ]
    if not found:
        raise InputError(
            f"{run.directory} holds no triples: none of its studies asks for what a model knows"
        )
    chosen = [section for section in found if model in (None, section.model)]
    if not chosen:
        known = ", ".join(sorted({section.model for section in found}))
        raise InputError(f"{run.directory} holds no triples of {model!r}; it has those of {known}")
    tables = [
        section.analysis.tables[TABLE].with_columns(pl.lit(section.model).alias("model"))
        for section in chosen
    ]
    return pl.concat(tables, how="diagonal_relaxed")
