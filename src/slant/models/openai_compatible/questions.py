"""From an item to what the chat and completions endpoints are sent."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slant.models.picture_file import data_url
from slant.records import Generate, Sampling

if TYPE_CHECKING:
    from slant.records import Choose, Item, Message, Prompt

CHOICE = Sampling(max_tokens=48, temperature=0.0)
"""Enough tokens to name an option, also behind a preamble."""

_FIRST_TOKEN = Sampling(max_tokens=1, temperature=0.0)


def body_of(
    item: Item, request: Generate | Choose, seed: int, *, chat: bool, thinking: int
) -> dict[str, Any]:
    """Write the question.

    Parameters
    ----------
    item, request
        What is asked.
    chat
        Whether it goes to the chat endpoint.
    thinking
        Tokens that a thought may take; the limit that is sent is that of both together.

    Raises
    ------
    InputError
        A picture is gone, or is another one now.
    """
    question = _question(request.prompt, chat=chat) | {"seed": seed_of(item, seed)}
    if isinstance(request, Generate):
        # In a chat a thought or a preamble would trip over a stop: the reading applies it.
        sampling = replace(request.sampling, stop=()) if chat else request.sampling
        return question | _parameters(sampling, thinking) | _schema(request.schema, chat=chat)
    logprobs = {"logprobs": True, "top_logprobs": 20} if chat else {"logprobs": 5}
    # In a chat a thought may stand before the first token.
    sampling = _FIRST_TOKEN if request.free and not chat else CHOICE
    return question | _parameters(sampling, thinking) | logprobs


def seed_of(item: Item, seed: int) -> int:
    """Derive an item's own seed, of 31 bits, which every server takes."""
    digest = hashlib.blake2b(f"{seed}\n{item.id}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


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


def _parameters(sampling: Sampling, thinking: int) -> dict[str, Any]:
    parameters: dict[str, Any] = {
        "max_tokens": sampling.max_tokens + thinking,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "presence_penalty": sampling.presence_penalty,
        "frequency_penalty": sampling.frequency_penalty,
    }
    if sampling.stop:
        parameters["stop"] = list(sampling.stop)
    return parameters


def _schema(schema: str, *, chat: bool) -> dict[str, Any]:
    if not (schema and chat):
        return {}
    held = {"name": "answer", "strict": True, "schema": json.loads(schema)}
    return {"response_format": {"type": "json_schema", "json_schema": held}}
