"""Laying people's rulings over answers and scores, which stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.measures.measure import REFUSAL, TELL_REFUSALS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.engine.judgements.judgement import Ruling

_SCHEMA = {"position": pl.Int64(), "measure": pl.String(), "ruling": pl.Float64()}


def overlaid(
    answers: pl.LazyFrame, scores: pl.LazyFrame, rulings: Mapping[tuple[int, str], Ruling]
) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Give one study's answers and scores as people rule.

    A score takes the value of its ruling and keeps its spans. A ruling about a refusal holds for
    every measure that tells refusals and for the outcome too: what is ruled no refusal counts as
    answered though the server called it refused, and the other way round.

    Parameters
    ----------
    answers, scores
        Of one study about one model.
    rulings
        By position and measure.

    Returns
    -------
    tuple of polars.LazyFrame
        With the same rows, in the same order.
    """
    rows = [(position, measure, ruling) for (position, measure), ruling in rulings.items()]
    table = pl.DataFrame(rows, schema=_SCHEMA, orient="row").lazy()
    ruled = pl.col("ruling").is_not_null()
    scored = (
        scores.with_columns(
            asked=pl.when(pl.col("measure").is_in(TELL_REFUSALS))
            .then(pl.lit(REFUSAL))
            .otherwise("measure")
        )
        .join(
            table,
            left_on=["position", "asked"],
            right_on=["position", "measure"],
            how="left",
            maintain_order="left",
        )
        .with_columns(
            value=pl.coalesce("ruling", "value"),
            reason=pl.when(ruled).then(None).otherwise("reason"),
        )
        .drop("asked", "ruling")
    )
    refusals = table.filter(pl.col("measure") == REFUSAL).select("position", "ruling")
    outcome = (
        pl.when(pl.col("ruling") == 1)
        .then(pl.lit("refused"))
        .when((pl.col("ruling") == 0) & (pl.col("outcome") == "refused"))
        .then(pl.lit("answered"))
        .otherwise("outcome")
    )
    answered = (
        answers.join(refusals, on="position", how="left", maintain_order="left")
        .with_columns(outcome=outcome)
        .drop("ruling")
    )
    return answered, scored
