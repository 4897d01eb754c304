"""Reading the files that users bring: JSONL, CSV or Parquet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import polars as pl

from slant.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


def read_user_file(
    file: Path,
    filled: Sequence[str],
    required: Sequence[str],
    optional: Mapping[str, pl.DataType],
) -> pl.DataFrame:
    """Read the columns a study needs.

    Values are taken as they stand: "5.10" stays "5.10", and "None" is a word.

    Parameters
    ----------
    file
        `.jsonl` (or `.ndjson`), `.csv` (or `.tsv`), `.parquet`.
    filled
        Text columns that must be there and have a value in every record.
    required
        Text columns that must be there; a record may leave them out.
    optional
        Columns that may be there, with their types; missing ones become null.

    Raises
    ------
    InputError
        The file is missing, empty, of an unknown kind, not UTF-8, malformed, or lacks a column.
    """
    if not file.is_file():
        raise InputError("there is no such file: check the path", file=file)
    columns = [*filled, *required]
    if file.stat().st_size == 0:
        raise InputError(f"the file is empty: {_expected(columns)}", file=file)
    kind = file.suffix.lower()
    if kind in (".jsonl", ".ndjson"):
        table = _read_jsonl(file)
    elif kind in (".csv", ".tsv"):
        table = _read_csv(file, "\t" if kind == ".tsv" else ",")
    elif kind == ".parquet":
        table = _read_parquet(file)
    else:
        raise InputError(
            f"{kind or 'a file without an ending'} is no kind of file that can be measured: "
            "give .jsonl, .csv, .tsv or .parquet",
            file=file,
        )
    if table.is_empty():
        raise InputError(f"the file holds no records: {_expected(columns)}", file=file)
    table = _columns(table, file, [*filled, *required], optional)
    for name in filled:
        empty = table[name].is_null() | (table[name].str.strip_chars() == "")
        if empty.any():
            record = int(empty.arg_max() or 0) + 1
            raise InputError(f"record {record} has no {name!r}: every record needs one", file=file)
    return table


def _expected(required: Sequence[str]) -> str:
    return f"expected records with {', '.join(required)}"


def _columns(
    table: pl.DataFrame,
    file: Path,
    required: Sequence[str],
    optional: Mapping[str, pl.DataType],
) -> pl.DataFrame:
    lacking = [name for name in required if name not in table.columns]
    if lacking:
        raise InputError(
            f"there is no column {' or '.join(map(repr, lacking))}: found "
            f"{', '.join(table.columns)}; {_expected(required)}",
            file=file,
        )
    picked = [pl.col(name).cast(pl.String) for name in required]
    for name, kind in optional.items():
        if name in table.columns:
            picked.append(pl.col(name).cast(kind))
        else:
            picked.append(pl.lit(None, dtype=kind).alias(name))
    try:
        return table.select(picked)
    except pl.exceptions.PolarsError as error:
        raise InputError(f"a column is not of its kind: {_first_line(error)}", file=file) from error


def _read_jsonl(file: Path) -> pl.DataFrame:
    records = []
    with file.open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            if not raw.strip():
                continue
            records.append(_record(_decoded(raw, file, number), file, number))
    return pl.DataFrame(records, infer_schema_length=None, strict=False)


def _record(line: str, file: Path, number: int) -> dict[str, object]:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(
            f"this is not JSON: {error.msg} at character {error.colno}; expected one object a line",
            file=file,
            line=number,
        ) from error
    if not isinstance(record, dict):
        raise InputError("expected one JSON object a line", file=file, line=number)
    # JSON can hold lone surrogates, which no table can.
    return {
        key: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for key, value in record.items()
    }


def _decoded(raw: bytes, file: Path, number: int) -> str:
    try:
        return raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte 0x{raw[error.start]:02x} is not UTF-8: save the file with the encoding UTF-8",
            file=file,
            line=number,
        ) from error


def _read_csv(file: Path, separator: str) -> pl.DataFrame:
    with file.open("rb") as lines:
        for number, raw in enumerate(lines, 1):
            _decoded(raw, file, number)
    try:
        return pl.read_csv(file, separator=separator, infer_schema=False)
    except pl.exceptions.PolarsError as error:
        raise InputError(
            f"this is not a table of comma-separated values: {_first_line(error)}", file=file
        ) from error


def _read_parquet(file: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(file)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise InputError(f"this is not a Parquet file: {_first_line(error)}", file=file) from error


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
