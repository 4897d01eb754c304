"""Answers that are copies of one another, and say no more than one of them.

At temperature 0, or behind a server that does not draw anew, a question that is asked a hundred
times has one answer, or ten that come again and again. Taken for a hundred independent draws they
make differences of nothing. What is often said by chance ("a bar", a refusal) is no copy.
"""

from __future__ import annotations

import polars as pl

_MANY = 0.5
"""Copies are looked upon as such if they are more than this share of the repeated answers."""

_QUESTION = ("axis", "group", "condition", "asked")


def distinct_answers(table: pl.DataFrame, answers: pl.LazyFrame) -> pl.DataFrame:
    """Say of every answer whether it counts: where copies are many, so many as are distinct.

    A *repeat* is a further answer to the very same question. It is a copy if its text was given to
    that question before and to no other, or if the question never had another answer. Where more
    than half of all repeats are copies, of each question so many answers count as are distinct,
    taken evenly from all of them as ordered by outcome and value: so a rate stays what it was, and
    rests on no more than there is.

    Parameters
    ----------
    table
        One row an answer: `position`, `axis`, `group`, `condition`, `outcome`, `value`.
    answers
        The same answers with `prompt` and `text`.

    Returns
    -------
    polars.DataFrame
        The table with a column `counts`.
    """
    # What one part of a study takes over from another is filed in both.
    parts = [name for name in ("part", "prompt") if name in answers.collect_schema().names()]
    asked = pl.struct(parts).hash() if parts else pl.lit(0, pl.UInt64)
    said = answers.select(
        "position", asked.alias("asked"),
        pl.col("text").str.strip_chars().hash().alias("said"),
    ).collect()  # fmt: skip
    known = table.join(said, on="position", how="left", maintain_order="left").filter(
        pl.col("outcome").is_in(["answered", "refused"]), pl.col("said").is_not_null()
    )
    texts = known.group_by(*_QUESTION, "said").agg(pl.len().alias("times"))
    texts = texts.with_columns(
        (pl.len().over("said") == 1).alias("only_here"),
        pl.len().over(_QUESTION).alias("distinct"),
        pl.col("times").sum().over(_QUESTION).alias("given"),
    )
    copied = pl.col("only_here") | (pl.col("distinct") == 1)
    repeats = texts.select((pl.col("times") - (pl.col("times") / pl.col("given"))).sum()).item()
    copies = texts.filter(copied).select((pl.col("times") - 1).sum()).item()
    if copies <= _MANY * repeats:
        return table.with_columns(pl.lit(value=True).alias("counts"))
    ordered = known.join(
        texts.select(*_QUESTION, "said", "distinct", "given"), on=[*_QUESTION, "said"],
        nulls_equal=True,
    ).with_columns(
        pl.col("position").min().over(*_QUESTION, "said").alias("first")
    ).sort("outcome", "value", "first", "position")  # fmt: skip
    place = pl.int_range(pl.len()).over(_QUESTION)
    passed = [(place + add) * pl.col("distinct") // pl.col("given") for add in (0, 1)]
    taken = ordered.filter(passed[1] > passed[0])["position"]
    aside = known["position"].filter(~known["position"].is_in(taken.implode()))
    return table.with_columns((~pl.col("position").is_in(aside.implode())).alias("counts"))


def copies_note(table: pl.DataFrame) -> list[str]:
    """Say how many answers are copies, if they were set aside."""
    aside = table.height - int(table["counts"].sum())
    if not aside:
        return []
    note = (
        f"{aside:,} of {table.height:,} answers are copies of another answer to the same question: "
        f"the model does not draw anew (temperature 0, or a server that keeps its answers). Only "
        f"distinct answers count, {table.height - aside:,} in all; more samples would tell no more."
    )
    return [note]
