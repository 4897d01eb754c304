"""Answers kept across runs, for those who ask for it with `--cache`."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from slant.engine.journal_rows import answer_from_row, aside_to_text
from slant.errors import SlantError
from slant.records import request_to_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from slant.records import Answer, Item


class AnswerCache:
    """Answers by model fingerprint, request, sample index and seed.

    The sample index is part of the key, so a hundred draws of one prompt stay a hundred draws.
    Only answers are kept, never errors.

    Parameters
    ----------
    path
        The SQLite file; made if it does not exist.
    fingerprint
        What exactly answers: `Model.fingerprint()`.
    """

    def __init__(self, path: Path, fingerprint: Mapping[str, str]):
        self._model = json.dumps(dict(fingerprint), sort_keys=True)
        self._path = path
        with self._faults():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, timeout=30)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL) "
                "WITHOUT ROWID"
            )

    def get(self, items: Sequence[Item], seed: int) -> dict[str, Answer]:
        """Give the known answers by item id."""
        found = {}
        query = "SELECT answer FROM answers WHERE key = ?"
        for item in items:
            with self._faults():
                row = self._db.execute(query, (self._key(item, seed),)).fetchone()
            if row is not None:
                found[item.id] = answer_from_row(_whole(json.loads(row[0])))
        return found

    def put(self, items: Sequence[Item], answers: Sequence[Answer], seed: int) -> None:
        """Keep answers for later runs."""
        rows = [
            (
                self._key(item, seed),
                json.dumps(
                    [
                        answer.outcome,
                        answer.text,
                        None if answer.logprobs is None else json.dumps(answer.logprobs),
                        answer.prompt_tokens,
                        answer.completion_tokens,
                        answer.finish_reason,
                        answer.reason,
                        aside_to_text(answer.aside),
                    ]
                ),
            )
            for item, answer in zip(items, answers, strict=True)
            if answer.outcome != "error"
        ]
        with self._faults():
            self._db.execute("BEGIN")
            self._db.executemany("INSERT OR IGNORE INTO answers VALUES (?, ?)", rows)
            self._db.execute("COMMIT")

    def _key(self, item: Item, seed: int) -> str:
        content = f"{self._model}\n{seed}\n{item.sample}\n{request_to_json(item.request)}"
        return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise SlantError(f"the answer cache {self._path} cannot be used: {error}") from error

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def _whole(row: list[Any]) -> list[Any]:
    """Complete a row that an older slant kept, which knew of no thought."""
    return [*row, None][:8]
