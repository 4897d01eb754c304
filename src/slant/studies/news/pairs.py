"""Pairs of articles: what a model wrote beside its reference, and what became of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from slant.studies.filing import count_outcomes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_SLOTS = pl.Struct({"id": pl.String, "title": pl.String, "reference": pl.String})
_AT_ONCE = 2_000


@dataclass(frozen=True)
class Pairs:
    """The pairs of one condition.

    Attributes
    ----------
    condition
        How the articles were asked for.
    texts
        `id`, `title`, `reference`, `generated`; articles that a model did write. They are read in
        batches: all of them would not always fit into memory.
    ids, titles
        Of those pairs, in order.
    outcomes
        What became of all questions.
    asked
        `reference` and `outcome` of every question that has a reference, answered or not.
    """

    condition: str
    texts: pl.LazyFrame
    ids: pl.Series
    titles: pl.Series
    outcomes: Mapping[str, int]
    asked: pl.LazyFrame

    def __len__(self) -> int:
        return len(self.ids)

    def batches(self) -> Iterator[pl.DataFrame]:
        """Read the pairs, some thousand at a time."""
        yield from self.texts.collect_batches(chunk_size=_AT_ONCE, maintain_order=True)

    def asked_in_batches(self) -> Iterator[pl.DataFrame]:
        """Read references and outcomes, some thousand at a time."""
        yield from self.asked.collect_batches(chunk_size=_AT_ONCE, maintain_order=True)

    def some(self, ids: Sequence[str]) -> pl.DataFrame:
        """Read a few pairs, in the order of their ids."""
        order = pl.DataFrame({"id": ids}, schema={"id": pl.String})
        found = self.texts.filter(pl.col("id").is_in(list(ids))).collect(engine="streaming")
        return order.join(found, on="id", how="inner", maintain_order="left")


def pair_up(
    answers: pl.LazyFrame, scores: pl.LazyFrame, references: pl.DataFrame | None
) -> list[Pairs]:
    """Put every article that was written beside its reference.

    Parameters
    ----------
    answers, scores
        As a study gets them; the measures `refusal` and `refusal_classifier` tell refusals from
        articles.
    references
        `id` and `text`, for answers that do not bring their own.
    """
    refused = (
        scores.filter(pl.col("measure").str.starts_with("refusal") & (pl.col("value") == 1))
        .select("position", pl.lit("refused").alias("refused"))
        .unique("position")
    )
    if references is None:
        references = pl.DataFrame(schema={"id": pl.String, "text": pl.String})
    known = references.lazy().select("id", pl.col("text").alias("known"))
    blank = pl.col("text").fill_null("").str.strip_chars() == ""
    table = (
        answers.select(
            "position", "condition", "outcome", "text",
            pl.col("slots").str.json_decode(_SLOTS),
        )
        .unnest("slots")
        .join(refused, on="position", how="left", maintain_order="left")
        .join(known, on="id", how="left", maintain_order="left")
        .with_columns(
            pl.coalesce("reference", "known").alias("reference"),
            pl.when(pl.col("outcome") != "answered")
            .then("outcome")
            .when(pl.col("refused").is_not_null())
            .then("refused")
            .when(blank)
            .then(pl.lit("unparseable"))
            .otherwise("outcome")
            .alias("outcome"),
        )
    )  # fmt: skip
    asked = table.select(
        "condition", "id", "title", "outcome", pl.col("reference").is_not_null().alias("has")
    ).collect(engine="streaming")
    return [
        _pairs(str(name), part, table) for (name,), part in
        asked.group_by("condition", maintain_order=True)
    ]  # fmt: skip


def _pairs(condition: str, asked: pl.DataFrame, table: pl.LazyFrame) -> Pairs:
    written = asked.filter((pl.col("outcome") == "answered") & pl.col("has"))
    own = table.filter((pl.col("condition") == condition) & pl.col("reference").is_not_null())
    return Pairs(
        condition,
        own.filter(pl.col("outcome") == "answered").select(
            "id", "title", "reference", pl.col("text").alias("generated")
        ),
        written["id"],
        written["title"],
        count_outcomes(asked),
        own.select("reference", "outcome"),
    )
