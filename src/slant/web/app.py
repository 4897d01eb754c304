"""The dashboard put together: pages, guard, errors."""

from __future__ import annotations

import sys
import traceback
from contextlib import asynccontextmanager
from threading import Event
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from slant.errors import InputError, SlantError
from slant.web.assets import graph_script, graph_style, report_script, report_style
from slant.web.comparisons import Comparisons
from slant.web.damage import Damage
from slant.web.guard import LOOPBACK, Guard
from slant.web.pages import ROUTES
from slant.web.plays import Plays
from slant.web.render import page
from slant.web.run_index import RunIndex

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

    from slant.models.key_hosts import KeyHosts


def dashboard(
    directory: Path,
    *,
    hosts: frozenset[str] | None = LOOPBACK,
    token: str | None = None,
    key_hosts: KeyHosts | None = None,
) -> Starlette:
    """Make the dashboard of the runs in a directory.

    Parameters
    ----------
    directory
        Holds runs, or is one.
    hosts
        Names that it goes by; `None` for any, which needs a token.
    token
        Secret that a browser must show once; `None` for none.
    key_hosts
        Servers to which plays may send the key.

    Returns
    -------
    starlette.applications.Starlette
        An ASGI application. Its `state.run_index` finds the runs, `state.comparisons` keeps what
        was compared, `state.plays` plays; `state.closing` is to be set when it should end, so that
        what it streams to browsers ends too.
    """
    app = Starlette(
        routes=[
            *ROUTES,
            Route("/static/report.css", report_style),
            Route("/static/report.js", report_script),
            Route("/static/graph.css", graph_style),
            Route("/static/graph.js", graph_script),
            Mount("/static", StaticFiles(packages=[("slant.web", "static")])),
        ],
        middleware=[
            Middleware(Guard, hosts=hosts, token=token),
            Middleware(Damage, failed=_failed),
        ],
        exception_handlers={
            SlantError: _failed,
            HTTPException: _no_page,
            Exception: _defect,
        },
        lifespan=_open,
    )
    app.state.run_index = RunIndex(directory)
    app.state.comparisons = Comparisons()
    app.state.closing = Event()
    app.state.plays = Plays(app.state.closing, key_hosts)
    return app


@asynccontextmanager
async def _open(app: Starlette) -> AsyncIterator[None]:
    """End what plays when the dashboard is closed."""
    yield
    await app.state.plays.close()


def _failed(request: Request, error: Exception) -> Response:
    status = 400 if isinstance(error, InputError) else 500
    return page(request, "error.html.j2", status=status, title="This cannot be shown", error=error)


def _no_page(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = "There is no such page." if status == 404 else f"The request was refused ({status})."
    return page(request, "error.html.j2", status=status, title="Not found", error=words)


def _defect(request: Request, error: Exception) -> Response:
    """Say that something broke; where, is for the terminal and not for the page."""
    traceback.print_exception(error, file=sys.stderr)
    words = f"A defect of slant: {type(error).__name__}. The terminal says where; please report it."
    return page(request, "error.html.j2", status=500, title="Something broke", error=words)
