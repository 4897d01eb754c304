"""Pairs that the user has already: one record an article, with what a model wrote.

Columns `id`, `title`, `reference`, `generated`; optional `model` and `condition`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from slant.errors import InputError
from slant.studies.user_file import read_user_table

if TYPE_CHECKING:
    from slant.studies.user_file import Source


def read_pairs(source: Source) -> pl.DataFrame:
    """Read pairs as `NewsStudy.analyse` takes them.

    An empty `generated` becomes an unparseable answer, an empty `reference` an error: both are
    counted, and lose nothing but themselves.

    Raises
    ------
    InputError
        A column is missing, or an id stands twice for the same model and condition.
    """
    file = source if isinstance(source, Path) else None
    optional: dict[str, pl.DataType] = {
        name: pl.String() for name in ("title", "model", "condition")
    }
    table = read_user_table(source, ["id"], ["reference", "generated"], optional)
    table = table.with_columns(
        pl.col("model").fill_null(file.stem if file else "table"),
        pl.col("condition").fill_null("neutral"),
        pl.col("title").fill_null(""),
    )
    twice = table.filter(~pl.struct("model", "condition", "id").is_first_distinct())
    if not twice.is_empty():
        row = twice.row(0, named=True)
        raise InputError(
            f"the id {row['id']!r} is there twice for model {row['model']!r} and condition "
            f"{row['condition']!r}: {twice.height} records have an id that was there before",
            file=file,
        )
    has = {name: pl.col(name).fill_null("").str.strip_chars() != ""
           for name in ("reference", "generated")}  # fmt: skip
    outcome = (
        pl.when(~has["reference"])
        .then(pl.lit("error"))
        .when(~has["generated"])
        .then(pl.lit("unparseable"))
        .otherwise(pl.lit("answered"))
    )
    reason = pl.when(~has["reference"]).then(pl.lit("there is no reference"))
    return table.select(
        "model",
        pl.lit("news").alias("axis"),
        pl.lit("").alias("group"),
        "condition",
        pl.struct("id", "title", "reference").struct.json_encode().alias("slots"),
        pl.col("title").alias("prompt"),
        outcome.alias("outcome"),
        pl.col("generated").alias("text"),
        reason.alias("reason"),
        pl.lit(None, pl.List(pl.Float64)).alias("logprobs"),
        pl.int_range(pl.len(), dtype=pl.Int64).alias("position"),
        pl.int_range(pl.len()).cast(pl.String).alias("item"),
        pl.lit(0, pl.Int64).alias("sample"),
    )
