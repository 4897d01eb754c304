"""The file that annotations are added to: `annotations.jsonl` in the run directory.

Lines are only ever added. Whoever rules again, or takes a label back, adds a line. What a crash
left half-written stays where it is, is told, and is closed off by a mark when the next line is
added.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import filelock
from pydantic import ValidationError

from slant.annotations.annotation import Annotation
from slant.errors import InputError, SlantError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NAME = "annotations.jsonl"

_OLD_NAME = "judgements.jsonl"
"""What earlier runs call it: such a run goes on with its own file."""

ANNOTATION = "annotation"
"""What findings on agreement are filed under."""

_TORN = b" (torn)"
_PATIENCE = 10.0
"""Seconds that a writer waits for another: each holds the file for milliseconds."""


@dataclass(frozen=True)
class Ledger:
    """All annotations of a run.

    Attributes
    ----------
    lines
        In the order written.
    torn
        Numbers, from 1, of lines that a crash left half-written.
    """

    lines: tuple[Annotation, ...] = ()
    torn: tuple[int, ...] = ()

    @classmethod
    def read(cls, directory: Path) -> Ledger:
        """Read a run's annotations; none if nobody has judged it.

        Raises
        ------
        InputError
            A line is no annotation, or withdraws what is not there.
        """
        path = ledger_file(directory)
        return _parsed(path, path.read_bytes()) if path.exists() else cls()

    def line(self, name: str) -> Annotation | None:
        """Find a line by its id."""
        return next((each for each in self.lines if each.id == name), None)


def ledger_file(directory: Path) -> Path:
    """Find the file that a run's annotations are in, or are to be in."""
    old = directory / _OLD_NAME
    return old if old.exists() else directory / NAME


def append(directory: Path, make: Callable[[Ledger], Annotation | None]) -> Annotation | None:
    """Add a line, while nobody else can.

    Parameters
    ----------
    directory
        The run's.
    make
        Is given all lines there are and returns the one to add, or nothing.

    Returns
    -------
    Annotation or None
        What was added.

    Raises
    ------
    InputError
        The file has a bad line.
    SlantError
        The line cannot be written, or another program holds the file.
    """
    path = ledger_file(directory)
    with _held(path):
        content = path.read_bytes() if path.exists() else b""
        ledger = _parsed(path, content)
        line = make(ledger)
        if line is None:
            return None
        text = line.model_dump_json(exclude_none=True).encode()
        if content and not content.endswith(b"\n"):
            torn = len(content.split(b"\n")) in ledger.torn
            text = (_TORN if torn else b"") + b"\n" + text
        try:
            with path.open("ab") as file:
                file.write(text + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise SlantError(f"{path} cannot be written: {error}") from error
        return line


@contextmanager
def _held(path: Path) -> Iterator[None]:
    lock = filelock.FileLock(path.with_name("annotations.lock"))
    try:
        lock.acquire(timeout=_PATIENCE)
    except filelock.Timeout as error:
        raise SlantError(f"{path} is held by another program: try again") from error
    except OSError as error:
        raise SlantError(f"{path} cannot be written: {error}") from error
    try:
        yield
    finally:
        lock.release()


def _parsed(path: Path, content: bytes) -> Ledger:
    lines: list[Annotation] = []
    torn: list[int] = []
    known: dict[str, Annotation] = {}
    pieces = content.split(b"\n")
    for number, piece in enumerate(pieces, start=1):
        if not piece.strip():
            continue
        if piece.endswith(_TORN):
            torn.append(number)
            continue
        try:
            line = Annotation.model_validate_json(piece)
        except ValidationError as error:
            # Every whole line ends in a line feed: only what a crash cut off does not.
            if number == len(pieces):
                torn.append(number)
                continue
            problem = error.errors()[0]
            where = ".".join(map(str, problem["loc"]))
            what = f"{where}: {problem['msg']}" if where else problem["msg"]
            raise InputError(f"this is no annotation: {what}", file=path, line=number) from error
        _check_withdrawal(line, known, path, number)
        known[line.id] = line
        lines.append(line)
    return Ledger(tuple(lines), tuple(torn))


def _check_withdrawal(
    line: Annotation, known: dict[str, Annotation], path: Path, number: int
) -> None:
    if line.withdraws is None:
        return
    taken = known.get(line.withdraws)
    if taken is None or (taken.author, taken.key) != (line.author, line.key):
        raise InputError(
            f"withdraws {line.withdraws!r}, which is no earlier line by {line.author!r} about "
            "this score",
            file=path,
            line=number,
        )
