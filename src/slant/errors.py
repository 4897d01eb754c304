"""What can go wrong, as messages for people.

Every error that slant raises on purpose is a `SlantError`: it carries one clear message and the
exit code of the command line. Anything else that escapes is a defect of slant.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class SlantError(Exception):
    """Something failed that is not the user's input (exit code 1)."""

    exit_code = 1


class InputError(SlantError):
    """The user's input cannot be used (exit code 2).

    Parameters
    ----------
    message
        What was found, what was expected and what to do about it.
    file
        The file at fault, if there is one.
    line
        The line in that file, counted from 1.
    name
        The name that is not known, if that is what is wrong: whoever read it can say where.
    """

    exit_code = 2

    def __init__(
        self,
        message: str,
        *,
        file: Path | str | None = None,
        line: int | None = None,
        name: str | None = None,
    ):
        self.file, self.line, self.name = file, line, name
        place = "" if file is None else f"{file}: " if line is None else f"{file}:{line}: "
        super().__init__(place + message)


class IncompleteError(SlantError):
    """The run ended with too few answers to report (exit code 3)."""

    exit_code = 3


class InterruptedRunError(SlantError):
    """The user stopped the run; everything answered so far is kept (exit code 130)."""

    exit_code = 130


_LONGEST = 200
"""Characters of a name that are repeated to whoever wrote it."""


def unknown(kind: str, name: str, known: Iterable[str]) -> InputError:
    """Build the error for a name that is not among the known ones, with the nearest of them.

    Parameters
    ----------
    kind
        What the name stands for: "study", "model", "axis" …
    name
        What the user wrote.
    known
        The names that would have been accepted.
    """
    names = sorted(known)
    name = name if len(name) <= _LONGEST else name[:_LONGEST] + "…"
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}? " if near else ""
    known_names = ", ".join(names) or "none"
    return InputError(f"unknown {kind} {name!r}: {hint}Known: {known_names}.", name=name)


def missing_extra(extra: str, error: ImportError) -> InputError:
    """Build the error for an optional dependency that is not installed."""
    return missing_package(f"slant[{extra}]", error)


def missing_package(requirement: str, error: ImportError) -> InputError:
    """Build the error for a package that is not installed, with what brings it."""
    install = f": pip install '{requirement}'" if requirement else ""
    return InputError(f"{error.name or 'a package'} is not installed{install}")
