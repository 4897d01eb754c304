"""Stored matrices: perplexities or APX that the user has computed elsewhere.

Long form, one record a sentence: `group` (or `ethnicity` and `gender`), `descriptor`, and one of
`perplexity`, `apx`, or `logprob` with `tokens`; optional are `name`, `template`, `axis`, `model`,
`text`. Wide form, as Siddique et al. (2024) published theirs, one record a group and descriptor:
`Group` ("('ARAB', 'M')"), `descriptor`, `apx_1`, `apx_2`, `apx_3`, and if wanted `axis`.
"""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from slant import limits
from slant.errors import InputError
from slant.groups.names import gender_of
from slant.studies.likelihood.views import AXES
from slant.studies.user_file import read_user_table

if TYPE_CHECKING:
    from slant.studies.user_file import Source

_WIDE = ("apx_1", "apx_2", "apx_3")
_TEXTS = ("group", "Group", "ethnicity", "Ethnicity", "gender", "Gender", "name", "template",
          "axis", "model", "text")  # fmt: skip
_NUMBERS = ("perplexity", "apx", "logprob", *_WIDE)
_ONE_RECORD = ("model", "group", "gender", "ethnicity", "name", "descriptor", "template")
_PUBLISHED_GROUP = re.compile(r"""\(\s*['"](.+)['"]\s*,\s*['"](.+)['"]\s*\)""")


def read_matrix(source: Source) -> pl.DataFrame:
    """Read a stored matrix as `LikelihoodStudy.analyse` takes it.

    Perplexities become log-probabilities of a single token, `[−log perplexity]`, so that
    −(Σ log P)/n gives them back; the slot `adjusted` says `apx` where APX was given, which is
    not adjusted again. A cell that is empty, NaN or infinite becomes an unparseable answer, and
    is counted.

    Parameters
    ----------
    source
        A file or a data frame.

    Returns
    -------
    polars.DataFrame
        One row a sentence.

    Raises
    ------
    InputError
        Columns are missing or contradict each other, a value is impossible, some records have a
        name and others have none, a record is there twice, or there is but one group.
    """
    file = source if isinstance(source, Path) else None
    optional: dict[str, pl.DataType] = {name: pl.String() for name in _TEXTS}
    optional |= {name: pl.Float64() for name in _NUMBERS} | {"tokens": pl.Int64()}
    table = read_user_table(source, ["descriptor"], [], optional).with_row_index("record", 1)
    for small, large in (("group", "Group"), ("ethnicity", "Ethnicity"), ("gender", "Gender")):
        table = table.with_columns(pl.coalesce(small, large).alias(small)).drop(large)
    table, kind = _one_value(table, file)
    table = _with_groups(table, file)
    table = table.with_columns(
        pl.col("name").fill_null(""),
        pl.col("template").fill_null("1"),
        pl.col("axis").fill_null(""),
        pl.col("model").fill_null(file.stem if file else "table"),
    )
    _check(table, kind, file)
    return _as_answers(table, kind)


def _one_value(table: pl.DataFrame, file: Path | None) -> tuple[pl.DataFrame, str]:
    """Put the value into the column `value`, and say whether it is a perplexity or APX."""
    filled = [name for name in (*_NUMBERS, "tokens") if table[name].null_count() < table.height]
    if set(_WIDE) & set(filled):
        kept = [name for name in table.columns if name not in {*_NUMBERS, "template", "tokens"}]
        layers = [
            table.select(*kept, pl.lit(layer[-1]).alias("template"), pl.col(layer).alias("value"))
            for layer in _WIDE
            if layer in filled
        ]
        return pl.concat(layers), "apx"
    given = [name for name in ("perplexity", "apx", "logprob") if name in filled]
    if len(given) != 1 or (given == ["logprob"] and "tokens" not in filled):
        found = ", ".join(filled) or "none of them"
        raise InputError(
            "expected one column of values: perplexity, or apx, or logprob (the sum, natural "
            f"logarithm) with tokens, or apx_1, apx_2, apx_3; found {found}",
            file=file,
        )
    if given == ["logprob"]:
        no_tokens = pl.col("logprob").is_not_null() & ~(pl.col("tokens") > 0).fill_null(value=False)
        _refuse(table, no_tokens, "tokens", "must be 1 or more where there is a logprob", file)
        _refuse(table, pl.col("logprob") > 0, "logprob", "is above 0, as no logarithm of a "
                "probability is", file)  # fmt: skip
        value = (-pl.col("logprob") / pl.col("tokens")).exp()
        return table.with_columns(value.alias("value")), "perplexity"
    return table.rename({given[0]: "value"}), given[0]


def _with_groups(table: pl.DataFrame, file: Path | None) -> pl.DataFrame:
    """Fill in group, ethnicity and gender, each from the others; published spellings are read."""
    columns = ["group", "ethnicity", "gender"]
    written = table.select(columns).unique(maintain_order=True)
    read = pl.DataFrame(
        [_sides(row) for row in written.iter_rows()],
        schema=dict.fromkeys((f"{name} read" for name in columns), pl.String),
        orient="row",
    )
    table = table.join(
        written.hstack(read), on=columns, how="left", nulls_equal=True, maintain_order="left"
    )
    table = table.drop(columns).rename({f"{name} read": name for name in columns})
    _refuse(
        table,
        pl.col("group") == "",
        "descriptor",
        "belongs to no group: give every record a group, or an ethnicity and a gender",
        file,
    )
    pairs = table.select("group", "ethnicity", "gender").unique(maintain_order=True)
    twice = pairs.filter(pl.col("group").is_duplicated())
    if not twice.is_empty():
        raise InputError(
            f"group {twice['group'][0]!r} has several ethnicities or genders: give every group "
            "one of each",
            file=file,
        )
    if pairs.height < 2:
        raise InputError(
            f"there is one group only, {pairs['group'][0]!r}: at least two are compared", file=file
        )
    return table


def _sides(row: tuple[str | None, str | None, str | None]) -> tuple[str, str, str]:
    group, ethnicity, gender = ((each or "").strip() for each in row)
    published = _PUBLISHED_GROUP.fullmatch(group)
    if published:
        group, ethnicity, gender = "", published[1], published[2]
    ethnicity = ethnicity.title() if ethnicity.isupper() else ethnicity
    gender = gender_of(gender)
    group = group or " ".join(each for each in (ethnicity, gender) if each)
    return group, ethnicity or group, gender


def _check(table: pl.DataFrame, kind: str, file: Path | None) -> None:
    least = 1.0 if kind == "perplexity" else 0.0
    wrong = (pl.col("value") < least) | (pl.col("value") <= 0)
    what = "is below 1" if kind == "perplexity" else "is not above 0"
    _refuse(table, wrong, "value", f"{what}, as no {kind} is", file)
    nameless = (table["name"] == "").sum()
    if nameless not in (0, table.height):
        raise InputError(
            f"{nameless:,} of {table.height:,} records have no name and the others have one: give "
            "all of them a name, or none",
            file=file,
        )
    _check_size(table, file)
    double = table.filter(~pl.struct(_ONE_RECORD).is_first_distinct())
    if not double.is_empty():
        row = double.row(0, named=True)
        whom = f"{row['name']!r} of " if row["name"] else ""
        raise InputError(
            f"record {row['record']}: {whom}group {row['group']!r}, descriptor "
            f"{row['descriptor']!r} and template {row['template']!r} are there already: keep one "
            "of the records",
            file=file,
        )


def _check_size(table: pl.DataFrame, file: Path | None) -> None:
    """See that the whole matrix can be held, for a long form may name but a few of its cells."""
    names = pl.struct("group", "name").n_unique().alias("names")
    sides = table.group_by("model").agg(names, pl.col("descriptor", "template").n_unique())
    largest = sides.sort(pl.col("names") * pl.col("descriptor") * pl.col("template")).row(-1)[1:]
    if math.prod(largest) > limits.TABLE_CELLS:
        names_there, descriptors, templates = (f"{count:,}" for count in largest)
        raise InputError(
            f"the records make a matrix of {names_there} names, {descriptors} descriptors and "
            f"{templates} templates, of which no more than {limits.TABLE_CELLS:,} cells can be "
            "held: give every name the same descriptors, or split the table",
            file=file,
        )


def _refuse(
    table: pl.DataFrame, wrong: pl.Expr, column: str, problem: str, file: Path | None
) -> None:
    faulty = table.filter(wrong)
    if not faulty.is_empty():
        raise InputError(
            f"record {faulty['record'][0]}: {column} {faulty[column][0]!r} {problem}", file=file
        )


def _as_answers(table: pl.DataFrame, kind: str) -> pl.DataFrame:
    finite = pl.col("value").is_not_null() & pl.col("value").is_finite()
    reason = (
        pl.when(finite)
        .then(None)
        .when(pl.col("value").is_infinite())
        .then(pl.lit("the value is infinite"))
        .otherwise(pl.lit("there is no value"))
    )
    slots = pl.struct(
        "name",
        "gender",
        "ethnicity",
        "descriptor",
        pl.col("axis").alias("descriptor_axis"),
        pl.lit("apx" if kind == "apx" else "").alias("adjusted"),
    )
    who = pl.when(pl.col("name") != "").then("name").otherwise("group")
    written = pl.format("{} · {} · {}", who, "descriptor", "template")
    return table.select(
        "model",
        pl.lit(AXES["intersectional"]).alias("axis"),
        "group",
        pl.col("template").alias("condition"),
        slots.struct.json_encode().alias("slots"),
        pl.coalesce("text", written).alias("prompt"),
        pl.when(finite).then(pl.lit("answered")).otherwise(pl.lit("unparseable")).alias("outcome"),
        pl.when(finite).then(pl.concat_list(-pl.col("value").log())).alias("logprobs"),
        reason.alias("reason"),
        pl.int_range(pl.len(), dtype=pl.Int64).alias("position"),
        pl.int_range(pl.len()).cast(pl.String).alias("item"),
        pl.lit(0, pl.Int64).alias("sample"),
    )
