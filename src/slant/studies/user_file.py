"""What users bring to `slant measure`, as the columns that a study needs."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import polars as pl

from slant.errors import InputError
from slant.imports import read_samples
from slant.table_file import whole_characters

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from narwhals.typing import IntoDataFrame

    Source: TypeAlias = Path | IntoDataFrame

_AT_ONCE = 50_000
_LINE = " line"
_MISSING = {"nan", "<NA>", "NaT"}
"""How data frames write values that are not there."""


def read_user_table(
    source: Source,
    filled: Sequence[str],
    required: Sequence[str],
    optional: Mapping[str, pl.DataType],
) -> pl.DataFrame:
    """Read the columns a study needs.

    Parameters
    ----------
    source
        A file (`.jsonl`, `.csv`, `.tsv`, `.parquet`), a log of another tool
        (`slant.imports`), or a frame of pandas, polars, pyarrow or
        anything else that narwhals takes.
    filled
        Text columns that must be there and have a value in every record.
    required
        Text columns that must be there; a record may leave them out.
    optional
        Columns that may be there, with their types; missing ones become null.

    Raises
    ------
    InputError
        The file cannot be read, holds nothing, lacks a column, or a value is not of its kind.
    """
    file = source if isinstance(source, Path) else None
    kinds: dict[str, pl.DataType] = {name: pl.String() for name in (*filled, *required)}
    kinds |= optional
    found: dict[str, None] = {}
    rows = _noting_columns(user_rows(source), found)
    frames = [_frame(batch, kinds) for batch in iter(lambda: list(islice(rows, _AT_ONCE)), [])]
    expected = f"expected records with {', '.join((*filled, *required))}"
    if not frames:
        raise InputError(f"there are no records: {expected}", file=file)
    lacking = [name for name in (*filled, *required) if name not in found]
    if lacking:
        raise InputError(
            f"there is no column {' or '.join(map(repr, lacking))}: found {', '.join(found)}; "
            f"{expected}",
            file=file,
        )
    table = pl.concat(frames)
    for name in filled:
        _refuse(table, pl.col(name).fill_null("").str.strip_chars() == "", name, file, "is empty")
    for name, kind in optional.items():
        unread = pl.col(name).is_not_null() & pl.col(name).cast(kind, strict=False).is_null()
        _refuse(table, unread, name, file, f"is no {kind}")
    return table.select(pl.col(name).cast(kind) for name, kind in kinds.items())


def user_rows(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """Read records one at a time, each with its line, from a file or a data frame.

    Raises
    ------
    InputError
        The file cannot be read, or the source is no table.
    """
    if isinstance(source, Path):
        return read_samples(source)
    import narwhals as nw

    try:
        frame = nw.from_native(source, eager_only=True)
    except TypeError as error:
        kind = type(source).__name__
        raise InputError(f"a {kind} is no table: give a file or a data frame") from error
    return enumerate(frame.iter_rows(named=True), start=1)


def _noting_columns(
    rows: Iterable[tuple[int, dict[str, Any]]], found: dict[str, None]
) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in rows:
        found.update(dict.fromkeys(row))
        yield line, row


def _frame(
    batch: list[tuple[int, dict[str, Any]]], kinds: Mapping[str, pl.DataType]
) -> pl.DataFrame:
    columns: dict[str, list[Any]] = {
        name: [_text(row.get(name)) for _, row in batch] for name in kinds
    }
    columns[_LINE] = [line for line, _ in batch]
    types = {**dict.fromkeys(kinds, pl.String()), _LINE: pl.Int64()}
    return pl.DataFrame(columns, schema=types)


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return None if value is None else whole_characters(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # a column of whole numbers with gaps is one of floats in pandas
    return None if (written := str(value)) in _MISSING else written


def _refuse(
    table: pl.DataFrame, wrong: pl.Expr, name: str, file: Path | None, problem: str
) -> None:
    faulty = table.filter(wrong)
    if not faulty.is_empty():
        line, value = faulty[_LINE][0], faulty[name][0]
        shown = "" if value is None else f" ({value!r:.60})"
        raise InputError(
            f"{name!r}{shown} {problem}: mend this record or leave it out", file=file, line=line
        )
