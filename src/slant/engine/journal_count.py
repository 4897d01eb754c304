"""How many answers a journal has taken, noted beside it too, so that lost ones are missed.

What is committed stands in `journal.sqlite-wal` first. A killed run leaves that file behind, and
SQLite then reads from it what fits its checksums; all that follows a bit that has flipped it drops
without a word. So the journal counts its answers in the transaction that stores them (as SQLite's
`user_version`), and notes the count in a file of its own once that transaction is on the disk.
"""

from __future__ import annotations

import os
import shlex
import sqlite3
import zlib
from contextlib import closing
from typing import TYPE_CHECKING

from slant.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_LENGTH = 32
"""Bytes of the note: always as many, so that it is replaced in one write."""

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # Windows has no such flag


class AnswerCount:
    """The number of answers that a journal has taken, in the journal and beside it.

    Parameters
    ----------
    journal
        The SQLite file.
    """

    def __init__(self, journal: Path):
        self._journal = journal
        self._path = journal.with_name(f"{journal.name}-count")
        self._file = -1

    def check(self) -> None:
        """See that the journal has all that it took, before anything is opened for writing.

        Raises
        ------
        InputError
            It lacks some.
        """
        noted = self._noted()
        if not noted or not self._journal.exists():
            return
        log = self._journal.with_name(f"{self._journal.name}-wal")
        more = log.exists() and log.stat().st_size > 0
        # Read-only: whoever opens the journal to write moves what can be read out of the -wal.
        address = f"{self._journal.resolve().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as db:
            held = taken(db)
        if held >= noted or (held == 0 and not more):  # then it is another journal, or none
            return
        last = "last answer" if noted - held == 1 else f"last {noted - held:,} answers"
        raise InputError(
            f"the journal lacks the {last} that it had taken: {log.name}, where they stood, is "
            f"damaged or gone. Nothing was changed. Put back a copy of {self._journal.name} and "
            f"{log.name}; or go on without these answers, and `slant resume` asks their questions "
            f"again, after: rm {shlex.quote(str(self._path))}",
            file=self._journal,
        )

    def _noted(self) -> int:
        """Read the note; zero where there is none that can be read, as after a power cut."""
        try:
            number, _, mark = self._path.read_bytes()[:_LENGTH].strip().partition(b" ")
            return int(number) if int(mark) == zlib.crc32(number) else 0
        except (OSError, ValueError):
            return 0

    def note(self, number: int) -> None:
        """Note what the journal has taken, once it is on the disk."""
        if self._file < 0:
            self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | _NO_LINK, 0o644)
        said = str(number).encode()
        os.lseek(self._file, 0, os.SEEK_SET)
        os.write(self._file, (b"%b %d" % (said, zlib.crc32(said))).ljust(_LENGTH))

    def close(self) -> None:
        """Close the note."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def taken(db: sqlite3.Connection) -> int:
    """Say how many answers a journal has taken, by its own count."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def count(db: sqlite3.Connection, more: int) -> int:
    """Count answers that are being stored, in the same transaction, and give the new count."""
    number = taken(db) + more
    db.execute(f"PRAGMA user_version = {number}")
    return number
