"""How large a Parquet file is when it is unpacked, told from the headers of its pages.

The footer says so too, but nothing holds a hostile footer to the truth; the headers are what a
reader makes room by. They are Thrift in its compact form, of which a few lines read what is here.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, BinaryIO

from slant.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_FOOTER_MOST = 100_000_000
_HEADER_MOSTLY, _HEADER_MOST = 4096, 16_000_000
_DEEPEST = 20
_ROW_GROUPS, _COLUMNS, _COLUMN_META = 4, 1, 3
_CHUNK_SIZE, _DATA_AT, _DICTIONARY_AT = 7, 9, 11
_UNPACKED, _PACKED = 2, 3


def unpacked_bytes(path: Path) -> int:
    """Add up what all pages of a Parquet file take when they are unpacked.

    Raises
    ------
    InputError
        This is not a Parquet file.
    """
    try:
        with path.open("rb") as file:
            return sum(_chunk_bytes(file, chunk) for chunk in _chunks(file))
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise InputError("this is not a Parquet file, or it is damaged", file=path) from error


def _chunks(file: BinaryIO) -> list[dict[int, Any]]:
    """Give what the footer says of every column of every group of rows."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - 8))
    tail = file.read(8)
    length = int.from_bytes(tail[:4], "little")
    if tail[4:] != b"PAR1" or length > min(size - 8, _FOOTER_MOST):
        raise ValueError("no footer")
    file.seek(size - 8 - length)
    footer = _Thrift(file.read(length)).struct()
    groups = footer.get(_ROW_GROUPS, [])
    chunks = [chunk[_COLUMN_META] for group in groups for chunk in group[_COLUMNS]]
    if sum(chunk[_CHUNK_SIZE] for chunk in chunks) > size:
        raise ValueError("more than the file holds")
    return chunks


def _chunk_bytes(file: BinaryIO, chunk: dict[int, Any]) -> int:
    start = min(filter(None, (chunk[_DATA_AT], chunk.get(_DICTIONARY_AT))))
    at, end, total = start, start + chunk[_CHUNK_SIZE], 0
    if min(start, chunk[_CHUNK_SIZE]) < 0:
        raise ValueError("a place before the file")
    while at < end:
        page, length = _page_header(file, at, end)
        if min(page[_UNPACKED], page[_PACKED]) < 0:
            raise ValueError("a page of less than nothing")
        total += page[_UNPACKED]
        at += length + page[_PACKED]
    return total


def _page_header(file: BinaryIO, at: int, end: int) -> tuple[dict[int, Any], int]:
    """Read the header of a page, and how long it is: a few bytes, but for long statistics."""
    for most in (_HEADER_MOSTLY, _HEADER_MOST):
        file.seek(at)
        header = _Thrift(file.read(min(most, end - at)))
        try:
            return header.struct(), header.at
        except IndexError:
            if end - at <= most:
                raise
    raise ValueError("a header without end")


class _Thrift:
    """Reads structures in Thrift's compact protocol: numbers of fields and their values."""

    def __init__(self, data: bytes):
        self.data, self.at = data, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
            if shift > 63:
                raise ValueError("a number of more than 64 bits")

    def signed(self) -> int:
        value = self.number()
        return (value >> 1) ^ -(value & 1)

    def struct(self, depth: int = 0) -> dict[int, Any]:
        if depth > _DEEPEST:
            raise ValueError("nested too deeply")
        found: dict[int, Any] = {}
        field = 0
        while kind := self.byte():
            field = field + (kind >> 4) if kind >> 4 else self.signed()
            found[field] = self.value(kind & 15, depth, in_list=False)
        return found

    def value(self, kind: int, depth: int, *, in_list: bool) -> Any:
        if kind in (1, 2):
            return self.byte() == 1 if in_list else kind == 1
        if kind == 3:
            return self.byte()
        if kind in (4, 5, 6):
            return self.signed()
        if kind == 7:
            self.at += 8
            return None
        if kind == 8:
            length = self.number()
            self.at += length
            return None
        if kind in (9, 10):
            return self.sequence(depth)
        if kind == 12:
            return self.struct(depth + 1)
        raise ValueError(f"a value of kind {kind}")

    def sequence(self, depth: int) -> list[Any]:
        if depth > _DEEPEST:
            raise ValueError("nested too deeply")
        kind = self.byte()
        size = kind >> 4 if kind >> 4 < 15 else self.number()
        if size > len(self.data):
            raise ValueError("a list longer than the file")
        return [self.value(kind & 15, depth + 1, in_list=True) for _ in range(size)]
