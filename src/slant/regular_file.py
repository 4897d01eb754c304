"""Files that users name, opened only if they are files: no waiting pipe, no endless device."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from slant.errors import InputError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def check_regular(path: Path, name: str | None = None) -> None:
    """See that a path leads to a file that can be read to its end.

    Parameters
    ----------
    path
        Where it is.
    name
        What messages call it; the path when left out.

    Raises
    ------
    InputError
        There is nothing, it is a folder, a pipe or a device, or its name is none.
    """
    name = str(path) if name is None else name
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError("there is no such file: check the path", file=name) from error
    except ValueError as error:
        raise InputError("no file's name holds a NUL character: check the path",
                         file=name) from error  # fmt: skip
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror}", file=name) from error
    if stat.S_ISDIR(mode):
        raise InputError("the file cannot be read: Is a directory", file=name)
    if not stat.S_ISREG(mode):
        raise InputError(
            "this is a pipe or a device, not a file: save its content to a file first", file=name
        )


def sha256(path: Path) -> str:
    """Give the SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_regular(path: Path | Traversable, most: int, name: str | None = None) -> bytes:
    """Read a file whole.

    Parameters
    ----------
    path
        Where it is.
    most
        How many bytes it may have.
    name
        What messages call it; the path when left out.

    Raises
    ------
    InputError
        It is no file, cannot be read, or is longer.
    """
    name = str(path) if name is None else name
    if isinstance(path, Path):
        check_regular(path, name)
    try:
        with path.open("rb") as file:
            raw = file.read(most + 1)
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror}", file=name) from error
    if len(raw) > most:
        raise InputError(f"the file is larger than {most:,} bytes, the most that slant reads",
                         file=name)  # fmt: skip
    return raw


def read_text(path: Path | Traversable, most: int, name: str | None = None) -> str:
    """Read a text whole, with line ends as slant writes them.

    Parameters
    ----------
    path, most, name
        As `read_regular` takes them.

    Raises
    ------
    InputError
        It is no file, cannot be read, is longer, or is not UTF-8.
    """
    raw = read_regular(path, most, name)
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte 0x{raw[error.start]:02x} is not UTF-8: save the file with the encoding UTF-8",
            file=str(path) if name is None else name,
            line=raw[: error.start].count(b"\n") + 1,
        ) from error


def absolute(path: Path) -> str:
    """Give a path from the root; what is wrong with its name is told when it is opened."""
    try:
        return str(path.resolve())
    except (ValueError, RuntimeError, OSError):  # a NUL character, links that go round in a circle
        return str(path.absolute())
