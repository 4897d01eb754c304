"""Laying people's labels over answers and scores, which stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.measures.measure import REFUSAL, TELL_REFUSALS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.annotations.annotation import Label

_SCHEMA = {"position": pl.Int64(), "measure": pl.String(), "label": pl.Float64()}


def applied(
    answers: pl.LazyFrame, scores: pl.LazyFrame, labels: Mapping[tuple[int, str], Label]
) -> tuple[pl.LazyFrame, pl.LazyFrame]:
    """Give one study's answers and scores as people rule.

    A score takes the value of its label and keeps its spans. A label about a refusal holds for
    every measure that tells refusals and for the outcome too: what is ruled no refusal counts as
    answered though the server called it refused, and the other way round.

    Parameters
    ----------
    answers, scores
        Of one study about one model.
    labels
        By position and measure.

    Returns
    -------
    tuple of polars.LazyFrame
        With the same rows, in the same order.
    """
    rows = [(position, measure, label) for (position, measure), label in labels.items()]
    table = pl.DataFrame(rows, schema=_SCHEMA, orient="row").lazy()
    ruled = pl.col("label").is_not_null()
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
            value=pl.coalesce("label", "value"),
            reason=pl.when(ruled).then(None).otherwise("reason"),
        )
        .drop("asked", "label")
    )
    refusals = table.filter(pl.col("measure") == REFUSAL).select("position", "label")
    outcome = (
        pl.when(pl.col("label") == 1)
        .then(pl.lit("refused"))
        .when((pl.col("label") == 0) & (pl.col("outcome") == "refused"))
        .then(pl.lit("answered"))
        .otherwise("outcome")
    )
    answered = (
        answers.join(refusals, on="position", how="left", maintain_order="left")
        .with_columns(outcome=outcome)
        .drop("label")
    )
    return answered, scored
