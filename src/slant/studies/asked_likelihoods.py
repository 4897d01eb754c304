"""Questions about likelihoods that a study asks beside its own, as a table."""

from __future__ import annotations

import polars as pl


def asked_likelihoods(answers: pl.LazyFrame, *slots: str) -> pl.DataFrame:
    """Read these slots of every question, and the log-probability of its text: `logprob`."""
    return answers.select(
        "part", "axis", "group", "condition", "outcome",
        pl.col("slots").str.json_decode(pl.Struct(dict.fromkeys(slots, pl.String))),
        pl.when(pl.col("logprobs").list.len() > 0).then(pl.col("logprobs").list.sum())
        .alias("logprob"),
    ).unnest("slots").collect()  # fmt: skip
