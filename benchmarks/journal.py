"""What it costs that an answer is on disk before it counts: commits with and without waiting.

The same batches of ten answers are stored four ways, in turns, on the disk of the temporary
directory: one at a time and sixteen at once (as a server with sixteen requests under way brings
them), each with the disk waited for (`synchronous=FULL`, as slant does it) and not (`NORMAL`, which
may lose the last commits in a power cut). The best of the turns counts: what else a machine does
only adds. `commits_a_batch` says how far sixteen at once share commits, whatever the disk;
`open_ms_1000` is the processor time that opening a journal takes for every 1,000 answers in it,
all checksums verified.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from slant.engine.committing import Committer
from slant.engine.journal import Batch, Journal
from slant.records import Answer, Generate, Item

if TYPE_CHECKING:
    from collections.abc import Iterable

BATCH = 10
AT_ONCE = 16
TURNS = 5
AT_MOST = {"commits_a_batch": 0.2, "open_ms_1000": 60.0}
AT_LEAST: dict[str, float] = {}


class _Counting(Journal):
    """Counts commits."""

    commits = 0

    def commit_together(self, batches: Iterable[Batch]) -> None:
        self.commits += 1
        super().commit_together(batches)


def _batches(count: int) -> list[Batch]:
    text = "bar and ordered tea, then told a story about the weather in May. " * 4
    batches = []
    for number in range(count):
        places = range(number * BATCH, (number + 1) * BATCH)
        items = [(place, Item("s", Generate(f"q{place}"), 0, "axis", "g")) for place in places]
        answers = {item.id: Answer("answered", text, None, 12, 60, "stop") for _, item in items}
        batches.append(Batch("m", "s", items, answers))
    return batches


async def _store(journal: Journal, batches: list[Batch], at_once: int) -> None:
    committer, queue = Committer(journal), iter(batches)

    async def worker() -> None:
        for batch in queue:
            await committer.commit(batch)

    await asyncio.gather(*(worker() for _ in range(at_once)))


def _stored(
    folder: Path, batches: list[Batch], at_once: int, *, durable: bool
) -> tuple[float, int]:
    """Store batches; say how many seconds and commits that took."""
    path = folder / "journal.sqlite"
    with closing(_Counting(path)) as journal:
        if not durable:
            journal._db.execute("PRAGMA synchronous = NORMAL")  # as it once was
        began = time.perf_counter()
        asyncio.run(_store(journal, batches, at_once))
        taken = time.perf_counter() - began
    path.unlink()
    return taken, journal.commits


def _sync_ms(folder: Path, times: int = 50) -> float:
    with (folder / "probe").open("wb") as probe:
        began = time.perf_counter()
        for _ in range(times):
            probe.write(bytes(8192))
            probe.flush()
            os.fdatasync(probe.fileno())
        return 1000 * (time.perf_counter() - began) / times


def run(count: int = 500) -> dict[str, float]:
    """Measure.

    Returns
    -------
    dict
        `sync_ms`, what the disk takes to write; milliseconds a batch of ten answers for each way;
        `commits_a_batch` and `open_ms_1000`.
    """
    batches = _batches(count)
    ways = [(at_once, durable) for at_once in (1, AT_ONCE) for durable in (False, True)]
    taken: dict[tuple[int, bool], list[float]] = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        sync = _sync_ms(folder)
        for _ in range(TURNS):
            for at_once, durable in ways:
                seconds, commits = _stored(folder, batches, at_once, durable=durable)
                taken[at_once, durable].append(1000 * seconds / count)
        with closing(Journal(folder / "full.sqlite")) as journal:
            journal.commit_together(batches)
        began = time.process_time()
        Journal(folder / "full.sqlite").close()
        opened = time.process_time() - began
    each = {way: min(times) for way, times in taken.items()}
    return {
        "sync_ms": round(sync, 3),
        "alone_not_waiting_ms": round(each[1, False], 3),
        "alone_ms": round(each[1, True], 3),
        "together_not_waiting_ms": round(each[AT_ONCE, False], 3),
        "together_ms": round(each[AT_ONCE, True], 3),
        "commits_a_batch": round(commits / count, 4),
        "open_ms_1000": round(1e6 * opened / (count * BATCH), 2),
    }
