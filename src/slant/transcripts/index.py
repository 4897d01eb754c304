"""The index of a run's texts, `transcripts.sqlite`: which answer holds which words, and the texts.

SQLite's own full-text search takes a third of a second to hand over a million row numbers, and
more than a second for the beginning of a word. Here a chunk of answers is numbered through word by
word; for each word of the chunk the numbers of its occurrences are stored as one array. A phrase
is where one array shifted by one meets the next, and the row of an occurrence is found by bisection
in the numbers at which rows begin: "the" in a million answers takes a few hundredths of a second.

The table that answers are filtered and sorted by lies beside the words, for reading it from the
run's own tables takes a second for a million answers.

The file holds nothing that is not in `answers.parquet` and `scores.parquet`. It names the state of
both that it was made from; when they change, it is made anew. It is built chunk by chunk, each
committed whole, so that a build that was stopped goes on where it was.
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

from slant.errors import SlantError
from slant.transcripts.narrow import narrow
from slant.transcripts.words import Piece, folded, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

INDEX = "transcripts.sqlite"

Marks: TypeAlias = dict[str, list[tuple[int, int]]]
"""What each measure found in a text: [start, end) offsets."""

_VERSION = 1
_SCHEMA = """
CREATE TABLE facts (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE narrow (frame BLOB NOT NULL);
CREATE TABLE texts (row INTEGER PRIMARY KEY, prompt TEXT, text TEXT, marks TEXT);
CREATE TABLE chunks (first INTEGER PRIMARY KEY, size INTEGER NOT NULL, starts BLOB NOT NULL);
CREATE TABLE words (
    chunk INTEGER NOT NULL, word TEXT NOT NULL, places BLOB NOT NULL, PRIMARY KEY (chunk, word)
) WITHOUT ROWID;
"""
_KEYS = pl.Schema({"model": pl.String(), "study": pl.String(), "position": pl.Int64()})
_MARK = pl.Schema({"measure": pl.String(), "spans": pl.List(pl.List(pl.UInt32))})
_BATCH = 20_000
_CHUNK_BYTES = 16_000_000
"""Text that a chunk holds: what is in memory while building grows with it."""


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
        return _fact(db, "done") if self._of_this_state(db) else 0

    def _of_this_state(self, db: sqlite3.Connection) -> bool:
        return bool(_fact(db, "source") == self._source)

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


def build(
    path: Path,
    answers: Path,
    scores: Path,
    *,
    going_on: Callable[[], bool] = lambda: True,
) -> None:
    """Build an index, or go on with one.

    Parameters
    ----------
    path
        Where it goes.
    answers, scores
        The run's tables; `scores` need not exist.
    going_on
        Asked after each chunk; when it says no, the build stops and can be taken up later.

    Raises
    ------
    SlantError
        The file cannot be written.
    """
    state = source(answers, scores)
    try:
        with closing(_begun(path, state)) as db:
            if db.execute("SELECT 1 FROM narrow").fetchone() is None:
                _add_narrow(db, answers, scores)
            for frame in _pieces(answers, scores, _fact(db, "done")):
                _add(db, frame)
                if not going_on():
                    return
            # One file that can be read where nothing can be written.
            with suppress(sqlite3.OperationalError):
                db.execute("PRAGMA journal_mode = DELETE")
    except (sqlite3.Error, OSError) as error:
        raise SlantError(f"{path} cannot be written: {error}") from error


def _begun(path: Path, state: str) -> sqlite3.Connection:
    """Open an index to write to; one of another state, or a damaged one, is thrown away."""
    with suppress(sqlite3.Error):
        db = _writable(path)
        try:
            same = _fact(db, "source") == state
        except sqlite3.Error:
            same = False
        if same:
            return db
        db.close()
    for name in (path.name, path.name + "-wal", path.name + "-shm"):
        path.with_name(name).unlink(missing_ok=True)
    db = _writable(path)
    db.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
    db.executemany("INSERT INTO facts VALUES (?, ?)", [("done", 0), ("source", state)])
    return db


def _writable(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None, timeout=30)
    db.execute("PRAGMA journal_mode = WAL")  # who reads is not held up by the build
    db.execute("PRAGMA synchronous = OFF")  # it can be made again
    return db


def _fact(db: sqlite3.Connection, key: str) -> Any:
    row = db.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]


def _add_narrow(db: sqlite3.Connection, answers: Path, scores: Path) -> None:
    scored = pl.scan_parquet(scores) if scores.exists() else None
    stored = io.BytesIO()
    narrow(pl.scan_parquet(answers), scored).write_ipc(stored, compression="lz4")
    db.execute("INSERT INTO narrow VALUES (?)", (stored.getvalue(),))


def _pieces(answers: Path, scores: Path, start: int) -> Iterator[pl.DataFrame]:
    """Read texts with what was found in them, from a row on: `row`, `prompt`, `text`, `marks`."""
    texts = (
        pl.scan_parquet(answers)
        .select(*_KEYS.names(), "prompt", "text")
        .with_row_index("row")
        .slice(start)
    )
    marks = _marks(scores)
    for batch in texts.collect_batches(chunk_size=_BATCH, maintain_order=True):
        whole = batch.join(marks, on=_KEYS.names(), how="left", maintain_order="left").drop(
            _KEYS.names()
        )
        sizes = pl.col("text").str.len_bytes().fill_null(0).cum_sum() // _CHUNK_BYTES
        yield from whole.with_columns(part=sizes).partition_by(
            "part", maintain_order=True, include_key=False
        )


def _marks(scores: Path) -> pl.DataFrame:
    """Read what measures found, by answer: `marks` is a list of measures with their spans."""
    if not scores.exists():
        return pl.DataFrame(schema={**_KEYS, "marks": pl.List(pl.Struct(_MARK))})
    return (
        pl.scan_parquet(scores)
        .filter(pl.col("spans").list.len() > 0)
        .group_by(_KEYS.names())
        .agg(pl.struct("measure", "spans").alias("marks"))
        .collect(engine="streaming")
    )


def _add(db: sqlite3.Connection, frame: pl.DataFrame) -> None:
    """Store a chunk, whole or not at all."""
    words, starts, size = _numbered(frame)
    first, done = int(frame["row"][0]), int(frame["row"][-1]) + 1
    rows = (
        (row, prompt, text, _json(marks))
        for row, prompt, text, marks in frame.select("row", "prompt", "text", "marks").iter_rows()
    )
    db.execute("BEGIN IMMEDIATE")
    try:
        db.executemany("INSERT INTO texts VALUES (?, ?, ?, ?)", rows)
        db.execute("INSERT INTO chunks VALUES (?, ?, ?)", (first, size, starts.tobytes()))
        db.executemany(
            "INSERT INTO words VALUES (?, ?, ?)",
            ((first, word, places) for word, places in _by_word(words)),
        )
        db.execute("UPDATE facts SET value = ? WHERE key = 'done'", (done,))
    except BaseException:
        if db.in_transaction:  # a full disk may have ended it already
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _json(marks: list[dict[str, Any]] | None) -> str | None:
    return json.dumps({each["measure"]: each["spans"] for each in marks}) if marks else None


def _numbered(frame: pl.DataFrame) -> tuple[pl.DataFrame, np.ndarray, int]:
    """Give the words of a chunk with their places, where each row begins, and how many places.

    Between prompt and text, and between rows, a place is left empty, so that no phrase spans both.
    """
    gap = pl.lit("")
    listed = frame.select(
        pl.concat_list(
            words_of(pl.col("prompt").fill_null("")),
            gap,
            words_of(pl.col("text").fill_null("")),
            gap,
        ).alias("word")
    )
    ends = listed["word"].list.len().cum_sum().to_numpy()
    starts = np.concatenate([[0], ends[:-1]]).astype(np.uint32)
    words = listed.explode("word").with_row_index("place").filter(pl.col("word") != "")
    return words, starts, int(ends[-1])


def _by_word(words: pl.DataFrame) -> Iterator[tuple[str, bytes]]:
    """Gather the places of each word, in order."""
    alike = (
        words.group_by("word")
        .agg("place")
        .with_columns(folded(pl.col("word")))
        .filter(pl.col("word") != "")
        .group_by("word")
        .agg(pl.col("place").explode().sort())
        .sort("word")
    )
    places = alike["place"].explode().to_numpy()
    end = 0
    for word, length in zip(alike["word"], alike["place"].list.len(), strict=True):
        start, end = end, end + length
        yield word, places[start:end].tobytes()
