"""The runs in a directory, found by name and never beyond it."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

from slant.errors import InputError, unknown
from slant.web.open_run import OpenRun

if TYPE_CHECKING:
    from pathlib import Path

_KEPT = 3
"""Runs that stay read; each may hold some hundred megabytes of tables."""


class Shelf:
    """A directory of runs, or one run.

    Parameters
    ----------
    directory
        Holds run directories, or is one itself.

    Raises
    ------
    InputError
        It is no directory.
    """

    def __init__(self, directory: Path):
        if not directory.is_dir():
            raise InputError(
                f"{directory} is no directory: name one that holds runs, or a run "
                "(`slant audit` makes runs/)"
            )
        directory = directory.resolve()
        self._only = directory.name if (directory / "run.toml").is_file() else None
        self.directory = directory.parent if self._only else directory
        self._read: OrderedDict[str, OpenRun] = OrderedDict()
        self._lock = Lock()

    def names(self) -> list[str]:
        """List the runs' names, newest directory first."""
        if self._only:
            return [self._only]
        found = [file.parent for file in self.directory.glob("*/run.toml")]
        # A link could lead out of the directory.
        kept = [path for path in found if not path.is_symlink()]
        return [path.name for path in sorted(kept, key=_changed, reverse=True)]

    def open(self, name: str) -> OpenRun:
        """Find a run.

        Raises
        ------
        InputError
            There is none of this name, or it cannot be read.
        """
        names = self.names()
        if name not in names:
            raise unknown("run", name, names)
        with self._lock:
            known = self._read.pop(name, None)
            if known is None:
                known = OpenRun(self.directory / name)
            self._read[name] = known
            while len(self._read) > _KEPT:
                self._read.popitem(last=False)
            return known


def _changed(path: Path) -> float:
    return (path / "run.toml").stat().st_mtime
