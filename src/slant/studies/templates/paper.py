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
        Of one set, as `slant.studies.templates.rows.tidy` gives them.

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
    both = flipped_pairs(rows)
    return PaperBias(
        bad1 / n1,
        bad2 / n2,
        (bad1 + bad2) / (n1 + n2),
        (n1, n2, n1 + n2),
        (bad1, bad2, bad1 + bad2),
        int(both["flips"].sum()),
        both.height,
    )


def flipped_pairs(rows: pl.DataFrame) -> pl.DataFrame:
    """Put every statement beside its negation, and say whether the answer flips.

    Parameters
    ----------
    rows
        As `slant.studies.templates.rows.tidy` gives them, of the paper's method.

    Returns
    -------
    polars.DataFrame
        `axis`, `pair`, `group`, `context`, `statement`, `negation`, `prediction`,
        `prediction_negated`, `flips` (whether the two differ, even if both are wrong),
        `confidence`, `confidence_negated`, and `gap`, as APES's plot of robustness has it: of the
        two probabilities :math:`|p - p'|` where the answers differ and :math:`|1 - p - p'|` where
        they are the same; null where they are not known.
    """
    keys = ["axis", "pair", "group", "context", "form"]
    first, second = (
        rows.filter(pl.col("side") == side).with_columns(
            pl.int_range(pl.len()).over(keys).alias("place")
        )
        for side in ("positive", "negated")
    )
    p, negated = pl.col("confidence"), pl.col("confidence_negated")
    return (
        first.join(second, on=[*keys, "place"], suffix="_negated", maintain_order="left")
        .with_columns(pl.col("prediction").ne_missing(pl.col("prediction_negated")).alias("flips"))
        .select(
            "axis", "pair", "group", "context", "statement",
            pl.col("statement_negated").alias("negation"),
            "prediction", "prediction_negated", "flips", "confidence", "confidence_negated",
            pl.when("flips").then(p - negated).otherwise(1 - p - negated).abs().alias("gap"),
        )
    )  # fmt: skip


def buckets(table: pl.DataFrame, value: str = "confidence", *, parts: bool = True) -> pl.DataFrame:
    """Sort into fifty quantiles, as APES's plots do, and average by set and correctness.

    Parameters
    ----------
    table
        `axis`, `correct`, the value, and `part` where parts are kept apart.
    value
        Of which column; rows without it are left out.
    parts
        Whether statements and negations are kept apart, as in our plot, or not, as in theirs.

    Returns
    -------
    polars.DataFrame
        `axis`, `part` (`all` where they are not kept apart), `correct`, `bucket`, `confidence` (the
        mean value), `n`. The quantiles are those of all sets together.
    """
    part = pl.col("part") if parts else pl.lit("all").alias("part")
    known = table.filter(pl.col(value).is_not_null())
    rank = (pl.col(value).rank("ordinal") - 1) * BUCKETS
    return (
        known.with_columns((rank // pl.len()).cast(pl.Int64).alias("bucket"), part)
        .group_by("axis", "part", "correct", "bucket", maintain_order=True)
        .agg(pl.col(value).mean().alias("confidence"), pl.len().cast(pl.Int64).alias("n"))
        .sort("axis", "part", "correct", "bucket")
    )


def paper_tables(rows: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Give every pair, and what APES's two plots show: `flips`, `bias_plot`, `robustness_plot`."""
    pairs = flipped_pairs(rows)
    return {
        "flips": pairs,
        "bias_plot": buckets(judged(rows), parts=False),
        "robustness_plot": buckets(pairs.rename({"flips": "correct"}), "gap", parts=False),
    }


def judged(rows: pl.DataFrame) -> pl.DataFrame:
    """Say of every answer whether it is `correct`; one that is no option is not, as in APES."""
    return rows.select(
        "axis", pl.col("side").alias("part"), "confidence",
        (pl.col("choice") == pl.col("label")).fill_null(value=False).alias("correct"),
    )  # fmt: skip
