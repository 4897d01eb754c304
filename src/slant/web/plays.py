"""Plays under way: each asks in a task of its own, for as long as a browser listens."""

from __future__ import annotations

import asyncio
import sys
import traceback
from contextlib import aclosing
from typing import TYPE_CHECKING

from slant.errors import SlantError
from slant.play import KeptModels, play

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from threading import Event as Flag

    from slant.models.key_hosts import KeyHosts
    from slant.play import Event, PlayRequest

_AHEAD = 8
"""Events that may wait for the browser; with more the asking waits, too."""


_GLANCE = 0.3
"""Seconds after which a stream looks whether the dashboard is being closed."""


class Plays:
    """What plays, and the models that it is played with.

    Parameters
    ----------
    closing
        Set when the dashboard is to end: then every play does.
    key_hosts
        Servers that get the key; none but those that were named when the dashboard was started.
    """

    def __init__(self, closing: Flag, key_hosts: KeyHosts | None = None):
        self._closing = closing
        self._models = KeptModels(key_hosts=key_hosts)
        self._under_way: set[asyncio.Task[None]] = set()

    async def listen(self, wanted: PlayRequest) -> AsyncGenerator[Event | SlantError]:
        """Give the events of a play as they come; the last may be why it failed.

        Whoever stops listening, in whatever way, stops the asking.
        """
        events: asyncio.Queue[Event | SlantError | None] = asyncio.Queue(_AHEAD)
        task = asyncio.create_task(self._ask(wanted, events))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            while not self._closing.is_set():
                getting = asyncio.ensure_future(events.get())
                while not getting.done() and not self._closing.is_set():
                    await asyncio.wait([getting], timeout=_GLANCE)
                if not getting.done():
                    getting.cancel()
                elif (event := getting.result()) is None:
                    return
                else:
                    yield event
            yield SlantError("the dashboard is being closed")
        finally:
            # Not awaited: where a server cancels a request, it cancels every wait in here, too.
            task.cancel()

    async def _ask(
        self, wanted: PlayRequest, events: asyncio.Queue[Event | SlantError | None]
    ) -> None:
        try:
            async with aclosing(play(wanted, self._models)) as played:
                async for event in played:
                    await events.put(event)
        except SlantError as error:
            await events.put(error)
        except Exception as error:
            traceback.print_exception(error, file=sys.stderr)
            words = f"a defect of slant: {type(error).__name__}; the terminal says where"
            await events.put(SlantError(words))
        await events.put(None)

    async def close(self) -> None:
        """Stop everything and end the models."""
        under_way = list(self._under_way)
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        await self._models.close()
