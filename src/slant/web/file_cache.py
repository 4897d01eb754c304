"""What was read of a directory: each thing once for every state of the files it rests on."""

from __future__ import annotations

import os
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

T = TypeVar("T")

State: TypeAlias = tuple[int, int, int] | None
"""Of a file: when it changed, its size, which file it is; `None` where there is none."""


class FileCache:
    """Remembers what was read of the files in a directory.

    Parameters
    ----------
    directory
        Where they lie.
    """

    def __init__(self, directory: Path):
        self._directory = str(directory)
        self._lock = RLock()
        self._known: dict[str, tuple[object, Any]] = {}

    def remembered(self, name: str, files: str | tuple[str, ...], read: Callable[[], T]) -> T:
        """Read something, once for every state of the files that it depends on.

        Parameters
        ----------
        name
            What is kept.
        files
            Names of files in the directory; they need not exist.
        read
            Reads it. What it raises is not kept.
        """
        asked = (files,) if isinstance(files, str) else files
        state = tuple(file_state(f"{self._directory}/{file}") for file in asked)
        with self._lock:
            known = self._known.get(name)
            if known is None or known[0] != state:
                known = self._known[name] = (state, read())
            value: T = known[1]
            return value


def file_state(path: Path | str) -> State:
    """Give what changes whenever a file does."""
    try:
        found = os.stat(path)  # noqa: PTH116 - asked for thousands of files a page
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
