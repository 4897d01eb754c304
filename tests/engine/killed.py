"""A slant command that kills itself at the n-th thing it does, so that no kill depends on a clock.

`python killed.py KIND NUMBER DIRECTORY RECORD command …`: KIND is `reply` (a batch is answered, and
not stored yet), `statement` (the journal is about to run one) or `file` (a file under DIRECTORY is
about to be made, renamed or removed). The number 0 kills never, and RECORD then says how many
things of each kind there were.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

KIND, NUMBER, DIRECTORY, RECORD = sys.argv[1], int(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
FILE_EVENTS = ("os.mkdir", "os.rename", "os.remove", "os.rmdir")
CONCURRENCY = 4
"""Batches under way at once, so that some are stored together."""

seen: Counter[str] = Counter()


def happened(kind: str) -> None:
    seen[kind] += 1
    if kind == KIND and seen[kind] == NUMBER:
        os.kill(os.getpid(), signal.SIGKILL)


def audit_hook(event: str, arguments: tuple[Any, ...]) -> None:
    written = event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_CREAT
    if (written or event in FILE_EVENTS) and str(arguments[0]).startswith(DIRECTORY):
        happened("file")


def watch() -> None:
    from slant.models.mock.model import Mock

    connect, answer = sqlite3.connect, Mock.answer

    def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.set_trace_callback(lambda _: happened("statement"))
        return connection

    async def counted(self: Mock, items: Sequence[Any], seed: int) -> list[Any]:
        answers = await answer(self, items, seed)
        happened("reply")
        return answers

    sqlite3.connect = traced  # type: ignore[assignment]
    Mock.answer = counted  # type: ignore[method-assign]
    Mock.concurrency = CONCURRENCY
    sys.addaudithook(audit_hook)


if __name__ == "__main__":
    import slant

    watch()
    verb, *paths = sys.argv[5:]
    if verb == "audit":
        slant.audit(paths[0], paths[1], out=paths[2])
    elif verb == "resume":
        slant.resume(paths[0])
    else:
        slant.merge(paths[1:], paths[0])
    RECORD.write_text(json.dumps(seen))
