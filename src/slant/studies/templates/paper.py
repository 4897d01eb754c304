"""The figures of APES (Goel et al. 2022), as its published table has them."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

BUCKETS = 50
"""Into how many quantiles of confidence APES's plot of bias sorts the answers."""


@dataclass(frozen=True)
class PaperBias:
    """Shares of answers that are not the label.

    Attributes
    ----------
    positive, negated, overall
        Among the statements, among their negations, among all. APES's caption calls them correct;
        they are the wrong ones.
    rows
        How many answers, of the three.
    wrong
        How many of them are not the label.
    flips
        How many statements and negations got different answers, which APES calls robust, even
        where both are wrong.
    pairs
        How many statements have an answer to their negation.
    """

    positive: float
    negated: float
    overall: float
    rows: tuple[int, int, int]
    wrong: tuple[int, int, int]
    flips: int
    pairs: int


def paper_bias(rows: pl.DataFrame) -> PaperBias | None:
    """Count the answers that are not the label, one row an answer, unreadable ones among them.

    Parameters
    ----------
    rows
        Of one set: `pair`, `side`, `group`, `context`, `form`, `choice`, `label`.

    Returns
    -------
    PaperBias or None
        `None` unless there are statements and negations.
    """
    wrong = (pl.col("choice") != pl.col("label")).fill_null(value=True)
    counts = rows.group_by("side").agg(pl.len().alias("n"), wrong.sum().alias("wrong"))
    found = {side: (n, bad) for side, n, bad in counts.iter_rows()}
    if set(found) != {"positive", "negated"}:
        return None
    (n1, bad1), (n2, bad2) = found["positive"], found["negated"]
    keys = ["pair", "group", "context", "form"]
    sides = [
        rows.filter(pl.col("side") == side).with_columns(
            pl.int_range(pl.len()).over(keys).alias("place")
        )
        for side in ("positive", "negated")
    ]
    both = sides[0].join(sides[1], on=[*keys, "place"], suffix="_negated")
    flips = both.filter(pl.col("choice").ne_missing(pl.col("choice_negated"))).height
    return PaperBias(
        bad1 / n1,
        bad2 / n2,
        (bad1 + bad2) / (n1 + n2),
        (n1, n2, n1 + n2),
        (bad1, bad2, bad1 + bad2),
        flips,
        both.height,
    )


def buckets(rows: pl.DataFrame) -> pl.DataFrame:
    """Sort answers into fifty quantiles of confidence, as APES's plot of bias does.

    Returns
    -------
    polars.DataFrame
        `axis`, `part` (positive or negated), `correct`, `bucket`, `confidence` (mean), `n`; for
        answers whose confidence is known.
    """
    known = rows.filter(pl.col("confidence").is_not_null() & pl.col("choice").is_not_null())
    rank = (pl.col("confidence").rank("ordinal").over("axis") - 1) * BUCKETS
    return (
        known.with_columns(
            (rank // pl.len().over("axis")).cast(pl.Int64).alias("bucket"),
            (pl.col("choice") == pl.col("label")).alias("correct"),
            pl.col("side").alias("part"),
        )
        .group_by("axis", "part", "correct", "bucket", maintain_order=True)
        .agg(pl.col("confidence").mean(), pl.len().cast(pl.Int64).alias("n"))
        .sort("axis", "part", "correct", "bucket")
    )
