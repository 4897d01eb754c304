"""Finds out the name of a server's model, where the user gave none."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import httpx2
import openai

from slant.errors import InputError
from slant.models.openai_compatible.connection import (
    is_unreachable,
    open_client,
    raise_unauthorised,
    raise_unreachable,
)
from slant.models.remote.pace import Pace

if TYPE_CHECKING:
    from slant.models.openai_compatible.address import Address

_LONGEST_NAME = 300


def only_model(address: Address) -> str:
    """Ask a server for the name of the one model it has.

    Raises
    ------
    InputError
        It has none or several, does not say, or cannot be reached.
    """
    server = str(address.base_url)
    names = []
    try:
        with ThreadPoolExecutor(1) as aside:  # the caller may have an event loop of its own
            models = aside.submit(asyncio.run, _models(address)).result()
        names = sorted(_name(model["id"], address) for model in models)
    except openai.APIStatusError as error:
        if error.status_code in (401, 403):
            raise_unauthorised(server, address, error.status_code)
    except openai.APIConnectionError as error:
        if is_unreachable(error):
            raise_unreachable(server, address)
    except (ValueError, KeyError, TypeError):
        pass  # Not a list of models, whatever it is.
    if len(names) == 1:
        return names[0]
    found = f"has {len(names)}: {', '.join(names)}" if names else "does not say which it has"
    raise InputError(
        f"the model behind {server} is not named, and the server {found[:1000]}. "
        f"Write {server}#NAME"
    )


async def _models(address: Address) -> Any:
    async with open_client(address, Pace(1), timeout=10, retries=0) as client:
        reply = await client.get("/models", cast_to=httpx2.Response)
    return reply.extensions["json"]["data"]


def _name(name: Any, address: Address) -> str:
    """Take a name that a report can show: what a server says here is kept and printed."""
    if not (isinstance(name, str) and name.isprintable() and 0 < len(name) <= _LONGEST_NAME):
        raise ValueError(name)
    return address.hide_key(name)
