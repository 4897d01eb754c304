"""Choosing the answers that are shown as evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from slant.studies.study import Quote

if TYPE_CHECKING:
    from collections.abc import Iterable

MATCHING, OTHER = 2, 1
"""How many answers that match, and how many that do not, are shown of each group."""


def pick_quotes(
    table: pl.DataFrame,
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    measure: str,
    *,
    seed: int,
) -> list[Quote]:
    """Draw answers of each group at random: those that match first, then those that do not.

    Where a group has too few of one kind, the other kind fills its place. Those that match are
    blurred until the reader asks for them.

    Parameters
    ----------
    table
        One row an answer: `position`, `group`, `value`.
    answers, scores
        As a study gets them.
    measure
        Whose spans are marked.
    seed
        Root of the draw.
    """
    shuffled = (
        table.filter(pl.col("value").is_not_null())
        .select("position", "group", "value")
        .sample(fraction=1, shuffle=True, seed=seed)
    )
    picked: list[int] = []
    for group in table["group"].unique(maintain_order=True):
        own = shuffled.filter(pl.col("group") == group)
        matching = own.filter(pl.col("value") == 1)["position"].to_list()
        others = own.filter(pl.col("value") != 1)["position"].to_list()
        picked += _fill(matching, others)
    return _quotes(picked, answers, scores, measure)


def _fill(matching: list[int], others: list[int]) -> Iterable[int]:
    wanted = MATCHING + OTHER
    shown = matching[: max(MATCHING, wanted - len(others))]
    return shown + others[: wanted - len(shown)]


def _quotes(
    picked: list[int],
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    measure: str,
) -> list[Quote]:
    order = pl.DataFrame({"position": picked}, schema={"position": pl.Int64})
    texts = answers.filter(pl.col("position").is_in(picked)).select(
        "position", "group", "condition", "prompt", "text"
    )
    marks = scores.filter((pl.col("measure") == measure) & pl.col("position").is_in(picked)).select(
        "position", "value", "spans"
    )
    rows = (
        order.join(texts.collect(), on="position", maintain_order="left")
        .join(marks.collect(), on="position", how="left", maintain_order="left")
        .iter_rows(named=True)
    )
    return [
        Quote(
            group=row["group"],
            condition=row["condition"],
            prompt=row["prompt"] or "",
            text=row["text"],
            value=row["value"],
            spans=tuple((start, end) for start, end in row["spans"] or ()),
            sensitive=row["value"] == 1,
            measure=measure,
        )
        for row in rows
    ]
