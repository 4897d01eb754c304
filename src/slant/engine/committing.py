"""Committing batches together: those that come in while the disk is busy share one commit."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.engine.journal import Batch, Journal


class Committer:
    """Takes batches to the journal, from a thread, so that a slow disk keeps no reply waiting.

    A commit waits for the disk. What is handed over meanwhile goes into the next commit, all of it:
    however many batches come at once, each waits for two commits at most.

    Parameters
    ----------
    journal
        Where they go; nothing else may write to it while a batch is on its way.
    """

    def __init__(self, journal: Journal):
        self._journal = journal
        self._waiting: list[tuple[Batch, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def commit(self, batch: Batch) -> None:
        """Store a batch; when this returns, it is on disk.

        Raises
        ------
        SlantError
            It cannot be stored.
        """
        stored = asyncio.get_running_loop().create_future()
        self._waiting.append((batch, stored))
        if self._writing is None:
            self._writing = asyncio.create_task(self._write())
        await stored

    async def _write(self) -> None:
        while self._waiting:
            together, self._waiting = self._waiting, []
            faults = await asyncio.to_thread(self._faults, [batch for batch, _ in together])
            for (_, stored), fault in zip(together, faults, strict=True):
                if stored.cancelled():
                    continue
                if fault is None:
                    stored.set_result(None)
                else:
                    stored.set_exception(fault)
        self._writing = None

    def _faults(self, batches: Sequence[Batch]) -> list[Exception | None]:
        """Store batches, and say what went wrong with each; one that fails takes none along."""
        try:
            self._journal.commit_together(batches)
        except Exception as fault:  # whoever waits for the batch raises it
            if len(batches) == 1:
                return [fault]
            return [self._faults([batch])[0] for batch in batches]
        return [None] * len(batches)
