"""Tables that users bring, read row by row: JSON Lines, CSV, TSV or Parquet.

Every complaint names the file and the line (in Parquet, the row). Values are taken as they stand:
in CSV "5.10" stays "5.10", "None" is a word, and an empty cell is no value.
"""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any, TypeAlias

from slant import limits
from slant.errors import InputError
from slant.parquet_size import unpacked_bytes
from slant.regular_file import check_regular

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Row: TypeAlias = dict[str, Any]

_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # the last are wide forms
_CONTROLS = ("\t", "\r", "\n")

ENDINGS = (".jsonl", ".ndjson", ".csv", ".tsv", ".parquet")
"""How the names of tables end."""

_AT_ONCE = 1 << 20
"""Bytes of lines that are read at a time, and held."""

_FORMATS = ".jsonl, .csv, .tsv or .parquet"


def read_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """Read the rows of a table, each with its line, one at a time.

    Raises
    ------
    InputError
        The file is missing, of an unknown kind, not UTF-8, malformed, or larger than
        `slant.limits` allows.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"expected a file ending in {_FORMATS}", file=path)
    check_regular(path)
    try:
        for count, numbered in enumerate(reader(path), start=1):
            _check_rows(count, path)
            yield numbered
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror}", file=path) from error


def _check_rows(count: int, path: Path) -> None:
    if count > limits.TABLE_ROWS:
        raise InputError(f"the table has more than {limits.TABLE_ROWS:,} rows: split it", file=path)


def whole_characters(text: str) -> str:
    """Replace half characters (lone surrogates), which JSON can spell and no table can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def plain_cell(text: str) -> str:
    """Put an apostrophe before what a spreadsheet would take for a formula, and run."""
    return f"'{text}" if text.lstrip().startswith(_FORMULA) or text[:1] in _CONTROLS else text


def _lines(path: Path) -> Iterator[str]:
    for number, raw in enumerate(_raw_lines(path), start=1):
        if len(raw) > limits.LINE_BYTES:
            raise InputError(
                f"the line is longer than {limits.LINE_BYTES:,} bytes", file=path, line=number
            )
        try:
            yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"byte 0x{raw[error.start]:02x} is not UTF-8: save the file "
                "with the encoding UTF-8",
                file=path,
                line=number,
            ) from error


def _raw_lines(path: Path) -> Iterator[bytes]:
    """Read lines some at a time: between them no file is open that a reader could leave open."""
    start = 0
    while some := _from(path, start):
        yield from some
        start += sum(map(len, some))


def _from(path: Path, start: int) -> list[bytes]:
    some: list[bytes] = []
    size = 0
    with path.open("rb") as file:
        file.seek(start)
        while size < _AT_ONCE and (raw := file.readline(limits.LINE_BYTES + 1)):
            some.append(raw)
            size += len(raw)
    return some


def _json_lines(path: Path) -> Iterator[tuple[int, Row]]:
    for line, text in enumerate(_lines(path), start=1):
        if not text.strip():
            continue
        try:
            row = json.loads(text, object_pairs_hook=_without_doubles)
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"this is not JSON ({error}): expected one JSON object a line",
                file=path,
                line=line,
            ) from error
        if not isinstance(row, dict):
            raise InputError(
                f"expected a JSON object such as {{'group': …, 'text': …}}, found {text:.60}",
                file=path,
                line=line,
            )
        yield line, row


def _without_doubles(pairs: list[tuple[str, Any]]) -> Row:
    """Make an object, unless a key stands in it twice: one of the two would be lost silently."""
    row = dict(pairs)
    if len(row) < len(pairs):
        raise ValueError(f"the key {_first_double([key for key, _ in pairs])!r} is there twice")
    return row


def _first_double(names: list[str]) -> str | None:
    return next((name for place, name in enumerate(names) if name in names[:place]), None)


def _separated(path: Path, separator: str) -> Iterator[tuple[int, Row]]:
    csv.field_size_limit(limits.CELL_CHARACTERS)  # 131,072 is less than a model may say
    reader = csv.reader(_lines(path), strict=True, delimiter=separator)
    header: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            if header is None:
                header = cells
                if twice := _first_double([name for name in header if name]):
                    raise InputError(
                        f"the column {twice!r} is there twice: rename or remove one",
                        file=path,
                        line=line,
                    )
            elif cells:
                if len(cells) != len(header):
                    raise InputError(
                        f"{len(cells)} cells, expected {len(header)} as in the header: put cells "
                        "that hold separators or quotes in quotes",
                        file=path,
                        line=line,
                    )
                yield line, {name: cell or None for name, cell in zip(header, cells, strict=True)}
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"this is not CSV: {error}", file=path, line=line) from error


def _csv(path: Path) -> Iterator[tuple[int, Row]]:
    return _separated(path, ",")


def _tsv(path: Path) -> Iterator[tuple[int, Row]]:
    return _separated(path, "\t")


def _parquet(path: Path) -> Iterator[tuple[int, Row]]:
    import polars as pl

    unpacked = unpacked_bytes(path)
    if unpacked > limits.PARQUET_BYTES:
        raise InputError(
            f"the table takes {unpacked:,} bytes when it is unpacked, more than the "
            f"{limits.PARQUET_BYTES:,} that slant reads: split it",
            file=path,
        )
    try:
        _check_rows(pl.scan_parquet(path).select(pl.len()).collect().item(), path)
        batches = pl.scan_parquet(path).collect_batches(chunk_size=10_000, maintain_order=True)
        line = 0
        size = 0
        for batch in batches:
            # A word that stands once in a dictionary may be the cell of every row.
            text = batch.select(pl.col(pl.String).str.len_bytes().sum())
            size += sum(text.row(0)) if text.width else 0
            if size > limits.PARQUET_BYTES:
                raise InputError(
                    f"the texts take more than the {limits.PARQUET_BYTES:,} bytes that slant "
                    "reads: split the table",
                    file=path,
                )
            for row in batch.iter_rows(named=True):
                line += 1
                yield line, row
    except pl.exceptions.PolarsError as error:
        raise InputError(f"this is not a Parquet file: {error}", file=path) from error


_READERS: dict[str, Callable[[Path], Iterator[tuple[int, Row]]]] = dict(
    zip(ENDINGS, (_json_lines, _json_lines, _csv, _tsv, _parquet), strict=True)
)
