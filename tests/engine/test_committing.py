"""Committing together: one commit for all that wait, and none drags another down."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from patience import PATIENCE
from running import question
from slant.engine.committing import Committer
from slant.engine.journal import Batch, Journal
from slant.records import Answer


class Watched(Journal):
    """Remembers how many batches each commit held; commits only while the disk is free."""

    def __init__(self, path: Path):
        super().__init__(path)
        self.groups: list[int] = []
        self.busy, self.free = threading.Event(), threading.Event()
        self.free.set()

    def commit_together(self, batches: Iterable[Batch]) -> None:
        self.busy.set()
        assert self.free.wait(PATIENCE)
        together = list(batches)
        super().commit_together(together)
        self.groups.append(len(together))


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Watched]:
    journal = Watched(tmp_path / "journal.sqlite")
    yield journal
    journal.close()


def batch(number: int, text: object = "said") -> Batch:
    item = question(f"q{number}")
    return Batch("m", "chain", [(number, item)], {item.id: Answer("answered", text)})  # type: ignore[arg-type]


def stored(journal: Journal) -> list[int]:
    return [row[16] for rows in journal.rows() for row in rows]


def test_what_comes_while_the_disk_is_busy_shares_the_next_commit(journal: Watched) -> None:
    async def work() -> None:
        committer = Committer(journal)
        journal.free.clear()
        first = asyncio.create_task(committer.commit(batch(0)))
        await asyncio.to_thread(journal.busy.wait, PATIENCE)
        others = [asyncio.create_task(committer.commit(batch(number))) for number in range(1, 9)]
        await asyncio.sleep(0)
        assert not any(task.done() for task in (first, *others))  # nothing counts before its time
        journal.free.set()
        await asyncio.gather(first, *others)

    asyncio.run(work())
    assert journal.groups == [1, 8]
    assert stored(journal) == list(range(9))


def test_a_batch_that_cannot_be_stored_takes_none_along(journal: Watched) -> None:
    async def work() -> list[object]:
        committer = Committer(journal)
        batches = [batch(0), batch(1, text=["no text"]), batch(2)]
        return await asyncio.gather(*map(committer.commit, batches), return_exceptions=True)

    first, broken, last = asyncio.run(work())
    assert first is None
    assert isinstance(broken, Exception)
    assert last is None
    assert stored(journal) == [0, 2]


def test_who_stops_waiting_keeps_nobody_from_being_stored(journal: Watched) -> None:
    async def work() -> None:
        committer = Committer(journal)
        tasks = [asyncio.create_task(committer.commit(batch(number))) for number in range(3)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(tasks[0], tasks[2])
        await committer.commit(batch(3))

    asyncio.run(work())
    assert {0, 2, 3} <= set(stored(journal))
