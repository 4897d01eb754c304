"""A model behind a server that speaks the OpenAI API."""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import openai

from slant.errors import InputError, unknown
from slant.models.model import Model
from slant.models.openai_compatible.address import read_address
from slant.models.openai_compatible.connection import Connection, key_withheld
from slant.models.openai_compatible.discovery import only_model
from slant.models.openai_compatible.replies import read_choice, read_text
from slant.models.picture_file import data_url
from slant.records import Answer, Generate, Likelihood, Sampling

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.models.spelling import Spelling
    from slant.records import Ability, Item, Message, Prompt

_ABILITIES: dict[str, frozenset[Ability]] = {
    "chat": frozenset({"chat", "see", "choose"}),
    "completions": frozenset({"raw", "choose"}),
    "both": frozenset({"raw", "chat", "see", "choose"}),
}
_CHAT, _COMPLETIONS = "/chat/completions", "/completions"
_CHOICE = Sampling(max_tokens=48, temperature=0.0)
"""Enough tokens to name an option, also behind a preamble."""


class OpenAICompatible(Model):
    """A model at OpenAI, or behind any server that speaks its API.

    `openai:NAME` asks OpenAI, with the key in `OPENAI_API_KEY`. `http://host:port/v1#NAME` (or
    `https`) asks any other server: vLLM, Ollama, llama.cpp, LM Studio and many more, with the key
    in `SLANT_API_KEY` if there is one; the key for OpenAI is never sent there. Without `#NAME`
    the server must have just one model. Options, before the `#`:

    - `api=chat|completions|both`: what the server serves. Chat is needed for conversations,
      completions to continue raw text. The default is `chat` at OpenAI, `both` elsewhere.
      Whether the model behind it can look at pictures only shows when it is asked about one.
    - `price=IN,OUT`: US dollars per million prompt and completion tokens.
    - `concurrency=N`: how many questions are under way at once at the most (16).
    - `timeout=SECONDS`: how long to wait for the whole of a reply (120).
    - `retries=N`: how often to ask again when the server fails (5).

    A server that is too busy (HTTP 429, 529, or 503 with `Retry-After`) is asked more slowly, and
    again until it takes the question.

    A parameter that the model refuses (`temperature`, with some) is left out from then on, and
    the log says so. Filters that a server applies unasked (`top_k` and `min_p` of llama.cpp, the
    generation defaults of vLLM) are not visible from here: switch them off at the server.

    Parameters
    ----------
    spelling
        What the user wrote.

    Raises
    ------
    InputError
        The spelling, an option or the key is wrong; or the server was asked for the name of its
        model and has none or several.
    """

    batch_size = 1

    def __init__(self, spelling: Spelling):
        spelling.check_options(["api", "price", "concurrency", "timeout", "retries"])
        here = spelling.scheme != "openai"
        self._api = spelling.options.get("api", "both" if here else "chat")
        if self._api not in _ABILITIES:
            raise unknown("api", self._api, _ABILITIES)
        self.abilities = _ABILITIES[self._api]
        self.concurrency = int(_number(spelling, "concurrency", 16, least=1, whole=True))
        self.price = spelling.price()
        timeout = _number(spelling, "timeout", 120, least=0.001)
        retries = int(_number(spelling, "retries", 5, least=0, whole=True))
        self._address = read_address(spelling)
        self.name = self._address.name or only_model(self._address)
        self._connection = Connection(self._address, timeout, retries, self.concurrency)

    def fingerprint(self) -> Mapping[str, str]:
        """Name the model, the server, the endpoints used and the client; asks nobody."""
        return {
            "model": self.name,
            "server": self._connection.server,
            "api": self._api,
            "client": f"openai {openai.__version__}",
        }

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Ask the questions, all at once, and give the answers in the order of the items."""
        answers = await asyncio.gather(*(self._answer(item, seed) for item in items))
        secret = self._address.secret
        # Last of all, when everything is decoded and put together.
        return answers if secret is None else [secret.hide_in_answer(each) for each in answers]

    def remarks(self) -> list[str]:
        """Say that the server did not get the key."""
        return [key_withheld(self._connection.server)] if self._address.withheld else []

    def tempo(self) -> str:
        """Say what the server took, where it was too busy for some questions."""
        return self._connection.pace.summary()

    async def close(self) -> None:
        """Close the connections to the server."""
        await self._connection.close()

    async def _answer(self, item: Item, seed: int) -> Answer:
        request = item.request
        if isinstance(request, Likelihood):
            return Answer("error", reason="servers of this kind give no likelihood of a text")
        chat = self._api == "chat" or (self._api == "both" and not isinstance(request.prompt, str))
        if not chat and not isinstance(request.prompt, str):
            return Answer("error", reason="conversations need the option api=chat or api=both")
        path = _CHAT if chat else _COMPLETIONS
        try:
            question = _question(request.prompt, chat=chat)
        except InputError as error:  # a picture is gone, or is another one now
            return Answer("error", reason=str(error))
        body = {
            "model": self.name,
            **question,
            "seed": _seed(item, seed),
        }
        if isinstance(request, Generate):
            # In a chat a thought or a preamble would trip over a stop: the reading applies it.
            sampling = replace(request.sampling, stop=()) if chat else request.sampling
            body |= _parameters(sampling) | _response_format(request.schema, chat=chat)
        else:
            logprobs = {"logprobs": True, "top_logprobs": 20} if chat else {"logprobs": 5}
            body |= _parameters(_CHOICE) | logprobs
        reply = await self._connection.ask(path, body)
        if isinstance(reply, Answer):
            return reply
        if isinstance(request, Generate):
            return read_text(reply)
        return read_choice(reply, request.options)


def _question(prompt: Prompt, *, chat: bool) -> dict[str, Any]:
    if not chat:
        return {"prompt": prompt}
    if isinstance(prompt, str):
        return {"messages": [{"role": "user", "content": prompt}]}
    return {"messages": [_message(turn) for turn in prompt]}


def _message(turn: Message) -> dict[str, Any]:
    """Write a turn as the API takes it: a picture goes in its text's place as a data URL."""
    if turn.picture is None:
        return {"role": turn.role, "content": turn.content}
    shown = {"type": "image_url", "image_url": {"url": data_url(turn.picture)}}
    return {"role": turn.role, "content": [{"type": "text", "text": turn.content}, shown]}


def _parameters(sampling: Sampling) -> dict[str, Any]:
    parameters: dict[str, Any] = {
        "max_tokens": sampling.max_tokens,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "presence_penalty": sampling.presence_penalty,
        "frequency_penalty": sampling.frequency_penalty,
    }
    if sampling.stop:
        parameters["stop"] = list(sampling.stop)
    return parameters


def _response_format(schema: str, *, chat: bool) -> dict[str, Any]:
    if not (schema and chat):
        return {}
    held = {"name": "answer", "strict": True, "schema": json.loads(schema)}
    return {"response_format": {"type": "json_schema", "json_schema": held}}


def _seed(item: Item, seed: int) -> int:
    """Derive an item's own seed, of 31 bits, which every server takes."""
    digest = hashlib.blake2b(f"{seed}\n{item.id}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


def _number(
    spelling: Spelling, name: str, default: float, *, least: float, whole: bool = False
) -> float:
    text = spelling.options.get(name, str(default))
    try:
        number = float(int(text)) if whole else float(text)
    except ValueError:
        number = -1.0
    if not least <= number < 1e6:
        kind = "a whole number" if whole else "a number"
        raise InputError(f"model {spelling.text!r}: {name}={text!r} is not {kind} from {least:g}")
    return number
