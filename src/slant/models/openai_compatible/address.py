"""Where a server is, which model it is to use, and which key it gets."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from slant.errors import InputError
from slant.models.remote.address import NO_KEY, Address, read_key

if TYPE_CHECKING:
    from slant.models.model_spec import ModelSpec


def read_address(spelling: ModelSpec) -> Address:
    """Read `openai:NAME` or `http://host:port/v1#NAME`.

    OpenAI's own server gets the key in `OPENAI_API_KEY`. Any other gets the one in
    `SLANT_API_KEY`, if there is one and the user has named that server, and never that of OpenAI.

    Raises
    ------
    InputError
        Host, port, name or key are missing or cannot be right.
    """
    if spelling.scheme == "openai":
        if not spelling.argument:
            raise InputError(
                f"model {spelling.text!r} names no model: write for example openai:gpt-4o-mini"
            )
        key = read_key("OPENAI_API_KEY")
        if not key and spelling.asked:
            raise InputError(
                f"model {spelling.text!r} needs a key: set the environment variable "
                "OPENAI_API_KEY to it"
            )
        return Address(spelling.argument, None, key or NO_KEY, "OPENAI_API_KEY")
    base_url, name = _url(spelling)
    key = read_key("SLANT_API_KEY")
    withheld = bool(key) and not spelling.key_is_for(base_url)
    return Address(name, base_url, NO_KEY if withheld else key or NO_KEY, "SLANT_API_KEY", withheld)


def _url(spelling: ModelSpec) -> tuple[str, str]:
    expected = "write for example http://localhost:8000/v1#NAME"
    parts = urlsplit(spelling.argument)
    if "@" in parts.netloc:
        raise InputError(
            f"model {spelling.scheme}://…: user name and password do not belong into an address, "
            "which is written into reports. Set the environment variable SLANT_API_KEY instead."
        )
    try:
        good = parts.hostname is not None and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise InputError(f"model {spelling.text!r} has no proper host and port: {expected}")
    if "?" in parts.fragment:
        name, _, options = parts.fragment.partition("?")
        raise InputError(
            f"model {spelling.text!r}: options stand before the #: "
            f"write {urlunsplit((*parts[:3], options, name))}"
        )
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", "")), parts.fragment
