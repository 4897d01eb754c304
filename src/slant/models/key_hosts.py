"""The servers that get a key although a page or a run, and not whoever runs slant, names them."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from slant.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

_PORTS = {"http": 80, "https": 443}


class KeyHosts:
    """Servers that whoever runs slant has named for their key, with `--key-for`.

    Parameters
    ----------
    addresses
        Where they are, such as `https://host:port`; what follows the port does not matter.

    Raises
    ------
    InputError
        One is no address of a server.
    """

    def __init__(self, addresses: Iterable[str] = ()):
        self._servers = set()
        for address in addresses:
            server = _server(address)
            if server is None:
                raise InputError(
                    f"--key-for {address!r} is no address of a server: write for example "
                    "--key-for https://host:8000"
                )
            self._servers.add(server)

    def __contains__(self, address: str) -> bool:
        """Say whether an address is one of theirs: scheme, host and port are the same."""
        return _server(address) in self._servers


def _server(address: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in _PORTS or not parts.hostname or "@" in parts.netloc:
        return None
    return parts.scheme, parts.hostname, _PORTS[parts.scheme] if port is None else port
