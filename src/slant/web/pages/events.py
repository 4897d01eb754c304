"""What a page is told while a run goes on: a stream of server-sent events.

`progress` brings the pieces of the page that change, `ended` says that there is more to see than
before. Nothing is read but the run's small files; the journal is left to the run.
"""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse
from starlette.routing import Route

from slant.errors import InputError
from slant.web.live import live_view
from slant.web.pages.overview import asked_run
from slant.web.render import fragment

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.responses import Response

_PAUSE = 0.5
"""Seconds between two looks at the run."""

_HEARTBEAT = 15.0
"""Seconds after which a silent stream says that it is still there."""


async def events(request: Request) -> Response:
    """Tell how far a run is, until it has ended or nobody listens."""
    await run_in_threadpool(asked_run, request)  # refuses what is no run
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_events(request), media_type="text/event-stream", headers=headers)


async def _events(request: Request) -> AsyncIterator[str]:
    said, quiet = "", 0.0
    yield "retry: 2000\n\n"
    while not request.app.state.closing.is_set() and not await request.is_disconnected():
        event, data = await run_in_threadpool(_now, request)
        if data != said:
            yield f"event: {event}\ndata: {data}\n\n"
            said, quiet = data, 0.0
        elif quiet >= _HEARTBEAT:
            yield ": still here\n\n"
            quiet = 0.0
        if event == "ended":
            return
        await asyncio.sleep(_PAUSE)
        quiet += _PAUSE


def _now(request: Request) -> tuple[str, str]:
    """Say what is new: the name of the event, and what it brings."""
    try:
        run = asked_run(request)
    except InputError:  # removed in the meantime
        return "ended", "{}"
    state = run.state()
    if state.kind != "going":
        return "ended", "{}"
    live = live_view(run, state)
    if live is None:
        return "progress", json.dumps({"words": state.words, "headline": state.reason})
    changed = {
        "words": state.words,
        "headline": live.headline,
        "percent": live.percent,
        "figures": fragment("live_figures.html.j2", live=live),
        "newest": fragment("live_newest.html.j2", live=live),
    }
    return "progress", json.dumps(changed)


ROUTES = [Route("/run/{run}/events", events)]
