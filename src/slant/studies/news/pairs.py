"""Pairs of articles: what a model wrote beside its reference, and what became of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from slant.records import OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Mapping

_SLOTS = pl.Struct({"id": pl.String, "title": pl.String, "reference": pl.String})


@dataclass(frozen=True)
class Pairs:
    """The pairs of one condition.

    Attributes
    ----------
    condition
        How the articles were asked for.
    table
        `id`, `title`, `reference`, `generated`; articles that a model did write.
    outcomes
        What became of all questions.
    """

    condition: str
    table: pl.DataFrame
    outcomes: Mapping[str, int]


def pair_up(
    answers: pl.LazyFrame, scores: pl.LazyFrame, references: Mapping[str, str]
) -> list[Pairs]:
    """Put every article that was written beside its reference.

    Parameters
    ----------
    answers, scores
        As a study gets them; the measure `refusal` tells refusals from articles.
    references
        Texts by id, for answers that do not bring their own.
    """
    refused = (
        scores.filter((pl.col("measure") == "refusal") & (pl.col("value") == 1))
        .select("position", pl.lit("refused").alias("refused"))
        .unique("position")
    )
    table = (
        answers.select(
            "position", "condition", "outcome", pl.col("text").alias("generated"),
            pl.col("slots").str.json_decode(_SLOTS),
        )
        .join(refused, on="position", how="left", maintain_order="left")
        .collect()
        .unnest("slots")
    )  # fmt: skip
    known = pl.DataFrame(
        {"id": list(references), "text": list(references.values())},
        schema={"id": pl.String, "text": pl.String},
    )
    table = table.join(known, on="id", how="left", maintain_order="left").with_columns(
        pl.coalesce("reference", "text").alias("reference"),
        pl.when(pl.col("outcome") == "answered")
        .then(pl.coalesce("refused", "outcome"))
        .otherwise("outcome")
        .alias("outcome"),
    )
    blank = pl.col("generated").fill_null("").str.strip_chars() == ""
    table = table.with_columns(
        pl.when((pl.col("outcome") == "answered") & blank)
        .then(pl.lit("unparseable"))
        .otherwise("outcome")
        .alias("outcome")
    )
    return [_pairs(str(name), part) for (name,), part in
            table.group_by("condition", maintain_order=True)]  # fmt: skip


def _pairs(condition: str, part: pl.DataFrame) -> Pairs:
    counts = dict(part.group_by("outcome").len().iter_rows())
    written = part.filter((pl.col("outcome") == "answered") & pl.col("reference").is_not_null())
    return Pairs(
        condition,
        written.select("id", "title", "reference", "generated"),
        {name: int(counts.get(name, 0)) for name in OUTCOMES},
    )
