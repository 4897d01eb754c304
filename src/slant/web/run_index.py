"""The runs in a directory, found by name and never beyond it."""

from __future__ import annotations

import difflib
import os
from collections import OrderedDict
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from slant.enclosed import check_enclosed
from slant.errors import InputError
from slant.web.file_cache import file_state
from slant.web.open_run import OpenRun
from slant.web.run_row import RunRow

if TYPE_CHECKING:
    from pathlib import Path

    from slant.web.file_cache import State

_KEPT = 3
"""Runs that stay read; each may hold some hundred megabytes of tables."""


class RunIndex:
    """A directory of runs, or one run.

    Parameters
    ----------
    directory
        Holds run directories, or is one itself.

    Raises
    ------
    InputError
        It is no directory, or may not be read.
    """

    def __init__(self, directory: Path):
        if not directory.is_dir():
            raise InputError(
                f"{directory} is no directory: name one that holds runs, or a run "
                "(`slant audit` makes runs/)"
            )
        if not os.access(directory, os.R_OK | os.X_OK):
            raise InputError(f"{directory} may not be read: ask its owner for permission")
        directory = directory.resolve()
        self._only = directory.name if (directory / "run.toml").is_file() else None
        self.directory = directory.parent if self._only else directory
        self._read: OrderedDict[str, tuple[State, OpenRun]] = OrderedDict()
        self._entries: dict[str, RunRow] = {}
        self._lock = Lock()

    def names(self) -> list[str]:
        """List the runs' names, newest directory first."""
        if self._only:
            return [self._only] if self._holds(self._only) else []
        found: list[tuple[int, str]] = []
        try:
            with os.scandir(self.directory) as entries:
                for entry in entries:
                    # A link could lead out of the directory.
                    if entry.is_dir(follow_symlinks=False):
                        state = file_state(f"{entry.path}/run.toml")
                        if state is not None:
                            found.append((-state[0], entry.name))
        except OSError as error:
            raise InputError(f"{self.directory} cannot be read: {error.strerror}") from error
        return [name for _, name in sorted(found)]

    def entries(self) -> list[RunRow]:
        """Give what a list shows of every run, newest directory first."""
        names = self.names()
        with self._lock:
            self._entries = {
                name: self._entries.get(name) or RunRow(self.directory / name) for name in names
            }
            return list(self._entries.values())

    def warm(self) -> None:
        """Read ahead what the list shows, newest run first; faults are told when it is asked."""
        with suppress(InputError):
            for entry in self.entries():
                entry.state()
                entry.counted()

    def open(self, name: str) -> OpenRun:
        """Find a run.

        Raises
        ------
        InputError
            There is none of this name, or it cannot be read.
        """
        if not self._holds(name):
            near = difflib.get_close_matches(name, self.names(), n=1, cutoff=0.5)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            raise InputError(
                f"There is no run {name!r} here: it was removed, or its address is mistyped.{hint}"
            )
        check_enclosed(self.directory / name)
        state = file_state(self.directory / name / "run.toml")
        with self._lock:
            known = self._read.pop(name, None)
            if known is None or known[0] != state:
                known = (state, OpenRun(self.directory / name))
            self._read[name] = known
            while len(self._read) > _KEPT:
                self._read.popitem(last=False)
            return known[1]

    def _holds(self, name: str) -> bool:
        """Tell whether a run of this name lies here, and not behind a link or beyond."""
        if self._only not in (None, name) or name in ("", ".", "..") or "\0" in name:
            return False
        path = self.directory / name
        inside = path.parent == self.directory and path.name == name
        return inside and not path.is_symlink() and (path / "run.toml").is_file()
