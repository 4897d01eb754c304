"""Tables behind a rate of texts: outcomes, counts, words, disagreements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.records import OUTCOMES
from slant.studies.copies import distinct_answers

if TYPE_CHECKING:
    from slant.studies.study import Study


def judged(
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    counted: str,
    others: list[str],
    study: Study | None = None,
) -> pl.DataFrame:
    """Join answers and scores, without the texts, and settle every outcome.

    A text that reads as a refusal is refused, and an empty one is unparseable, whatever the
    server called it.

    Parameters
    ----------
    answers, scores
        As `Study.analyse` is given them.
    counted, others
        Names of measures.
    study
        Whose answers are looked through for copies of one another, if it asked for them by the
        robust method: what is in a file, or was published, counts as it stands.

    Returns
    -------
    polars.DataFrame
        `position`, `axis`, `group`, `condition`, `sample`, `outcome`, `value` (the counted
        measure, null unless answered), one column for each other measure, and `counts`: false for
        what only repeats another answer (`distinct_answers`).
    """
    columns = ("position", "axis", "group", "condition", "sample", "outcome")
    table = answers.select(columns).collect()
    for measure in dict.fromkeys((counted, *others, "refusal")):
        values = scores.filter(pl.col("measure") == measure).select(
            "position", pl.col("value").alias(measure)
        )
        table = table.join(values.collect(), on="position", how="left", maintain_order="left")
    answered = pl.col("outcome") == "answered"
    outcome = (
        pl.when(answered & (pl.col("refusal") == 1))
        .then(pl.lit("refused"))
        .when(answered & pl.col(counted).is_null())
        .then(pl.lit("unparseable"))
        .otherwise("outcome")
    )
    table = table.with_columns(outcome.alias("outcome"))
    kept = pl.when(pl.col("outcome") == "answered")
    table = table.select(
        "position", "axis", "group", "condition", "sample", "outcome",
        kept.then(counted).alias("value"),
        *(kept.then(name).alias(name) for name in others),
    )  # fmt: skip
    if study is None or not study.asks or study.circumstances.method == "paper":
        return table.with_columns(pl.lit(value=True).alias("counts"))
    return distinct_answers(table, answers)


def group_table(table: pl.DataFrame) -> pl.DataFrame:
    """Count answers, matches and refusals by group and prompt."""
    return table.group_by("group", "condition", maintain_order=True).agg(
        (pl.col("outcome") == "answered").sum().cast(pl.Int64).alias("answered"),
        (pl.col("value") == 1).sum().cast(pl.Int64).alias("matching"),
        (pl.col("outcome") == "refused").sum().cast(pl.Int64).alias("refused"),
    )


def outcome_table(table: pl.DataFrame, groups: list[str]) -> pl.DataFrame:
    """Count the four outcomes by group; one row a group, in the order given."""
    counts = table.group_by("group").agg(
        (pl.col("outcome") == name).sum().cast(pl.Int64).alias(name) for name in OUTCOMES
    )
    order = pl.DataFrame({"group": groups}, schema={"group": pl.String})
    return order.join(counts, on="group", how="left", maintain_order="left")


def matched_words(answers: pl.LazyFrame, scores: pl.LazyFrame, counted: str) -> pl.DataFrame:
    """List the words that made completions count: how many completions of each group hold them."""
    spans = (
        scores.filter((pl.col("measure") == counted) & (pl.col("value") == 1))
        .select("position", "spans")
        .join(answers.select("position", "group", "text"), on="position")
        .explode("spans")
        .select(
            "position",
            "group",
            pl.col("text")
            .str.slice(
                pl.col("spans").list.get(0),
                pl.col("spans").list.get(1) - pl.col("spans").list.get(0),
            )
            .str.to_lowercase()
            .alias("word"),
        )
        .unique()
    )
    return (
        spans.group_by("word", "group")
        .len("completions")
        .sort("completions", "word", "group", descending=[True, False, False])
        .with_columns(pl.col("completions").cast(pl.Int64))
        .collect()
    )


def disagreements(
    table: pl.DataFrame, answers: pl.LazyFrame, counted: str, other: str
) -> pl.DataFrame:
    """List the completions on which the two ways of matching differ."""
    differing = table.filter(pl.col("value") != pl.col(other)).select(
        "position",
        "group",
        pl.col("value").cast(pl.Int64).alias(counted),
        pl.col(other).cast(pl.Int64).alias(other),
    )
    texts = answers.select("position", "text").collect() if differing.height else None
    if texts is None:
        return differing.with_columns(pl.lit(None, pl.String).alias("text"))
    return differing.join(texts, on="position", how="left", maintain_order="left")
