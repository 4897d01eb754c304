"""An HTTP client that waits its turn, and takes a reply only if it is whole, in time and small.

It is a client of httpx, which the packages of the services take in place of their own: what is
asked again, and how, remains theirs, but for questions that a busy server has turned away.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

import httpx2

from slant.models.remote.reply import json_object
from slant.models.remote.waits import wait_asked_for, wait_until_refilled

if TYPE_CHECKING:
    from slant.models.remote.pace import Pace

LONGEST = 8 * 2**20
"""Bytes that a reply may have, once it is decompressed."""

_LONGEST_COMPLAINT = 2**16
"""Bytes that are read of what a server says about a failure."""

_KEPT = ("retry-after", "retry-after-ms", "x-should-retry")
"""Headers that the services' packages act on; others may hold what nobody should log."""

_DECODED = ("content-encoding", "content-length", "transfer-encoding")

_HARDLY_ANY_LIMIT = httpx2.Limits(max_connections=1000, max_keepalive_connections=100)


for _name in ("httpcore2", "httpx2"):
    # They log the headers of replies, in which a server may say the key.
    logging.getLogger(_name).setLevel(logging.WARNING)


class UnusableReplyError(httpx2.RemoteProtocolError):
    """What came back is no reply; the question is asked again like after a lost connection."""


class PatientClient(httpx2.AsyncClient):
    """A client for one server.

    - No more is asked, and no faster, than the server takes; what it turns away for being busy is
      asked again until it takes it.
    - The timeout of a request holds for the whole of its reply, also where it comes drop by drop.
    - A reply is read up to `LONGEST` bytes.
    - A reply that claims success and holds no JSON object is none. The object of one that does is
      in its `extensions["json"]`.
    - Redirections are not followed: another address is not the one that the user has named.
    - Cookies are not kept.

    Parameters
    ----------
    pace
        How fast the server is asked.
    """

    def __init__(self, pace: Pace):
        super().__init__(follow_redirects=False, limits=_HARDLY_ANY_LIMIT)
        self._pace = pace
        self._queue, self._ended = asyncio.Lock(), asyncio.Event()

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request as soon as the server is likely to take it, and read the reply.

        Raises
        ------
        SlantError
            The server has been too busy for too long.
        """
        while True:
            begun = await self._turn()
            try:
                reply = await self._whole(request, options)
            finally:
                self._pace.end()
                self._ended.set()
            now = time.monotonic()
            if _too_busy(reply):
                self._pace.was_busy(begun, now, wait_asked_for(reply.headers))
                continue
            if reply.status_code < 500 and request.method == "POST":
                self._pace.took(now, wait_until_refilled(reply.headers))
            return _readable(reply)

    async def _turn(self) -> float:
        """Wait until the next question may begin; who came first goes first."""
        async with self._queue:
            while True:
                now = time.monotonic()
                if not self._pace.room:
                    self._ended.clear()
                    await self._ended.wait()
                elif delay := self._pace.delay(now):
                    await asyncio.sleep(delay)
                else:
                    self._pace.begin(now)
                    return now

    async def _whole(self, request: httpx2.Request, options: dict[str, Any]) -> httpx2.Response:
        limit = request.extensions["timeout"]["read"]
        try:
            async with asyncio.timeout(limit):
                reply = await super().send(request, **{**options, "stream": True})
                self.cookies.jar.clear()
                try:
                    content = await _content(reply)
                finally:
                    await reply.aclose()
        except TimeoutError:
            raise httpx2.ReadTimeout("the reply took too long", request=request) from None
        headers = [pair for pair in reply.headers.multi_items() if pair[0] not in _DECODED]
        return httpx2.Response(reply.status_code, headers=headers, content=content, request=request)


async def _content(reply: httpx2.Response) -> bytes:
    content = bytearray()
    try:
        async with aclosing(reply.aiter_bytes()) as parts:
            async for part in parts:
                content += part
                if len(content) > LONGEST:
                    raise UnusableReplyError(f"the reply is longer than {LONGEST >> 20} MiB")
    except httpx2.DecodingError:
        raise UnusableReplyError("the reply cannot be decompressed") from None
    return bytes(content)


def _too_busy(reply: httpx2.Response) -> bool:
    """Tell a server that wants to be asked later from one that fails, or whose user has to pay."""
    if reply.status_code == 503:
        return any(name in reply.headers for name in ("retry-after", "retry-after-ms"))
    return reply.status_code in (429, 529) and b"insufficient_quota" not in reply.content


def _readable(reply: httpx2.Response) -> httpx2.Response:
    """Leave of a reply what is of use, and of one that claims success the object in it."""
    said = {}
    if reply.is_success:
        try:
            said["json"] = json_object(reply.content, reply.charset_encoding)
        except ValueError as error:
            raise UnusableReplyError(f"HTTP {reply.status_code}, but {error}") from None
    return httpx2.Response(
        reply.status_code,
        headers={name: reply.headers[name] for name in _KEPT if name in reply.headers},
        content=b"" if said else reply.content[:_LONGEST_COMPLAINT],
        request=reply.request,
        extensions=said,
    )
