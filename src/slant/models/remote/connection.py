"""Asks a server one thing at a time, and says what its refusals and failures mean."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from typing import TYPE_CHECKING, Any, NoReturn

import httpx2
import openai

from slant.errors import InputError, SlantError
from slant.models.effective import Effective
from slant.models.remote.address import key_withheld
from slant.models.remote.client import PatientClient, UnusableReplyError
from slant.models.remote.pace import Pace
from slant.records import Answer

if TYPE_CHECKING:
    from slant.models.remote.address import Address

_LOG = logging.getLogger(__name__)

_OPTIONAL = (
    "max_tokens", "top_p", "temperature", "presence_penalty", "frequency_penalty", "stop", "seed",
    "logprobs", "top_logprobs", "include", "response_format", "reasoning_effort", "reasoning",
    "thinking", "output_config", "store",
)  # fmt: skip
"""Parameters that some servers or models refuse; a question can be put without them."""

_RENAMED = {"max_tokens": "max_completion_tokens"}
"""What is sent instead of a parameter that is refused."""

_NOT_WITHOUT = {"logprobs": "top_logprobs", "include": "top_logprobs", "top_logprobs": "include"}
"""Parameters that mean nothing without another one."""

_NOT_SUPPORTED = re.compile(
    r"unsupported|not support|unknown|unrecogni[sz]ed|unexpected|extra (inputs|fields)|"
    r"not (permitted|allowed)|invalid (field|parameter|argument)|not compatible|deprecated|"
    r"may only be set|cannot both be|cannot be (used|set|specified)",
    re.IGNORECASE,
)
_FILTERED = {"content_filter", "content_policy_violation"}


class NotServedError(InputError):
    """The server has no such endpoint, or no such model behind it."""


class Connection:
    """A server under way: its client, and what was learned about it.

    Parameters
    ----------
    address
        The server and its key.
    timeout
        Seconds to wait for the whole of a reply.
    retries
        How often the client asks again, at growing intervals, when the server fails, does not
        reply, or sends what is no reply. What it turns away for being busy is asked until it is
        taken.
    concurrency
        How many questions may be under way at once, at the most.

    Attributes
    ----------
    server
        Where the server is, for people.
    pace
        How fast it is asked.
    effective
        What turned out: which parameters it refuses, and who it says has answered.
    """

    def __init__(self, address: Address, timeout: float, retries: int, concurrency: int):
        self._address, self._timeout, self._retries = address, timeout, retries
        self.pace = Pace(concurrency)
        self._client = open_client(address, self.pace, timeout=timeout, retries=retries)
        # Where the key has a header of its own, it is sent in no other.
        own = {"headers": {"Authorization": openai.Omit()}}
        self._options: Any = {} if address.headers is None else own
        url = self._client.base_url
        port = "" if url.port is None else f":{url.port}"
        self.server = f"{url.scheme}://{url.host}{port}{url.path.rstrip('/')}"
        self._reached, self._reaching = False, asyncio.Lock()
        self._unsupported: set[tuple[str, str]] = set()
        self.effective = Effective()

    async def ask(self, path: str, body: dict[str, Any]) -> dict[str, Any] | Answer:
        """Put one question.

        Returns
        -------
        dict or Answer
            The decoded reply; or, where there is none, the answer that says why.

        Raises
        ------
        SlantError
            Every further question would fail the same way.
        """
        await self._reach()
        while True:
            sent = self.supported(path, body)
            try:
                reply = await self._client.post(
                    path, cast_to=httpx2.Response, body=sent, options=self._options
                )
                decoded: dict[str, Any] = reply.extensions["json"]
                self._hear(sent, decoded)
                return decoded  # noqa: TRY300 - nothing of it fails
            except openai.APIStatusError as error:
                parameter = _unsupported_parameter(error, sent)
                if parameter is None:
                    return self._failure(path, sent["model"], error)
                self._learn(path, parameter)
            except openai.APITimeoutError:
                reason = f"no reply within {self._timeout:g} s, asked {self._retries + 1} times"
                return Answer("error", reason=reason)
            except openai.APIConnectionError as error:
                if isinstance(error.__cause__, UnusableReplyError):
                    return Answer("error", reason=str(error.__cause__))
                return Answer("error", reason=f"the connection to {self.server} failed")
            except UnicodeEncodeError:
                return Answer("error", reason="the prompt holds half a character (a surrogate)")

    def heard(
        self, path: str, body: dict[str, Any], status: int, reply: dict[str, Any]
    ) -> dict[str, Any] | Answer | None:
        """Take a reply to a question that somebody else has put.

        Returns
        -------
        dict, Answer or None
            As `ask` gives it; `None` where the server refused a parameter, which is left out of
            what is written from now on.

        Raises
        ------
        SlantError
            Every further question would fail the same way.
        """
        if 200 <= status < 300:
            self._hear(self.supported(path, body), reply)
            return reply
        held = reply.get("error", reply)
        said = held.get("message") if isinstance(held, dict) else held
        answered = httpx2.Response(status, request=httpx2.Request("POST", self.server + path))
        error = openai.APIStatusError(str(said or "no reason given"), response=answered, body=held)
        # Whatever was known when it was written: what it may have held is what counts.
        may_have_held = {**body, **self.supported(path, body)}
        parameter = _unsupported_parameter(error, may_have_held)
        if parameter is None:
            return self._failure(path, body["model"], error)
        self._learn(path, parameter)
        return None

    def recall(self, effective: Effective, *paths: str) -> None:
        """Take over what an earlier connection has learned of the parameters of paths."""
        renamed = (each.partition(" as ")[0] for each in effective.renamed)
        known = {*effective.left_out, *renamed} & set(_OPTIONAL)
        self._unsupported |= {(path, name) for path in paths for name in known}

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _reach(self) -> None:
        """Before the first question, see at once whether anybody is there."""
        async with self._reaching:
            if self._reached:
                return
            try:
                shortly = {"max_retries": 0, "timeout": min(self._timeout, 10.0)}
                options: Any = {**self._options, **shortly}
                await self._client.get("/models", cast_to=httpx2.Response, options=options)
            except openai.APIConnectionError as error:
                if is_unreachable(error):
                    raise_unreachable(self.server, self._address)
            except openai.OpenAIError:
                pass  # Whatever it says to that, somebody is there.
            self._reached = True

    def supported(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Leave out or rename the parameters that the server is known to refuse."""
        sent = {
            name: value for name, value in body.items() if (path, name) not in self._unsupported
        }
        for name in body.keys() - sent.keys():
            if name in _RENAMED:
                sent[_RENAMED[name]] = body[name]
            sent.pop(_NOT_WITHOUT.get(name, ""), None)
        return sent

    def _hear(self, sent: dict[str, Any], reply: dict[str, Any]) -> None:
        """Note which parameters were taken, and who the server says has answered."""
        said = {name: reply.get(name) for name in ("model", "system_fingerprint")}
        self.effective = self.effective.with_(
            taken=tuple(name for name in _OPTIONAL if name in sent),
            **{
                name: (self._address.hide_key(value),)
                for name, value in said.items()
                if isinstance(value, str) and value.isprintable() and value
            },
        )

    def _learn(self, path: str, parameter: str) -> None:
        if (path, parameter) in self._unsupported:
            return  # several questions were under way
        self._unsupported.add((path, parameter))
        new = _RENAMED.get(parameter)
        instead = f"{new} is sent instead" if new else (
            "it is left out, and the server's own setting holds"
        )  # fmt: skip
        _LOG.warning("%s%s refuses %s: %s", self.server, path, parameter, instead)
        self.effective = (
            self.effective.with_(renamed=(f"{parameter} as {new}",))
            if new
            else self.effective.with_(left_out=(parameter,))
        )

    def _failure(self, path: str, model: str, error: openai.APIStatusError) -> Answer:
        """Give the answer to a question that the server refuses, or raise if all will be."""
        status, code = error.status_code, error.code
        body = error.body if isinstance(error.body, dict) else {}
        metadata = body.get("metadata")
        message = " ".join(str(body.get("message") or error.message).split())
        said = self._address.hide_key(message)[:300]
        if code in _FILTERED or (isinstance(metadata, dict) and "flagged_input" in metadata):
            return Answer("refused", finish_reason="content_filter", reason=f"filtered: {said}")
        if status in (401, 403):
            raise_unauthorised(self.server, self._address, status)
        if 300 <= status < 400:
            raise InputError(
                f"{self.server}{path} sends slant to another address (HTTP {status}), which is not "
                "followed: the address must be the server's own"
            ) from None
        if status in (404, 405, 501):
            raise NotServedError(
                f"{self.server}{path} answers HTTP {status} ({said}): check that the server has a "
                f"model named {model!r}, that the address is right (most end in /v1), "
                "and whether it serves this endpoint: the option api chooses one"
            ) from None
        if code == "insufficient_quota":
            raise SlantError(
                f"{self.server}: the account has no credit left; everything answered so far is "
                "kept. Add credit, then resume."
            ) from None
        return Answer("error", reason=f"HTTP {status}: {said}")


def open_client(
    address: Address, pace: Pace, *, timeout: float, retries: int
) -> openai.AsyncOpenAI:
    """Open a client.

    What the environment says about the user's account at OpenAI is no other server's business:
    the header makes the client ignore another set by `OPENAI_CUSTOM_HEADERS`.
    """
    arguments: dict[str, Any] = {
        "api_key": address.key,
        "timeout": timeout,
        "max_retries": retries,
        "http_client": PatientClient(pace),
    }
    if address.base_url is None:
        return openai.AsyncOpenAI(**arguments)
    headers = address.headers or {"Authorization": f"Bearer {address.key}"}
    client = openai.AsyncOpenAI(**arguments, base_url=address.base_url, default_headers=headers)
    client.organization = client.project = None
    return client


def is_unreachable(error: openai.APIConnectionError) -> bool:
    """Tell a server that nobody reaches from one that drops a connection or is slow."""
    return type(error.__cause__).__name__ in ("ConnectError", "ConnectTimeout", "ProxyError")


def raise_unreachable(server: str, address: Address) -> NoReturn:
    """Raise the error for a server that nobody reaches."""
    hint = "check the network" if address.base_url is None else "start it, or correct the address"
    raise InputError(f"no server can be reached at {server}: {hint}, then try again") from None


def raise_unauthorised(server: str, address: Address, status: int) -> NoReturn:
    """Raise the error for a key that the server does not take; its message is not repeated."""
    if address.withheld:
        said = key_withheld(server, address.variable)
        raise InputError(f"{server} wants a key (HTTP {status}): {said}") from None
    raise InputError(
        f"{server} does not accept the key (HTTP {status}): check the environment variable "
        f"{address.variable}, and that the key may use the model"
    ) from None


def _unsupported_parameter(error: openai.APIStatusError, sent: dict[str, Any]) -> str | None:
    """Find the optional parameter that a server says it does not support."""
    if error.status_code not in (400, 422):
        return None
    body = error.body if isinstance(error.body, dict) else {}
    named = body.get("param")
    said = error.message if error.body is None else json.dumps(error.body)
    named = str(named).partition(".")[0] if named else ""
    for parameter in _OPTIONAL:
        if parameter not in sent:
            continue
        words = "include|logprobs" if parameter == "include" else parameter
        at_fault = named == parameter or (
            not named and re.search(rf"\b(?:{words})\b", said) is not None
        )
        # How many log-probabilities to ask for is our choice: any objection to it counts.
        ours = parameter.endswith("logprobs") or parameter == "include"
        if at_fault and (ours or _NOT_SUPPORTED.search(said)):
            return parameter
    return None
