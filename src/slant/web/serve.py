"""Serving the dashboard: a port, a server, a browser."""

from __future__ import annotations

import errno
import secrets
import socket
import time
import webbrowser
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING

import uvicorn

from slant.errors import InputError
from slant.models.key_hosts import KeyHosts
from slant.transcripts.sensitive import load
from slant.web.app import dashboard
from slant.web.guard import LOOPBACK

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from threading import Event

    from starlette.applications import Starlette

PORT = 8642
"""Where the dashboard is served unless told otherwise."""

_NEXT = 20
_LATER = 1.0


def serve(
    directory: Path,
    *,
    host: str = "127.0.0.1",
    port: int | None = None,
    open_browser: bool = True,
    key_for: Sequence[str] = (),
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
    key_for
        Addresses of servers to which the playground may send the key in `SLANT_API_KEY`.
    say
        Told the address.

    Raises
    ------
    InputError
        The port is taken, an address cannot be right, or the directory holds nothing.
    """
    if not host.strip():
        raise InputError("--host is empty: leave it out, or name an address of this machine")
    near = f"[{host}]" if ":" in host else host
    local = near in LOOPBACK
    token = None if local else secrets.token_urlsafe(24)
    anywhere = host in ("0.0.0.0", "::")  # noqa: S104 - recognised, not bound to
    hosts = None if anywhere else LOOPBACK | {near.lower()}
    app = dashboard(directory, hosts=hosts, token=token, key_hosts=KeyHosts(key_for))
    bound = _bound(host, port)
    place = f"http://{near}:{bound.getsockname()[1]}/"
    address = place if token is None else f"{place}?token={token}"
    say(f"slant view: {address}  (Ctrl-C to stop)")
    # The first page is read while the browser starts, which may take its time or never end.
    Thread(target=_warm, args=[app], daemon=True).start()
    if open_browser:
        Thread(target=_open, args=[address], daemon=True).start()
    # Ctrl-C is how a dashboard ends, not a failure.
    with suppress(KeyboardInterrupt), bound:
        Server(app).run(sockets=[bound])


def _warm(app: Starlette) -> None:
    """Read ahead what the first page shows, then what the first page with answers needs."""
    app.state.run_index.warm()
    time.sleep(_LATER)  # the first page comes first
    load()


class Server(uvicorn.Server):
    """A server that tells the dashboard when it ends, so that streams to browsers end with it.

    Parameters
    ----------
    app
        The dashboard.
    """

    def __init__(self, app: Starlette):
        self._closing: Event = app.state.closing
        super().__init__(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,  # addresses may hold the token
                server_header=False,
                timeout_graceful_shutdown=2,  # for a browser that does not take what it is sent
            )
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End what is being streamed, then the server."""
        self._closing.set()
        await super().shutdown(sockets)


def _open(address: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.open(address)


def _bound(host: str, port: int | None) -> socket.socket:
    """Bind a socket, so that nobody else can take the port before the server has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in range(PORT, PORT + _NEXT) if port is None else [port]:
        try:
            made = socket.socket(family, socket.SOCK_STREAM)
        except OSError as error:
            raise InputError(f"cannot serve at {host}: {error.strerror}") from error
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, candidate))
            # Only a socket that listens keeps others from the port.
            made.listen()
        except OSError as error:
            made.close()
            if error.errno == errno.EADDRINUSE:
                continue
            reason = error.strerror or str(error)
            raise InputError(f"cannot serve at {host}:{candidate}: {reason}") from error
        return made
    if port is None:
        raise InputError(
            f"ports {PORT} to {PORT + _NEXT - 1} are all taken: choose one with --port"
        )
    raise InputError(
        f"port {port} is taken, perhaps by another `slant view`: choose another with --port, or "
        "leave it out and a free one is found"
    )
