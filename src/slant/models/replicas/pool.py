"""Copies of a model in processes of this machine."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from slant.errors import SlantError
from slant.models.replicas.model_copy import RETRIES, ModelCopy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from slant.models.key_hosts import KeyHosts
    from slant.models.replicas.model_copy import Reply
    from slant.records import Ability, Item

Told = TypeVar("Told")

_copied: tuple[str, KeyHosts | None]
"""In a worker process: what `ModelCopy` makes its copy of."""


class Pool:
    """Processes of one thread, each with a copy of the model.

    Where one dies, the standard library gives up the whole pool: it is made anew, and the batches
    that were under way are tried again.

    Parameters
    ----------
    spelling
        The model's spelling.
    workers
        How many processes.
    key_hosts
        As `slant.models.open.open_model` takes it.
    """

    def __init__(self, spelling: str, workers: int, key_hosts: KeyHosts | None = None):
        self.size = workers
        self._copied = spelling, key_hosts
        # A process starts Python with -c, which imports from the current folder before it is told
        # where this one looks for modules.
        os.environ["PYTHONSAFEPATH"] = "1"
        self._executor = self._new()

    def _new(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")  # a fork would inherit torch's threads
        return ProcessPoolExecutor(
            self.size, mp_context=context, initializer=_begin, initargs=self._copied
        )

    def fingerprint(self) -> dict[str, str]:
        """Load the model in one of the processes and say what it is.

        Raises
        ------
        SlantError
            The process died over it.
        """
        return self._from_one(_fingerprint)

    def abilities(self) -> frozenset[Ability]:
        """Say what the model can do; asks one of the processes.

        Raises
        ------
        SlantError
            The process died over it.
        """
        return self._from_one(_abilities)

    def _from_one(self, question: Callable[[], Told]) -> Told:
        try:
            return self._executor.submit(question).result()
        except BrokenProcessPool as error:
            raise SlantError(
                "a worker process died while it loaded the model, perhaps for want of memory"
            ) from error

    async def answer(self, items: Sequence[Item], seed: int, like: Mapping[str, str]) -> Reply:
        """Have a free process answer a batch.

        Raises
        ------
        SlantError
            Process after process died over it.
        """
        for _ in range(1 + RETRIES):
            executor = self._executor
            try:
                return await asyncio.wrap_future(executor.submit(_answer, items, seed, like))
            except BrokenProcessPool:
                if self._executor is executor:  # no other batch has made a new one yet
                    executor.shutdown(wait=False)
                    self._executor = self._new()
        raise SlantError(
            f"worker processes died {1 + RETRIES} times over the same {len(items)} questions, "
            "perhaps for want of memory: fewer workers need less of it"
        )

    def stop(self) -> None:
        """End the processes, once they have answered what they have begun."""
        self._executor.shutdown(cancel_futures=True)

    def kill(self) -> None:
        """End the processes at once, whatever they are at."""
        # Python 3.14 has kill_workers for this.
        for process in tuple((self._executor._processes or {}).values()):
            process.kill()
        self.stop()


def _begin(spelling: str, key_hosts: KeyHosts | None) -> None:
    """Make a worker process ready; what fails here is not told to whoever waits, so load later."""
    global _copied
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the engine, which lets us finish
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    _copied = spelling, key_hosts


def _leave_with_parent() -> None:
    """End this process when the one that started it has ended, however it did."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


@cache
def _held() -> tuple[ModelCopy, asyncio.AbstractEventLoop]:
    """Give what a worker process holds: its copy, and the loop in which the copy always runs."""
    return ModelCopy(*_copied), asyncio.new_event_loop()


def _fingerprint() -> dict[str, str]:
    return _held()[0].fingerprint()


def _abilities() -> frozenset[Ability]:
    return _held()[0].abilities()


def _answer(items: Sequence[Item], seed: int, like: Mapping[str, str]) -> Reply:
    copy, loop = _held()
    return loop.run_until_complete(copy.answer(items, seed, like))
