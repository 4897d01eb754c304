"""Building the index of a run's texts: chunk by chunk, each committed whole.

A build that was stopped goes on where it was.
"""

from __future__ import annotations

import io
import json
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slant.errors import SlantError
from slant.transcripts.index import fact, source
from slant.transcripts.narrow import narrow
from slant.transcripts.words import folded, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

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
            for frame in _pieces(answers, scores, fact(db, "done")):
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
            same = fact(db, "source") == state
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
