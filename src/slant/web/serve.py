"""Serving the dashboard: a port, a server, a browser."""

from __future__ import annotations

import errno
import secrets
import socket
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING

import uvicorn

from slant.errors import InputError
from slant.web.app import dashboard
from slant.web.guard import LOOPBACK

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PORT = 8642
"""Where the dashboard is served unless told otherwise."""

_NEXT = 20


def serve(
    directory: Path,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    open_browser: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Serve the dashboard until interrupted.

    Parameters
    ----------
    directory
        Holds runs, or is one.
    host
        Address to bind to. Beyond this machine, a token is needed, which the printed address
        holds.
    port
        To bind to; when not given, the first free one from `PORT`.
    open_browser
        Whether to open the page.
    say
        Told the address.

    Raises
    ------
    InputError
        The port is taken, the address is none of this machine's, or the directory holds nothing.
    """
    near = f"[{host}]" if ":" in host else host
    local = near in LOOPBACK
    token = None if local else secrets.token_urlsafe(24)
    anywhere = host in ("0.0.0.0", "::")  # noqa: S104 - recognised, not bound to
    hosts = None if anywhere else LOOPBACK | {near.lower()}
    app = dashboard(directory, hosts=hosts, token=token)
    bound = _bound(host, port)
    place = f"http://{near}:{bound.getsockname()[1]}/"
    address = place if token is None else f"{place}?token={token}"
    say(f"slant view: {address}  (Ctrl-C to stop)")
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,  # addresses may hold the token
            server_header=False,
            timeout_graceful_shutdown=2,  # streams to browsers do not end by themselves
        )
    )
    if open_browser:
        with suppress(webbrowser.Error):
            webbrowser.open(address)
    # Ctrl-C is how a dashboard ends, not a failure.
    with suppress(KeyboardInterrupt):
        server.run(sockets=[bound])


def _bound(host: str, port: int | None) -> socket.socket:
    """Bind a socket, so that nobody else can take the port before the server has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(PORT, PORT + _NEXT) if port is None else [port]:
        made = socket.socket(family, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, candidate))
        except OSError as error:
            made.close()
            if error.errno == errno.EADDRINUSE:
                continue
            raise InputError(f"cannot serve at {host}:{candidate}: {error.strerror}") from error
        return made
    if port is None:
        raise InputError(
            f"ports {PORT} to {PORT + _NEXT - 1} are all taken: choose one with --port"
        )
    raise InputError(
        f"port {port} is taken, perhaps by another `slant view`: choose another with --port, or "
        "leave it out and a free one is found"
    )
