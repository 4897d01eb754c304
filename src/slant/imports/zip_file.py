"""Zip files whose parts are packed as zip is, or with zstandard, which Python's own cannot read."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from slant import limits
from slant.errors import InputError, missing_extra
from slant.regular_file import check_regular

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ZSTANDARD = 93
_LOCAL_HEAD = struct.Struct("<4s5H3L2H")
"""What stands before a part; the last two are the lengths of its name and of what follows it."""


@contextmanager
def opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip file.

    Raises
    ------
    InputError
        It is no zip file, or damaged.
    """
    check_regular(path)
    try:
        with zipfile.ZipFile(path) as file:
            yield file
    except (OSError, zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError, struct.error,
            RuntimeError) as error:  # fmt: skip
        raise InputError(f"this is no zip file that can be read: {error}", file=path) from error


def part(file: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> bytes:
    """Unpack one part.

    Raises
    ------
    InputError
        It is larger than `slant.limits.LOG_BYTES`, or is packed with zstandard and the package
        that unpacks it is missing.
    """
    if info.compress_type == _ZSTANDARD:
        raw = _unpacked(file, info)
    else:
        with file.open(info) as packed:
            raw = packed.read(limits.LOG_BYTES + 1)
    if len(raw) > limits.LOG_BYTES:
        raise InputError(
            f"{info.filename} takes more than the {limits.LOG_BYTES:,} bytes that slant reads",
            file=path,
        )
    return raw


def _unpacked(file: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    try:
        import zstandard
    except ImportError as error:
        raise missing_extra("inspect", error) from error
    if info.compress_size > limits.LOG_BYTES or file.fp is None:
        return bytes(limits.LOG_BYTES + 1)
    file.fp.seek(info.header_offset)
    head = _LOCAL_HEAD.unpack(file.fp.read(_LOCAL_HEAD.size))
    file.fp.seek(head[-2] + head[-1], io.SEEK_CUR)
    packed = file.fp.read(info.compress_size)
    try:
        with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(packed) as stream:
            return stream.read(limits.LOG_BYTES + 1)
    except zstandard.ZstdError as error:
        raise zipfile.BadZipFile(str(error)) from error
