"""Tables that users bring, read row by row: JSON Lines, CSV, TSV or Parquet.

Every complaint names the file and the line (in Parquet, the row). Values are taken as they stand:
in CSV "5.10" stays "5.10", "None" is a word, and an empty cell is no value.
"""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any, TypeAlias

from slant.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Row: TypeAlias = dict[str, Any]

_FORMATS = ".jsonl, .csv, .tsv or .parquet"


def read_rows(path: Path) -> Iterator[tuple[int, Row]]:
    """Read the rows of a table, each with its line, one at a time.

    Raises
    ------
    InputError
        The file is missing, of an unknown kind, not UTF-8 or malformed.
    """
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise InputError(f"expected a file ending in {_FORMATS}", file=path)
    if not path.exists():
        raise InputError("there is no such file: check the path", file=path)
    try:
        yield from reader(path)
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror}", file=path) from error


def whole_characters(text: str) -> str:
    """Replace half characters (lone surrogates), which JSON can spell and no table can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _lines(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            try:
                yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise InputError(
                    f"byte 0x{raw[error.start]:02x} is not UTF-8: save the file with the "
                    "encoding UTF-8",
                    file=path,
                    line=number,
                ) from error


def _json_lines(path: Path) -> Iterator[tuple[int, Row]]:
    for line, text in enumerate(_lines(path), start=1):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
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


def _separated(path: Path, separator: str) -> Iterator[tuple[int, Row]]:
    reader = csv.reader(_lines(path), strict=True, delimiter=separator)
    header: list[str] | None = None
    line = 1
    try:
        for cells in reader:
            if header is None:
                header = cells
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

    try:
        batches = pl.scan_parquet(path).collect_batches(chunk_size=10_000, maintain_order=True)
        line = 0
        for batch in batches:
            for row in batch.iter_rows(named=True):
                line += 1
                yield line, row
    except pl.exceptions.PolarsError as error:
        raise InputError(f"this is not a Parquet file: {error}", file=path) from error


_READERS: dict[str, Callable[[Path], Iterator[tuple[int, Row]]]] = {
    ".jsonl": _json_lines,
    ".ndjson": _json_lines,
    ".csv": _csv,
    ".tsv": _tsv,
    ".parquet": _parquet,
}
