"""The file that judgements are added to: `judgements.jsonl` in the run directory.

Lines are only ever added. Whoever rules again, or takes a ruling back, adds a line. What a crash
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

from slant.engine.judgements.judgement import Judgement
from slant.errors import InputError, SlantError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NAME = "judgements.jsonl"

JUDGEMENT = "judgement"
"""What findings on agreement are filed under."""

_TORN = b" (torn)"
_PATIENCE = 10.0
"""Seconds that a writer waits for another: each holds the file for milliseconds."""


@dataclass(frozen=True)
class Ledger:
    """All judgements of a run.

    Attributes
    ----------
    lines
        In the order written.
    torn
        Numbers, from 1, of lines that a crash left half-written.
    """

    lines: tuple[Judgement, ...] = ()
    torn: tuple[int, ...] = ()

    @classmethod
    def read(cls, directory: Path) -> Ledger:
        """Read a run's judgements; none if nobody has judged it.

        Raises
        ------
        InputError
            A line is no judgement, or withdraws what is not there.
        """
        path = directory / NAME
        return _parsed(path, path.read_bytes()) if path.exists() else cls()

    def line(self, name: str) -> Judgement | None:
        """Find a line by its id."""
        return next((each for each in self.lines if each.id == name), None)


def append(directory: Path, make: Callable[[Ledger], Judgement | None]) -> Judgement | None:
    """Add a line, while nobody else can.

    Parameters
    ----------
    directory
        The run's.
    make
        Is given all lines there are and returns the one to add, or nothing.

    Returns
    -------
    Judgement or None
        What was added.

    Raises
    ------
    InputError
        The file has a bad line.
    SlantError
        The line cannot be written, or another program holds the file.
    """
    path = directory / NAME
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
    lock = filelock.FileLock(path.with_name("judgements.lock"))
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
    lines: list[Judgement] = []
    torn: list[int] = []
    known: dict[str, Judgement] = {}
    pieces = content.split(b"\n")
    for number, piece in enumerate(pieces, start=1):
        if not piece.strip():
            continue
        if piece.endswith(_TORN):
            torn.append(number)
            continue
        try:
            line = Judgement.model_validate_json(piece)
        except ValidationError as error:
            # Every whole line ends in a line feed: only what a crash cut off does not.
            if number == len(pieces):
                torn.append(number)
                continue
            problem = error.errors()[0]
            where = ".".join(map(str, problem["loc"]))
            what = f"{where}: {problem['msg']}" if where else problem["msg"]
            raise InputError(f"this is no judgement: {what}", file=path, line=number) from error
        _check_withdrawal(line, known, path, number)
        known[line.id] = line
        lines.append(line)
    return Ledger(tuple(lines), tuple(torn))


def _check_withdrawal(
    line: Judgement, known: dict[str, Judgement], path: Path, number: int
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
