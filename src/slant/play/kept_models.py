"""Models that stay open between plays, each lent to one play at a time."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from slant.models.deployment.deployment import part_deployment
from slant.models.key_hosts import KeyHosts
from slant.models.model_spec import parse_model_spec
from slant.models.open import open_model
from slant.models.replicas.apart import Apart

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from slant.models.model import Model

_LIGHT = {"anthropic", "http", "https", "mock", "openai", "python", "replay", "target"}
"""Schemes of models that take no memory here; all others run in a process of their own."""


class KeptModels:
    """Lends models to plays, and ends those that nobody has played with for a while.

    A model on this machine runs in a process of its own, which stays until it has been idle or
    another such model is wanted, so that no more than one that is idle takes memory. Other models
    are opened anew for every play. All methods belong to one event loop.

    Parameters
    ----------
    idle
        Seconds after which an idle process is ended.
    key_hosts
        Servers that get the key in `SLANT_API_KEY`. A play names its model in a form, which a link
        may have filled, so no other server gets it.
    """

    def __init__(self, idle: float = 600.0, key_hosts: KeyHosts | None = None):
        self._idle, self._key_hosts = idle, key_hosts or KeyHosts()
        self._kept: dict[str, _Kept] = {}
        self._ending: set[asyncio.Task[None]] = set()

    def busy(self, spelling: str) -> bool:
        """Say whether a model is lent, so that another play has to wait."""
        kept = self._kept.get(spelling)
        return kept is not None and kept.lock.locked()

    @asynccontextmanager
    async def lent(self, spelling: str) -> AsyncIterator[Model]:
        """Lend a model, open and loaded, as soon as nobody else has it.

        Raises
        ------
        SlantError
            It cannot be opened or loaded.
        """
        parsed = replace(parse_model_spec(spelling), key_hosts=self._key_hosts)
        part_deployment(parsed)  # refuses to read files that a form names
        apart = parsed.scheme not in _LIGHT
        kept = self._kept.setdefault(spelling, _Kept(spelling, apart, self._key_hosts))
        async with kept.lock:
            kept.stay()
            if apart:
                await self._make_room(kept)
            try:
                yield await kept.opened()
            finally:
                if apart:
                    loop = asyncio.get_running_loop()
                    kept.timer = loop.call_later(self._idle, self._end, kept)
                else:
                    await kept.close()

    async def close(self) -> None:
        """End every model."""
        for kept in self._kept.values():
            kept.stay()
            await kept.close()
        await asyncio.gather(*self._ending)

    async def _make_room(self, wanted: _Kept) -> None:
        for kept in self._kept.values():
            if kept is not wanted and not kept.lock.locked():
                kept.stay()
                await kept.close()

    def _end(self, kept: _Kept) -> None:
        if not kept.lock.locked():
            task = asyncio.ensure_future(kept.close())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)


class _Kept:
    """One model, open or not, and who has it."""

    def __init__(self, spelling: str, apart: bool, key_hosts: KeyHosts):
        self.lock = asyncio.Lock()
        self.timer: asyncio.TimerHandle | None = None
        self._spelling, self._apart, self._key_hosts = spelling, apart, key_hosts
        self._opening: asyncio.Future[Model] | None = None

    def stay(self) -> None:
        """Do not end it for being idle."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    async def opened(self) -> Model:
        """Open the model, unless it is open; a play that goes away does not stop the loading."""
        if self._opening is None or (self._opening.done() and self._failed(self._opening)):
            self._opening = asyncio.ensure_future(asyncio.to_thread(self._open))
        return await asyncio.shield(self._opening)

    def _open(self) -> Model:
        opened = Apart if self._apart else open_model
        model: Model = opened(self._spelling, key_hosts=self._key_hosts)
        model.fingerprint()
        return model

    @staticmethod
    def _failed(opening: asyncio.Future[Model]) -> bool:
        return opening.cancelled() or opening.exception() is not None

    async def close(self) -> None:
        """End it; once it is loaded, if it is being loaded."""
        opening, self._opening = self._opening, None
        if opening is None:
            return
        await asyncio.wait([opening])
        if not self._failed(opening):
            await opening.result().close()
