"""Finds out what the user did not say: the name of a server's model, and how it is asked."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx2
import openai

from slant.errors import InputError, SlantError
from slant.expectation import VERBATIM
from slant.models.openai_compatible.replies import read_text
from slant.models.remote.connection import (
    NotServedError,
    is_unreachable,
    open_client,
    raise_unauthorised,
    raise_unreachable,
)
from slant.models.remote.pace import Pace
from slant.models.remote.reply import count_of, mapping_of
from slant.readings import read
from slant.records import Answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from slant.models.remote.address import Address
    from slant.models.remote.connection import Connection

_LONGEST_NAME = 300

_FEW_TOKENS = 16
"""Enough to see whether a reply begins with a thought."""

_NO_TEMPLATE = re.compile(r"chat[ _]template", re.IGNORECASE)
"""What a server complains of that has the endpoint, and a model that was never taught to chat."""


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


@dataclass(frozen=True)
class Served:
    """What one short question has shown of a server.

    Attributes
    ----------
    api
        `chat` or `completions`.
    thinks
        Whether the model began with a thought.
    """

    api: str
    thinks: bool = False


def what_it_serves(connect: Callable[[], Connection], model: str) -> Served:
    """Ask a server one short question, to see whether it chats or only continues text.

    Parameters
    ----------
    connect
        Makes a connection for the purpose: a connection belongs to one event loop.
    model
        The model's name.

    Raises
    ------
    InputError
        It does neither, cannot be reached, or does not take the key.
    SlantError
        It fails, so that nobody can say.
    """
    with ThreadPoolExecutor(1) as aside:  # the caller may have an event loop of its own
        return aside.submit(asyncio.run, _try(connect, model)).result()


async def _try(connect: Callable[[], Connection], model: str) -> Served:
    connection = connect()
    try:
        question = {"model": model, "max_tokens": _FEW_TOKENS}
        hello = [{"role": "user", "content": "Hello"}]
        try:
            reply = await connection.ask("/chat/completions", {**question, "messages": hello})
            if not (isinstance(reply, Answer) and _NO_TEMPLATE.search(reply.reason or "")):
                return _served(reply, connection, "chat")
        except NotServedError:
            pass
        reply = await connection.ask("/completions", {**question, "prompt": "Hello"})
        return _served(reply, connection, "completions")
    finally:
        await connection.close()


def _served(reply: dict[str, Any] | Answer, connection: Connection, api: str) -> Served:
    """Whoever refuses a question (HTTP 4xx) is there to answer others; who fails is not."""
    reason = reply.reason or "" if isinstance(reply, Answer) else ""
    if reason and not reason.startswith(("HTTP 4", "filtered")):
        raise SlantError(
            f"{connection.server} cannot be tried ({reason}): try again later, or say what it "
            "serves by the option api=chat or api=completions"
        )
    return Served(api, isinstance(reply, dict) and _begins_to_think(reply))


def _begins_to_think(reply: dict[str, Any]) -> bool:
    answer = read_text(reply)
    apart = answer.aside.thought if answer.aside is not None else ""
    reading = read(answer.text or "", VERBATIM, thought=apart)
    usage = mapping_of(reply.get("usage"))
    details = mapping_of(usage.get("completion_tokens_details"))
    return bool(reading.thought or reading.reason or count_of(details.get("reasoning_tokens")))


async def _models(address: Address) -> Any:
    async with open_client(address, Pace(1), timeout=10, retries=0) as client:
        reply = await client.get("/models", cast_to=httpx2.Response)
    return reply.extensions["json"]["data"]


def _name(name: Any, address: Address) -> str:
    """Take a name that a report can show: what a server says here is kept and printed."""
    if not (isinstance(name, str) and name.isprintable() and 0 < len(name) <= _LONGEST_NAME):
        raise ValueError(name)
    return address.hide_key(name)
