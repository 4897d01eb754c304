"""The journal: every item asked and every answer received, in one SQLite file.

Answers are committed as they come, each once, so that a run that dies loses at most what was
under way; what is committed is on disk, also after a power cut. Resuming replays the studies
against the journal and asks only what is missing. Every row has a checksum, which is verified when
the journal is opened: bits that flip on a disk are noticed, not believed. So are answers that
SQLite could not read any more (`journal_count`).
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from slant.engine.journal_columns import add_columns, without_later_columns
from slant.engine.journal_count import AnswerCount, count
from slant.engine.journal_rows import (
    answer_row,
    decoded,
    fact_row,
    item_and_answer,
    item_row,
)
from slant.engine.journal_seal import TABLES, columns, damage, seal
from slant.errors import InputError, SlantError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from slant.records import Answer, Item, Outcome

_READ_AT_ONCE = 5_000

_SCHEMA = """
CREATE TABLE IF NOT EXISTS items (
    model TEXT NOT NULL, study TEXT NOT NULL, position INTEGER NOT NULL,
    item TEXT NOT NULL, sample INTEGER NOT NULL, axis TEXT NOT NULL, "group" TEXT NOT NULL,
    condition TEXT NOT NULL, slots TEXT NOT NULL, request TEXT NOT NULL, "check" INTEGER,
    part TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (model, study, position)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
    model TEXT NOT NULL, item TEXT NOT NULL, outcome TEXT NOT NULL, text TEXT, logprobs TEXT,
    prompt_tokens INTEGER, completion_tokens INTEGER, finish_reason TEXT, reason TEXT,
    "check" INTEGER, aside TEXT,
    PRIMARY KEY (model, item)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS facts (
    key TEXT PRIMARY KEY, value TEXT NOT NULL, "check" INTEGER
) WITHOUT ROWID;
"""

_ANSWER = (
    "outcome, text, logprobs, prompt_tokens, completion_tokens, finish_reason, reason, "
    '"check", aside'
)
_EXCLUDED = ", ".join(f"excluded.{column}" for column in _ANSWER.split(", "))
_ITEM = 'item, sample, axis, "group", condition, slots, request, "check", part'
_KNOWN_ITEM = ", ".join(f"items.{column}" for column in _ITEM.split(", "))
_EXCLUDED_ITEM = ", ".join(f"excluded.{column}" for column in _ITEM.split(", "))
_OTHERS = ", ".join(f"o.{column}" for column in _ANSWER.split(", "))
_JOINED = (
    'SELECT i.item, i.study, i.sample, i.axis, i."group", i.condition, i.slots, i.request, '
    "a.outcome, a.text, a.logprobs, a.prompt_tokens, a.completion_tokens, a.finish_reason, "
    "a.reason, i.model, i.position, i.part, a.aside FROM items i JOIN answers a "
    "ON a.model = i.model AND a.item = i.item "
)


class Batch(NamedTuple):
    """What is committed at once: items of a study at their positions, and answers by item id."""

    model: str
    study: str
    items: Sequence[tuple[int, Item]]
    answers: Mapping[str, Answer]


class Journal:
    """An open journal.

    Parameters
    ----------
    path
        The SQLite file; made if it does not exist.

    Raises
    ------
    InputError
        The file is damaged or is not a journal.
    """

    def __init__(self, path: Path):
        self.path = path
        self._count = AnswerCount(path)
        with self._faults():
            self._count.check()
            # Polars reads the journal from a thread of its own while the engine waits for it.
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            # Model text may hold lone surrogates, which are no UTF-8: keep them as they are.
            self._db.text_factory = decoded
            self._db.execute("PRAGMA journal_mode = WAL")
            # A commit returns when it is on the disk, and on macOS when the disk has written it.
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA fullfsync = ON")
            if (verdict := self._db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
                raise sqlite3.DatabaseError(verdict)
            self._db.executescript(_SCHEMA)
            seal(self._db)
        self.verify()
        with self._faults():
            add_columns(self._db)

    def verify(self) -> None:
        """Hold every row against its checksum.

        Raises
        ------
        InputError
            A row is not as it was written.
        """
        with self._faults():
            found = damage(self._db, self.path.name)
        if found is not None:
            raise InputError(found, file=self.path)

    def commit(
        self,
        model: str,
        study: str,
        items: Sequence[tuple[int, Item]],
        answers: Mapping[str, Answer],
    ) -> None:
        """Store items at their positions and answers by item id, in one transaction."""
        self.commit_together([Batch(model, study, items, answers)])

    def commit_together(self, batches: Iterable[Batch]) -> None:
        """Store batches, one after the other, in one transaction; when it returns, on disk.

        An answer that is there already stays, unless it was an error. An item takes the place of
        another one: a question that depends on an answer changes when an error is answered after
        all.
        """
        with self._faults():
            with self._transaction():
                stored = self._store(batches)
                number = count(self._db, stored) if stored else 0
            if stored:
                self._count.note(number)

    def _store(self, batches: Iterable[Batch]) -> int:
        """Store batches in the transaction that is open, and say how many answers that were."""
        stored = 0
        for model, study, items, answers in batches:
            self._db.executemany(
                "INSERT INTO items VALUES (?,?,?,?,?,CAST(? AS TEXT),CAST(? AS TEXT),"
                "CAST(? AS TEXT),?,?,?,?) "
                f"ON CONFLICT DO UPDATE SET ({_ITEM}) = ({_EXCLUDED_ITEM}) "
                f"WHERE ({_KNOWN_ITEM}) <> ({_EXCLUDED_ITEM})",
                [item_row(model, study, position, item) for position, item in items],
            )
            stored += self._db.executemany(
                "INSERT INTO answers VALUES (?,?,?,CAST(? AS TEXT),?,?,?,?,CAST(? AS TEXT),?,"
                "CAST(? AS TEXT)) "
                f"ON CONFLICT DO UPDATE SET ({_ANSWER}) = ({_EXCLUDED}) "
                "WHERE answers.outcome = 'error'",
                [answer_row(model, item, answer) for item, answer in answers.items()],
            ).rowcount
        return stored

    def trim(self, model: str, study: str, stop: int) -> None:
        """Forget the items of a study from a position on; their answers stay."""
        query = "DELETE FROM items WHERE model = ? AND study = ? AND position >= ?"
        with self._faults(), self._transaction():
            self._db.execute(query, (model, study, stop))

    def outcomes(self, model: str, items: Sequence[str]) -> dict[str, Outcome]:
        """Say which of the item ids have been asked, and how that ended, errors included."""
        marks = ",".join("?" * len(items))
        query = f"SELECT item, outcome FROM answers WHERE model = ? AND item IN ({marks})"
        with self._faults():
            return dict(self._db.execute(query, (model, *items)).fetchall())

    def known(self, model: str, items: Iterable[str]) -> set[str]:
        """Say which of the item ids are of questions of a model."""
        wanted = set(items)
        query = "SELECT DISTINCT item FROM items WHERE model = ?"
        with self._faults():
            return {row[0] for row in self._db.execute(query, (model,)) if row[0] in wanted}

    def replies(self, model: str, study: str, start: int, stop: int) -> Replies:
        """Give the items at positions start … stop-1 with their answers, read on demand."""
        return Replies(self, model, study, start, stop)

    def rows(self, *, size: int = 5_000) -> Iterator[list[tuple[Any, ...]]]:
        """Read everything answered, ordered by model, study and position, in lists of rows."""
        with self._faults():
            cursor = self._db.execute(_JOINED + "ORDER BY i.model, i.study, i.position")
            while rows := cursor.fetchmany(size):
                yield rows

    def outcome_counts(self) -> dict[str, int]:
        """Count the answers to all items by outcome."""
        query = (
            "SELECT a.outcome, COUNT(*) FROM items i JOIN answers a "
            "ON a.model = i.model AND a.item = i.item GROUP BY a.outcome"
        )
        with self._faults():
            return dict(self._db.execute(query).fetchall())

    def tokens(self, model: str) -> tuple[int, int]:
        """Sum the prompt and completion tokens that a model's answers have taken."""
        query = (
            "SELECT COALESCE(SUM(prompt_tokens), 0), COALESCE(SUM(completion_tokens), 0) "
            "FROM answers WHERE model = ?"
        )
        with self._faults():
            prompt, completion = self._db.execute(query, (model,)).fetchone()
        return int(prompt), int(completion)

    def count_reason(self, model: str, reason: str) -> int:
        """Count the answers of a model that are none for this reason."""
        query = "SELECT COUNT(*) FROM answers WHERE model = ? AND reason = ?"
        with self._faults():
            return int(self._db.execute(query, (model, reason)).fetchone()[0])

    def remember(self, key: str, value: str) -> str:
        """Store a fact unless it is known, and return what is stored."""
        with self._faults(), self._transaction():
            self._db.execute("INSERT OR IGNORE INTO facts VALUES (?,?,?)", fact_row(key, value))
            row = self._db.execute("SELECT value FROM facts WHERE key = ?", (key,)).fetchone()
        return str(row[0])

    def facts(self) -> dict[str, str]:
        """Give everything stored by `remember`."""
        with self._faults():
            return dict(self._db.execute("SELECT key, value FROM facts ORDER BY key").fetchall())

    def absorb(self, other: Path) -> None:
        """Take over every item and answer of another journal (for `slant merge`)."""
        source = Journal(other)
        source.close()
        with self._faults():
            self._db.execute("ATTACH DATABASE ? AS other", (str(other),))
            with self._transaction():
                for table in TABLES:
                    named = ", ".join(f'"{name}"' for name in columns(self._db, table))
                    self._db.execute(
                        f"INSERT OR IGNORE INTO {table} ({named}) SELECT {named} FROM other.{table}"
                    )
                self._db.execute(
                    f"UPDATE answers SET ({_ANSWER}) = ({_OTHERS}) FROM other.answers o "
                    "WHERE answers.outcome = 'error' AND o.outcome <> 'error' "
                    "AND o.model = answers.model AND o.item = answers.item"
                )
            self._db.execute("DETACH DATABASE other")

    def close(self) -> None:
        """Close the file; everything committed is on disk."""
        self._db.close()
        self._count.close()

    def read(self, where: str, parameters: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        """Read joined rows under a condition."""
        with self._faults():
            yield from self._db.execute(_JOINED + where, parameters)

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            # A full disk may already have rolled the transaction back.
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.OperationalError, OSError) as error:
            raise SlantError(
                f"{self.path}: cannot be read or written ({error}). Everything committed so far "
                "is kept: make room or mend the permissions, then resume the run."
            ) from error
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise InputError(
                f"the journal is damaged ({error}). It was left as it is. To save what can be "
                f"read: sqlite3 {self.path.name} .recover | sqlite3 recovered.sqlite, put that in "
                "its place, and resume.",
                file=self.path,
            ) from error


def latest(path: Path, most: int) -> list[tuple[Any, ...]]:
    """Read the last answers of every study from a journal that somebody else may be writing to.

    Parameters
    ----------
    path
        The journal; it is opened for reading only.
    most
        How many answers of each model and study.

    Returns
    -------
    list of tuple
        As `Journal.rows` gives them, by model, study and position.

    Raises
    ------
    InputError
        It cannot be read.
    """
    places = "SELECT DISTINCT model, study FROM items ORDER BY model, study"
    query = _JOINED + "WHERE i.model = ? AND i.study = ? ORDER BY i.position DESC LIMIT ?"
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            db.text_factory = decoded
            query = without_later_columns(db, query)
            return [
                row
                for model, study in db.execute(places).fetchall()
                for row in reversed(db.execute(query, (model, study, most)).fetchall())
            ]
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise InputError(f"the journal cannot be read: {error}", file=path) from error


class Replies:
    """Items with their answers, read from the journal each time they are iterated."""

    def __init__(self, journal: Journal, model: str, study: str, start: int, stop: int):
        self._journal, self._whose, self._span = journal, (model, study), (start, stop)

    def __iter__(self) -> Iterator[tuple[Item, Answer]]:
        """Read some thousand at a time: what is asked meanwhile can be written."""
        where = "WHERE i.model = ? AND i.study = ? AND i.position >= ? AND i.position < ? "
        start, stop = self._span
        for begin in range(start, stop, _READ_AT_ONCE):
            span = (*self._whose, begin, min(begin + _READ_AT_ONCE, stop))
            for row in list(self._journal.read(where + "ORDER BY i.position", span)):
                yield item_and_answer(row)
