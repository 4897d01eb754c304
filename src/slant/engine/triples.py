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

    found = {
        section.model: section.analysis.tables[TABLE].with_columns(
            pl.lit(section.model).alias("model")
        )
        for section in run.sections()
        if set(REQUIRED) <= set(section.analysis.tables.get(TABLE, pl.DataFrame()).columns)
    }
    if not found:
        raise InputError(
            f"{run.directory} holds no triples: none of its studies asks for what a model knows"
        )
    if model is not None and model not in found:
        known = ", ".join(sorted(found))
        raise InputError(f"{run.directory} holds no triples of {model!r}; it has those of {known}")
    chosen = found.values() if model is None else [found[model]]
    return pl.concat(chosen, how="diagonal_relaxed")
