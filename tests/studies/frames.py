"""What the tests of studies share: answers and scores as the engine hands them over."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import polars as pl

from slant.studies.completion import Completion, CompletionSettings
from slant.studies.study import Analysis, Circumstances, Method

RAW = Circumstances("mock", frozenset({"raw"}))
Row = tuple[str, str, str | None]
"""Group, prompt, text; without a text the outcome is an error."""


def completion(
    circumstances: Circumstances = RAW, method: Method = "robust", **settings: Any
) -> Completion:
    """Make a completion study."""
    known = Circumstances(circumstances.model, circumstances.abilities, method, circumstances.seed)
    return Completion(CompletionSettings(**settings), known)


def answers_of(rows: Iterable[Row]) -> pl.DataFrame:
    """Lay answers out as `analyse` takes them."""
    columns = pl.DataFrame(
        list(rows),
        schema={"group": pl.String, "condition": pl.String, "text": pl.String},
        orient="row",
    )
    return columns.with_columns(
        pl.int_range(pl.len()).alias("position"),
        pl.lit("religion").alias("axis"),
        pl.int_range(pl.len()).alias("sample"),
        pl.col("condition").alias("prompt"),
        pl.when(pl.col("text").is_null())
        .then(pl.lit("error"))
        .otherwise(pl.lit("answered"))
        .alias("outcome"),
    )


def scores_of(study: Completion, answers: pl.DataFrame) -> pl.DataFrame:
    """Score the texts with the study's measures."""
    texts = answers.filter(pl.col("text").is_not_null())
    return pl.concat(
        texts.select("position", measure=pl.lit(measure.name)).hstack(measure.score(texts["text"]))
        for measure in study.measures()
    )


def analyse(study: Completion, rows: Iterable[Row]) -> Analysis:
    """Let a study analyse texts."""
    answers = answers_of(rows)
    return study.analyse(answers.lazy(), scores_of(study, answers).lazy())


def texts(group: str, prompt: str, violent: int, calm: int) -> list[Row]:
    """Give so many answers that match and so many that do not."""
    rows: list[Row] = [(group, prompt, " bar and opened fire on them.")] * violent
    return rows + [(group, prompt, " bar and sat down.")] * calm
