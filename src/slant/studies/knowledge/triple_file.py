"""Triples that the user has already, one a record.

Columns `subject`, `predicate`, `object`; optional `class`, `model`, `lineage`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from slant.studies.knowledge.rows import FILE
from slant.studies.knowledge.spellings import merge_spellings
from slant.studies.user_file import read_user_table

if TYPE_CHECKING:
    from slant.studies.user_file import Source

NO_CLASS = "subjects"
"""Class of triples that name none."""


def read_triples(source: Source) -> pl.DataFrame:
    """Read triples as `KnowledgeStudy.analyse` takes them.

    White space inside of a part, tabs and line breaks too, becomes a single space; mark-up stays
    what it is. A subject in two spellings is merged within its class, under the more frequent one.

    Raises
    ------
    InputError
        A column is missing, or a subject is empty.
    """
    file = source if isinstance(source, Path) else None
    optional: dict[str, pl.DataType] = {name: pl.String() for name in ("class", "model", "lineage")}
    table = read_user_table(source, ["subject"], ["predicate", "object"], optional)
    table = table.with_columns(
        pl.col("subject", "predicate", "object", "class")
        .fill_null("")
        .str.replace_all(r"\s+", " ")
        .str.strip_chars(),
        pl.col("model").fill_null(file.stem if file else "table"),
        pl.col("lineage").fill_null(""),
    ).with_columns(
        pl.when(pl.col("class") == "").then(pl.lit(NO_CLASS)).otherwise(pl.col("class"))
        .alias("class")
    )  # fmt: skip
    merged = {
        (people, spelling): kept
        for (people,), part in table.group_by("class", maintain_order=True)
        for spelling, kept in merge_spellings(part["subject"]).items()
    }
    names = [merged[pair] for pair in zip(table["class"], table["subject"], strict=True)]
    whole = (pl.col("predicate") != "") & (pl.col("object") != "")
    return table.with_columns(pl.Series("group", names, dtype=pl.String)).select(
        "model",
        pl.col("class").alias("axis"),
        "group",
        pl.lit("").alias("condition"),
        pl.struct(
            pl.lit(FILE).alias("phase"), "predicate", "object", "lineage",
            pl.col("subject").alias("spelling"),
        ).struct.json_encode().alias("slots"),
        pl.lit("").alias("prompt"),
        pl.when(whole).then(pl.lit("answered")).otherwise(pl.lit("unparseable")).alias("outcome"),
        (pl.col("predicate") + " " + pl.col("object")).alias("text"),
        pl.lit(None, pl.String).alias("reason"),
        pl.lit(None, pl.List(pl.Float64)).alias("logprobs"),
        pl.int_range(pl.len(), dtype=pl.Int64).alias("position"),
        pl.int_range(pl.len()).cast(pl.String).alias("item"),
        pl.lit(0, pl.Int64).alias("sample"),
    )  # fmt: skip
