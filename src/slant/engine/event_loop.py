"""Running a coroutine from wherever slant is called, and leaving at once."""

from __future__ import annotations

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from slant.errors import InterruptedRunError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

T = TypeVar("T")


def in_event_loop(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine, also where a loop runs already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    cancel: list[Callable[[], object]] = []

    async def work() -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None  # noqa: S101 - a coroutine runs in a task; for the type checker
        cancel.append(lambda: loop.call_soon_threadsafe(task.cancel))
        return await coroutine

    with ThreadPoolExecutor(1) as aside:
        running = aside.submit(asyncio.run, work())
        try:
            while not running.done():  # a wait without end may not notice Ctrl-C
                wait([running], timeout=0.2)
        except KeyboardInterrupt:
            with suppress(RuntimeError):  # the loop has just come to its end
                for stop in cancel:
                    stop()
            raise
        return running.result()


def abandon(resume: str) -> None:
    """Leave at once: what is committed is safe, and threads of a local model cannot be stopped."""
    message = f"abandoned. To continue: {resume}"
    cursor = "\x1b[?25h" if sys.stderr.isatty() else ""  # the progress bar has hidden it
    print(cursor + message, file=sys.stderr, flush=True)  # noqa: T201 - the last word of the process
    os._exit(InterruptedRunError.exit_code)
