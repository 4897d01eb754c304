"""A server, the model wanted of it, and the key it gets."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.models.remote.secret import Secret

if TYPE_CHECKING:
    from collections.abc import Mapping

NO_KEY = "none"
"""What is sent to a server of one's own where no key is set: the client insists on one."""


@dataclass(frozen=True)
class Address:
    """A server, the model wanted of it, and the key it gets.

    Attributes
    ----------
    name
        The model, as the server calls it; empty where the spelling names none.
    base_url
        Where the server is; `None` for OpenAI's own.
    key
        What the server gets to see; never shown to anyone else.
    variable
        The environment variable that holds the key.
    withheld
        Whether there is a key that this server does not get, since the user did not name it.
    headers
        What is sent with every request to show the key; `None` where it is sent as a bearer's.
    """

    name: str
    base_url: str | None
    key: str = field(repr=False)
    variable: str
    withheld: bool = False
    headers: Mapping[str, str] | None = field(default=None, repr=False)

    @cached_property
    def secret(self) -> Secret | None:
        """The key as something to hide; `None` where none is sent."""
        return None if self.key == NO_KEY else Secret(self.key)

    def hide_key(self, message: str) -> str:
        """Take the key out of a message."""
        return message if self.secret is None else self.secret.hide(message)


def read_key(variable: str) -> str:
    """Read a key from the environment; empty where it is not set.

    Raises
    ------
    InputError
        It holds what no header can.
    """
    key = os.environ.get(variable, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise InputError(
            f"the environment variable {variable} holds characters that cannot be part of a key: "
            "set it again"
        )
    return key


def key_withheld(server: str, variable: str = "SLANT_API_KEY") -> str:
    """Say that a server did not get the key, and how it would."""
    return (
        f"{variable} was not sent to {server}, which a page or a run directory names, and not "
        f"whoever started slant. If the key is for this server, add to the command: "
        f"--key-for {server}"
    )
