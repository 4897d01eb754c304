"""The index of a run's texts, `transcripts.sqlite`: which answer holds which words, and the texts.

SQLite's own full-text search takes a third of a second to hand over a million row numbers, and
more than a second for the beginning of a word. Here a chunk of answers is numbered through word by
word; for each word of the chunk the numbers of its occurrences are stored as one array. A phrase
is where one array shifted by one meets the next, and the row of an occurrence is found by bisection
in the numbers at which rows begin: "the" in a million answers takes a few hundredths of a second.

The table that answers are filtered and sorted by lies beside the words, for reading it from the
run's own tables takes a second for a million answers.

The file holds nothing that is not in `answers.parquet` and `scores.parquet`. It names the state of
both that it was made from; when they change, `index_building` makes it anew.
"""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from slant.transcripts.words import Piece

INDEX = "transcripts.sqlite"

Marks: TypeAlias = dict[str, list[tuple[int, int]]]
"""What each measure found in a text: [start, end) offsets."""

_VERSION = 1


def source(answers: Path, scores: Path) -> str:
    """Describe the state of the files that an index is made from."""
    states = [
        [path.stat().st_size, path.stat().st_mtime_ns] if path.exists() else None
        for path in (answers, scores)
    ]
    return json.dumps([_VERSION, *states])


@dataclass(frozen=True)
class Text:
    """What was asked and what came back, with what measures found in it."""

    prompt: str
    text: str | None
    marks: Marks


class Index:
    """An index as far as it is built.

    Parameters
    ----------
    path
        The file; it need not be there.
    wanted
        State of the files that it must have been made from (`source`).
    """

    def __init__(self, path: Path, wanted: str):
        self._path, self._source = path, wanted

    def done(self) -> int:
        """Count the answers that are indexed."""
        with suppress(sqlite3.Error), closing(self._opened()) as db:
            return self._done(db)
        return 0

    def _opened(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._path.resolve().as_uri()}?mode=ro", uri=True, timeout=5)

    def _done(self, db: sqlite3.Connection) -> int:
        return fact(db, "done") if self._of_this_state(db) else 0

    def _of_this_state(self, db: sqlite3.Connection) -> bool:
        return bool(fact(db, "source") == self._source)

    def opens(self) -> bool:
        """Say whether the table that answers are filtered and sorted by is there."""
        with suppress(sqlite3.Error), closing(self._opened()) as db:
            return self._of_this_state(db) and bool(db.execute("SELECT 1 FROM narrow").fetchone())
        return False

    def narrow(self) -> pl.DataFrame | None:
        """Read the table that answers are filtered and sorted by; `None` where it is not there."""
        with suppress(sqlite3.Error, pl.exceptions.PolarsError), closing(self._opened()) as db:
            if self._of_this_state(db):
                row = db.execute("SELECT frame FROM narrow").fetchone()
                return None if row is None else pl.read_ipc(io.BytesIO(row[0]))
        return None

    def find(self, search: Sequence[Piece], rows: int) -> np.ndarray | None:
        """Say for each answer whether it holds all pieces; `None` while the index is not ready.

        Parameters
        ----------
        search
            What to look for.
        rows
            How many answers there are.
        """
        found = np.zeros(rows, dtype=bool)
        with suppress(sqlite3.Error), closing(self._opened()) as db:
            if self._done(db) < rows:
                return None
            for first, size, blob in db.execute("SELECT first, size, starts FROM chunks"):
                starts = np.frombuffer(blob, dtype=np.uint32)
                chunk = _Chunk(db, first, size, starts)
                found[first : first + len(starts)] = chunk.held(search)
            return found
        return None

    def texts(self, rows: Sequence[int], longest: int) -> dict[int, Text]:
        """Read the texts of answers, of those that are indexed, up to so many characters each."""
        wanted = ",".join(str(int(row)) for row in rows)
        # SQLite's substr ends at a zero character: it is left to texts that are cut anyway.
        prompt, text = (
            f"CASE WHEN length(CAST({name} AS BLOB)) > {4 * longest:d} "
            f"THEN substr({name}, 1, {longest:d}) ELSE {name} END"
            for name in ("prompt", "text")
        )
        query = f"SELECT row, {prompt}, {text}, marks FROM texts WHERE row IN ({wanted})"  # noqa: S608 - numbers
        with suppress(sqlite3.Error), closing(self._opened()) as db:
            if self._done(db):
                return {
                    row: Text(prompt, text, json.loads(found) if found else {})
                    for row, prompt, text, found in db.execute(query)
                }
        return {}


class _Chunk:
    """Answers that are numbered through together.

    Parameters
    ----------
    db
        The index.
    first
        Row of the first answer, which is also the chunk's name.
    size
        How many places there are.
    starts
        The place where each answer begins.
    """

    def __init__(self, db: sqlite3.Connection, first: int, size: int, starts: np.ndarray):
        self._db, self._first, self._size, self._starts = db, first, size, starts

    def held(self, search: Sequence[Piece]) -> np.ndarray:
        """Say for each answer whether it holds all pieces."""
        every = np.ones(len(self._starts), dtype=bool)
        for piece in search:
            every &= self._rows(self._begins(piece))
            if not every.any():
                break
        return every

    def _rows(self, places: np.ndarray) -> np.ndarray:
        """Say which answers hold any of some places, which are in order."""
        if len(places) > len(self._starts):
            ends = np.searchsorted(places, np.append(self._starts, self._size))
            return np.diff(ends) > 0
        held = np.zeros(len(self._starts), dtype=bool)
        held[np.searchsorted(self._starts, places, side="right") - 1] = True
        return held

    def _begins(self, piece: Piece) -> np.ndarray:
        """Find where a piece begins."""
        begins: np.ndarray | None = None
        for number, word in enumerate(piece.words, start=1):
            open_end = piece.prefix and number == len(piece.words)
            places = self._any_places(word) if open_end else self._places(word)
            if begins is None:
                begins = places
            else:
                begins = begins[self._flags(places)[begins + (number - 1)]]
            if not len(begins):
                break
        assert begins is not None  # noqa: S101 - a piece has a word; for the type checker
        return begins

    def _places(self, word: str) -> np.ndarray:
        query = "SELECT places FROM words WHERE chunk = ? AND word = ?"
        row = self._db.execute(query, (self._first, word)).fetchone()
        return np.frombuffer(row[0] if row else b"", dtype=np.uint32)

    def _any_places(self, start: str) -> np.ndarray:
        """Find the places of all words that begin in a certain way, in order."""
        query = "SELECT places FROM words WHERE chunk = ? AND word >= ? AND word < ?"
        rows = self._db.execute(query, (self._first, start, start + "\U0010ffff"))
        places = np.frombuffer(b"".join(row[0] for row in rows), dtype=np.uint32)
        return np.flatnonzero(self._flags(places)).astype(np.uint32)

    def _flags(self, places: np.ndarray) -> np.ndarray:
        # There is a gap behind each text, so that a place behind a word is always one of these.
        flags = np.zeros(self._size, dtype=bool)
        flags[places] = True
        return flags


def fact(db: sqlite3.Connection, key: str) -> Any:
    """Look up what an index says of itself; `None` where it says nothing."""
    row = db.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]
