"""An application behind an address, in place of a model."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import httpx2

from slant.errors import InputError
from slant.models.model import Model
from slant.models.remote.client import PatientClient, UnusableReplyError
from slant.models.remote.pace import Pace
from slant.models.target.description import read_description
from slant.models.target.json_path import find
from slant.records import Answer, Likelihood, Message
from slant.registry import insist_allowed
from slant.table_file import whole_characters

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.models.model_spec import ModelSpec
    from slant.records import Ability, Item

_FIRST_WAIT = 0.5
"""Seconds before a question that failed is asked again; doubled every time."""


class Target(Model):
    """An application behind an address, described in TOML: `target:FILE.toml`.

    `docs/deployments.md` says what the file holds. The option is `price=IN,OUT` or `price=free`.

    Raises
    ------
    InputError
        The file is malformed, the environment lacks what it names, or nobody named it in this
        call.
    """

    abilities: frozenset[Ability] = frozenset({"chat", "choose"})
    restriction = "a target is asked as a chat only"

    def __init__(self, spelling: ModelSpec):
        spelling.check_options(["price"])
        if not spelling.argument:
            raise InputError(
                f"model {spelling.text!r} names no file: write for example target:assistant.toml"
            )
        # It says which keys are sent where, so what a run directory names is not enough.
        insist_allowed("model", f"target:{spelling.argument}")
        self._told = read_description(spelling.argument)
        self.name, self.concurrency = self._told.name, self._told.concurrency
        self.price = spelling.price()
        self._pace = Pace(self.concurrency)
        self._client: PatientClient | None = None
        self._reached = False

    def fingerprint(self) -> Mapping[str, str]:
        """Give the hash of the file."""
        return {"model": self.name, "target": self._told.sha256}

    def remarks(self) -> list[str]:
        """Say who decides how text is drawn."""
        told = (
            f"{self.name} is an application that was sent questions only: how its text is drawn "
            "(temperature, length, seed) is its own affair."
        )
        return [told]

    def tempo(self) -> str:
        """Say what the server took, where it was too busy for some questions."""
        return self._pace.summary()

    async def close(self) -> None:
        """Close the connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Ask the questions, and give the answers with every key taken out."""
        answers = list(await asyncio.gather(*map(self._answer, items)))
        for secret in self._told.secrets:
            answers = [secret.hide_in_answer(answer) for answer in answers]
        return answers

    async def _answer(self, item: Item) -> Answer:
        request = item.request
        if isinstance(request, Likelihood):
            return Answer("error", reason="a target gives no likelihood of a text")
        prompt = request.prompt
        turns = (Message("user", prompt),) if isinstance(prompt, str) else prompt
        if any(turn.picture for turn in turns):
            return Answer("error", reason="a target is shown no pictures")
        try:
            body = self._told.body(turns)
        except ValueError as error:
            return Answer("error", reason=str(error))
        reply = await self._ask(body)
        return reply if isinstance(reply, Answer) else self._read(reply)

    async def _ask(self, body: dict[str, Any]) -> dict[str, Any] | Answer:
        """Ask until there is a reply, or until there have been enough failures."""
        wait = _FIRST_WAIT
        for left in reversed(range(self._told.retries + 1)):
            reply, again = await self._once(body)
            if not (again and left):
                break
            await asyncio.sleep(wait)
            wait *= 2
        return reply

    async def _once(self, body: dict[str, Any]) -> tuple[dict[str, Any] | Answer, bool]:
        """Ask once; say too whether asking again may help."""
        told = self._told
        if self._client is None:
            self._client = PatientClient(self._pace)
        try:
            request = self._client.build_request(
                told.method, told.url, json=body, headers=told.headers, timeout=told.timeout
            )
        except UnicodeEncodeError:
            return Answer("error", reason="the prompt holds half a character (a surrogate)"), False
        try:
            reply = await self._client.send(request)
        except UnusableReplyError as error:
            self._reached = True
            return Answer("error", reason=str(error)), True
        except httpx2.TimeoutException as error:
            if not self._reached and isinstance(error, httpx2.ConnectTimeout):
                raise self._unreachable() from None
            return Answer("error", reason=f"no reply within {told.timeout:g} s"), True
        except httpx2.HTTPError as error:
            if not self._reached and isinstance(error, httpx2.ConnectError):
                raise self._unreachable() from None
            return Answer("error", reason=f"the connection to {told.url} failed"), True
        self._reached = True
        if reply.is_success:
            said: dict[str, Any] = reply.extensions["json"]
            return said, False
        return self._failure(reply), reply.status_code >= 500

    def _unreachable(self) -> InputError:
        return InputError(f"nobody can be reached at {self._told.url}: start the application, or "
                          "correct the address", file=self._told.file)  # fmt: skip

    def _failure(self, reply: httpx2.Response) -> Answer:
        """Give the answer to a question that failed, or raise if all will fail the same way."""
        status, told = reply.status_code, self._told
        if status in (401, 403):
            raise InputError(
                f"{told.url} does not accept the key (HTTP {status}): check the headers and the "
                "environment variables they name",
                file=told.file,
            )
        if 300 <= status < 400:
            raise InputError(
                f"{told.url} sends slant to another address (HTTP {status}), which is not "
                "followed: the address must be the application's own",
                file=told.file,
            )
        if status in (404, 405):
            raise InputError(
                f"{told.url} answers HTTP {status} to {told.method}: check address and method",
                file=told.file,
            )
        said = " ".join(reply.text.split())[:300]
        return Answer("error", reason=f"HTTP {status}: {whole_characters(said)}")

    def _read(self, reply: dict[str, Any]) -> Answer:
        told = self._told
        if told.error and (error := _there(reply, told.error)):
            return Answer("error", reason=f"the server reports an error: {_words(error)[:300]}")
        refused = _there(reply, told.refusal) if told.refusal else None
        try:
            text = find(reply, told.answer)
        except LookupError as fault:
            if refused:
                return Answer("refused", _words(refused), reason="the server marks a refusal")
            return Answer(
                "error", reason=f"the reply has no answer where {told.file} says: {fault}"
            )
        if refused:
            return Answer("refused", _words(text), reason="the server marks a refusal")
        if not isinstance(text, str):
            kind = "nothing" if text is None else "no text"
            return Answer("error", reason=f"where {told.file} says is the answer, there is {kind}")
        text = whole_characters(text)
        if not text.strip():
            return Answer("unparseable", text, reason="the answer is empty")
        return Answer("answered", text)


def _there(reply: dict[str, Any], path: tuple[str | int, ...]) -> Any:
    """Give what lies at a path, or nothing."""
    try:
        return find(reply, path)
    except LookupError:
        return None


def _words(value: Any) -> str:
    return whole_characters(value if isinstance(value, str) else repr(value))
