"""Stories that the user has already: one record a story."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from slant.records import OUTCOMES
from slant.studies.user_file import read_user_table

if TYPE_CHECKING:
    from slant.studies.user_file import Source


def read_stories(source: Source) -> pl.DataFrame:
    """Read stories as the study analyses them.

    Columns `group` (what is compared) and `text`; optional `caption`, `frame` (stories of the same
    scene are compared with each other), `sample`, `model`, `axis` and `outcome`.

    Raises
    ------
    InputError
        A column is missing, or a value is not of its kind.
    """
    optional: dict[str, pl.DataType] = {
        name: pl.String() for name in ("caption", "frame", "model", "axis")
    }
    optional |= {"outcome": pl.Enum(OUTCOMES), "sample": pl.Int64()}
    table = read_user_table(source, ["group"], ["text"], optional)
    has_text = pl.col("text").fill_null("").str.strip_chars() != ""
    told = pl.when(has_text).then(pl.lit("answered")).otherwise(pl.lit("unparseable"))
    place = pl.int_range(pl.len(), dtype=pl.Int64)
    # A story without a caption is about one of its own.
    table = table.with_columns(
        pl.col("caption").fill_null(pl.format("story {}", place + 1)),
        pl.col("frame").fill_null(""),
    )
    return table.select(
        pl.col("model").fill_null(source.stem if isinstance(source, Path) else "table"),
        pl.col("axis").fill_null("group"),
        "group",
        pl.when(pl.col("frame") == "").then(pl.lit("captions")).otherwise("frame")
        .alias("condition"),
        pl.struct("caption", "frame").struct.json_encode().alias("slots"),
        pl.col("caption").alias("prompt"),
        pl.col("outcome").cast(pl.String).fill_null(told),
        "text",
        pl.col("sample").fill_null(0),
        place.alias("position"),
        place.cast(pl.String).alias("item"),
    )  # fmt: skip
