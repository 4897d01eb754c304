"""Dashboards for tests: one served for real, one asked without a server between."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from starlette.testclient import TestClient

from patience import until
from slant.web.app import dashboard
from slant.web.serve import _bound


@contextmanager
def served(directory: Path) -> Iterator[str]:
    """Serve a dashboard on a port of its own; give its address without the last slash."""
    server = uvicorn.Server(
        uvicorn.Config(dashboard(directory), log_level="error", timeout_graceful_shutdown=1)
    )
    bound = _bound("127.0.0.1", 0)
    address = f"http://127.0.0.1:{bound.getsockname()[1]}"
    thread = threading.Thread(target=lambda: asyncio.run(_serve(server, bound)), daemon=True)
    thread.start()
    until(lambda: server.started)
    yield address
    server.should_exit = True
    thread.join()


async def _serve(server: uvicorn.Server, bound: socket.socket) -> None:
    await server.serve(sockets=[bound])
    # A browser opens connections ahead of what it asks: one that came late is still open.
    for connection in server.server_state.connections:
        if connection.transport is not None:
            connection.transport.abort()
    await asyncio.sleep(0)


def client_of(directory: Path) -> TestClient:
    """Ask a dashboard of a directory; whatever is a defect of slant is raised here."""
    headers = {"Origin": "http://localhost"}
    return TestClient(dashboard(directory), base_url="http://localhost", headers=headers)
