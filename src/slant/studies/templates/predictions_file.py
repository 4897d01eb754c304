"""Stored predictions: APES's CSV, or records of one's own.

APES's columns are read as they are: `template_id`, `param_1_name`, `param_1_class` …, `prompt`,
`label`, `prediction`, `confidence`; the second half of the rows denies the first, row by row.
Records of one's own have `pair`, `group`, `label` and `prediction` (or `p_yes`), and if wanted
`axis`, `side` (positive or negated), `context`, `statement`, `confidence`, `model`.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from slant.errors import InputError
from slant.studies.user_file import read_user_table

if TYPE_CHECKING:
    from slant.studies.user_file import Source

_SIDES = ("positive", "negated")
_PARAMETERS = 9
_OWN = ("group", "pair", "side", "axis", "context", "statement", "model", "prediction")
APES = ("template_id", *(f"param_{k}_{what}" for what in ("name", "class")
                         for k in range(1, _PARAMETERS + 1)), "prompt")  # fmt: skip
"""APES's columns, in its order; its own files have three parameters."""
_LEAST = 1e-12


def read_predictions(source: Source) -> pl.DataFrame:
    """Read stored predictions as `TemplatesStudy.analyse` takes them.

    A prediction counts as the text of an answer, `p_yes` as a log-probability.

    Raises
    ------
    InputError
        Columns are missing, a label is neither Yes nor No, or the halves of an APES file do not
        belong together.
    """
    file = source if isinstance(source, Path) else None
    optional: dict[str, pl.DataType] = {name: pl.String() for name in (*_OWN, *APES)}
    optional |= {"confidence": pl.Float64(), "p_yes": pl.Float64()}
    table = read_user_table(source, ["label"], [], optional)
    table = _with_labels(table, file)
    for name in ("confidence", "p_yes"):
        out = table.filter((pl.col(name) < 0) | (pl.col(name) > 1))
        if not out.is_empty():
            raise InputError(f"{name} {out[name][0]:g} lies outside of [0, 1]", file=file)
    known = table["template_id"].null_count() < table.height
    table = _from_apes(table, file) if known else _from_own(table, file)
    return _as_answers(table, file)


def read_examples(file: Path) -> pl.DataFrame:
    """Read APES's examples, which have no predictions yet.

    Returns
    -------
    polars.DataFrame
        In the order of the file: its columns, and `axis`, `pair`, `side`, `group`, `context`,
        `statement` as for predictions.

    Raises
    ------
    InputError
        Columns are missing, a label is neither Yes nor No, or the halves of the file do not belong
        together.
    """
    required = ["template_id", "param_1_name", "prompt", "label"]
    table = read_user_table(file, required, [], {name: pl.String() for name in APES})
    return _from_apes(_with_labels(table, file), file)


def _with_labels(table: pl.DataFrame, file: Path | None) -> pl.DataFrame:
    """Write labels alike, Yes and No."""
    table = table.with_columns(pl.col("label").str.strip_chars().str.to_titlecase())
    wrong = table.with_row_index("record", 1).filter(~pl.col("label").is_in(["Yes", "No"]))
    if not wrong.is_empty():
        raise InputError(
            f"record {wrong['record'][0]}: the label {wrong['label'][0]!r} is neither Yes nor No",
            file=file,
        )
    return table


def _from_apes(table: pl.DataFrame, file: Path | None) -> pl.DataFrame:
    """Find pairs by position, groups in the first parameter and the set in the templates' ids."""
    for name in ("template_id", "prompt", "param_1_name"):
        if table[name].null_count():
            raise InputError(
                f"{name!r} is empty in {table[name].null_count()} of {table.height} rows: APES's "
                "predictions have it in every row",
                file=file,
            )
    half, odd = divmod(table.height, 2)
    first, second = table.head(half), table.tail(half)
    names = [f"param_{k}_name" for k in range(1, _PARAMETERS + 1)]
    labels_flip = (first["label"] != second["label"]).all()
    same = first.select(names).equals(second.select(names))
    if odd or not labels_flip or not same:
        raise InputError(
            "the second half of the rows does not deny the first row by row (same parameters, "
            "opposite labels), as APES's predictions do: give the file as it was written, or a "
            "file with the columns pair and side",
            file=file,
        )
    context = pl.concat_str([pl.col(name) for name in names[1:]], separator=" · ",
                            ignore_nulls=True)  # fmt: skip
    axis = re.sub(r"\d+$", "", table["template_id"][0]).strip("_-. ") or "templates"
    return table.with_columns(
        pl.lit(axis).alias("axis"),
        pl.concat([first["template_id"], first["template_id"]]).alias("pair"),
        pl.Series("side", [side for side in _SIDES for _ in range(half)]),
        pl.col("param_1_name").alias("group"),
        context.alias("context"),
        pl.col("prompt").str.strip_suffix(" Yes or No?").alias("statement"),
    )


def _from_own(table: pl.DataFrame, file: Path | None) -> pl.DataFrame:
    for name in ("pair", "group"):
        if table[name].null_count():
            raise InputError(
                f"there are records without {name!r}: expected pair, group, label and prediction "
                "or p_yes (or the columns of APES: template_id, param_1_name …)",
                file=file,
            )
    if table.select(pl.all_horizontal(pl.col("prediction", "p_yes").is_null()).all()).item():
        raise InputError("there is neither a column prediction nor p_yes", file=file)
    table = table.with_columns(
        pl.col("side").fill_null("positive"),
        pl.col("axis").fill_null("templates"),
        pl.col("context", "statement").fill_null(""),
        pl.col("pair").alias("template_id"),
    )
    wrong = table.filter(~pl.col("side").is_in(_SIDES))
    if not wrong.is_empty():
        raise InputError(
            f"side {wrong['side'][0]!r} is unknown: write positive or negated", file=file
        )
    mixed = table.group_by("axis", "pair", "side").agg(pl.col("label").n_unique().alias("n"))
    if (unclear := mixed.filter(pl.col("n") > 1)).height:
        raise InputError(
            f"pair {unclear['pair'][0]!r}: the {unclear['side'][0]} statement has both labels; a "
            "label must not depend on the group",
            file=file,
        )
    return table


def _as_answers(table: pl.DataFrame, file: Path | None) -> pl.DataFrame:
    yes = pl.col("label") == "Yes"
    likely = pl.col("p_yes").is_not_null()
    slots = pl.struct(
        "pair",
        "side",
        "context",
        "statement",
        pl.when(yes).then(pl.lit("0")).otherwise(pl.lit("1")).alias("label"),
        pl.when(yes).then(pl.lit("1")).otherwise(pl.lit("0")).alias("contrary"),
        pl.lit('["Yes", "No"]').alias("options"),
        pl.lit("0").alias("form"),
        pl.col("confidence").cast(pl.String),
    )
    logprobs = [
        None if p is None else [math.log(max(p, _LEAST)), math.log(max(1 - p, _LEAST))]
        for p in table["p_yes"]
    ]
    said = likely | (pl.col("prediction").fill_null("").str.strip_chars() != "")
    return table.select(
        pl.col("model").fill_null(file.stem if file else "table"),
        "axis",
        "group",
        pl.col("template_id").alias("condition"),
        slots.struct.json_encode().alias("slots"),
        pl.coalesce("prompt", "statement").alias("prompt"),
        pl.when(said).then(pl.lit("answered")).otherwise(pl.lit("unparseable")).alias("outcome"),
        pl.col("prediction").alias("text"),
        pl.Series("logprobs", logprobs, dtype=pl.List(pl.Float64)),
        pl.int_range(pl.len(), dtype=pl.Int64).alias("position"),
        pl.int_range(pl.len()).cast(pl.String).alias("item"),
        pl.lit(0, pl.Int64).alias("sample"),
    )
