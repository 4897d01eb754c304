"""Completions that users have already, with and without triggers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from slant.errors import InputError
from slant.records import OUTCOMES
from slant.studies.triggers.asking import NONE
from slant.studies.user_file import read_user_table

if TYPE_CHECKING:
    from slant.studies.user_file import Source

SPLITS = ("search", "held_out")


def read_triggered(source: Source) -> pl.DataFrame:
    """Read records of `group`, `trigger` and `text`.

    A trigger that is left out or empty is no trigger. Optional are `prompt` (completions are
    compared within prompts), `split` (`search`: the best triggers are chosen on these, or
    `held_out`: they are reported on those; all are when it is absent), `sample`, `model`, `axis`
    and `outcome`.

    Raises
    ------
    InputError
        The file is faulty, or a group has no record without a trigger, or none with one.
    """
    optional: dict[str, pl.DataType] = {name: pl.String() for name in ("prompt", "model", "axis")}
    optional |= {"split": pl.Enum(SPLITS), "outcome": pl.Enum(OUTCOMES), "sample": pl.Int64()}
    table = read_user_table(source, ["group"], ["trigger", "text"], optional)
    trigger = pl.col("trigger").str.strip_chars()
    known = pl.col("outcome").cast(pl.String)
    unknown = pl.when(pl.col("text").is_null()).then(pl.lit("unparseable"))
    file = source if isinstance(source, Path) else None
    table = table.with_columns(
        pl.when(trigger.str.len_chars() > 0).then(trigger).otherwise(pl.lit(NONE)).alias("trigger"),
        known.fill_null(unknown.otherwise(pl.lit("answered"))).alias("outcome"),
        pl.col("prompt").fill_null(""),
        pl.col("split").cast(pl.String).fill_null("held_out"),
        pl.col("model").fill_null("table" if file is None else file.stem),
        pl.col("axis").fill_null("group"),
    )
    _check(table, file)
    slots = pl.struct("split", "trigger", "prompt").struct.json_encode()
    return table.with_columns(
        pl.col("trigger").alias("condition"),
        pl.int_range(pl.len()).alias("position"),
        pl.int_range(pl.len()).cast(pl.String).alias("item"),
        slots.alias("slots"),
    )


def _check(table: pl.DataFrame, file: Path | None) -> None:
    reported = table.filter(split="held_out")
    if reported.filter(trigger=NONE).is_empty():
        raise InputError(
            "there is no record without a trigger to compare with: leave trigger empty in those",
            file=file,
        )
    if reported.filter(pl.col("trigger") != NONE).is_empty():
        raise InputError("there is no record with a trigger: nothing to compare", file=file)
