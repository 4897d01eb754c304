"""Likelihoods from a server, after it has shown that they are right."""

from __future__ import annotations

import asyncio
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.models.likelihood_answers import likelihood_answer
from slant.models.openai_compatible.prompt_logprobs import (
    WAYS,
    Way,
    scored_part,
    special_tokens,
)
from slant.models.remote.connection import NotServedError
from slant.records import Answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from slant.models.openai_compatible.prompt_logprobs import Scored
    from slant.models.remote.connection import Connection
    from slant.records import Likelihood

PROBES = (
    (
        "The capital of France is Paris, and the capital of Italy is Rome.",
        "of Rome. is the Italy capital Paris, France and capital is of The the",
    ),
    (
        "She opened the door, walked into the room and sat down on a chair.",
        "room on the a and door, She chair. sat opened walked the into down",
    ),
    (
        "On Monday morning the children went to school by bus.",
        "school the bus. to Monday by On went morning children",
    ),
)
"""Likely texts, each with the same words in no order. A server that gives the log-probabilities of
something else gives both about the same."""


@dataclass(frozen=True)
class Proven:
    """A way of asking that gave right answers, and what it puts before a text."""

    way: Way
    bos: str


def prove(connect: Callable[[], Connection], model: str, option: str) -> Proven:
    """Try whether a server's likelihoods can be used.

    Parameters
    ----------
    connect
        Makes a connection for the purpose: a connection belongs to one event loop.
    model
        The model's name.
    option
        How the server is to be asked: a key of `WAYS`.

    Raises
    ------
    InputError
        They cannot be used; the message says why.
    """
    with ThreadPoolExecutor(1) as aside:  # the caller may have an event loop of its own
        return aside.submit(asyncio.run, _prove(connect, model, option)).result()


async def _prove(connect: Callable[[], Connection], model: str, option: str) -> Proven:
    connection = connect()
    reasons = []
    try:
        for way in WAYS[option]:
            try:
                return Proven(way, await _tried(connection, model, way))
            except (ValueError, NotServedError) as error:
                reasons.append(str(error))
    finally:
        await connection.close()
    said = "; then: ".join(dict.fromkeys(reasons))
    raise InputError(
        f"the likelihoods of {connection.server} cannot be used (likelihood={option}): {said}"
    )


async def _tried(connection: Connection, model: str, way: Way) -> str:
    """Ask for all probes; say what stands before a text."""
    before: int | None = None
    for likely, shuffled in PROBES:
        good, bad = [await _tokens(connection, model, way, text) for text in (likely, shuffled)]
        if _mean(good) <= _mean(bad):
            raise ValueError(
                f"it finds {shuffled!r} as probable as {likely!r}: its numbers are not those of "
                "the text"
            )
        before = special_tokens(good, likely)
    if before is None:
        return "unknown"
    return "by the server" if before else "none: the first token is not scored"


async def _tokens(connection: Connection, model: str, way: Way, text: str) -> list[Scored]:
    reply = await connection.ask(way.path, {"model": model, **way.question(text)})
    if isinstance(reply, Answer):
        raise ValueError(reply.reason or "it gives no answer")  # noqa: TRY004 - what a server said
    return way.read(reply, text)


def _mean(tokens: list[Scored]) -> float:
    values = [value for _, value in tokens if value is not None]
    if not values:
        raise ValueError("it gives no log-probability at all")
    return math.fsum(values) / len(values)


async def score(connection: Connection, model: str, way: Way, asked: Likelihood) -> Answer:
    """Ask how probable a text is."""
    source = asked.source or ""
    text = source + asked.text
    if not text:
        return likelihood_answer((), tokens=0, limit=math.inf)
    reply = await connection.ask(way.path, {"model": model, **way.question(text)})
    if isinstance(reply, Answer):
        return reply
    try:
        tokens = way.read(reply, text)
        values = scored_part(tokens, source, asked.text)
    except ValueError as error:
        return Answer("error", reason=str(error))
    return likelihood_answer(values, tokens=len(tokens), limit=math.inf)
