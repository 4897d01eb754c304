"""A model behind Anthropic's Messages API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

import openai

from slant.errors import InputError
from slant.models.anthropic.questions import ADAPTIVE_ROOM, Thinking, body_of, not_offered
from slant.models.anthropic.replies import read_message
from slant.models.batch_form import BatchForm
from slant.models.remote.address import NO_KEY, Address, read_key
from slant.models.remote.model import RemoteModel, number
from slant.records import Answer, Likelihood

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.models.effective import Effective
    from slant.models.model_spec import ModelSpec
    from slant.records import Ability, Item

_SERVER = "https://api.anthropic.com/v1"
_VERSION = "2023-06-01"
_KEY = "ANTHROPIC_API_KEY"
_LEAST_BUDGET = 1024
_PATH = "/messages"


class Anthropic(RemoteModel):
    """A model at Anthropic, or behind a server that speaks the Messages API.

    `anthropic:NAME`, with the key in `ANTHROPIC_API_KEY`. It chats, and gives no log-probabilities
    and takes no seed: the same question asked again may be answered otherwise. Options:

    - `thinking=N`: a thought may take N tokens (at least 1024) beside those of the answer;
      `adaptive` leaves it to the model, `off` forbids it. Unsaid, the model's own way holds.
    - `effort=WORD`: how much the model is to think and say (`low`, `medium`, `high` …).
    - `base=ADDRESS`: another server, which gets the key too (`https://HOST/v1`).
    - `price=IN,OUT`, `concurrency=N`, `timeout=SECONDS`, `retries=N`: as for `openai:NAME`.

    A parameter that the model refuses (newer ones take no `temperature`) is left out from then on;
    the log, the report and the signatures say so.

    Raises
    ------
    InputError
        The spelling, an option or the key is wrong.
    """

    abilities: frozenset[Ability] = frozenset({"chat", "see", "choose"})
    own_server = _SERVER

    def __init__(self, spelling: ModelSpec):
        spelling.check_options(["base", *self.options])
        self.price = spelling.price()
        self._thinking = _thinking(spelling)
        self.thought_tokens = self._thinking.budget
        self._not_offered: set[str] = set()
        super().__init__(spelling, _address(spelling))

    def fingerprint(self) -> Mapping[str, str]:
        """Name the model, the server, the version of the API and the client; asks nobody."""
        kind, budget, effort = (
            self._thinking.kind,
            self._thinking.budget,
            self._thinking.effort,
        )
        return {
            "model": self.name,
            "server": self._connection.server,
            "api": f"messages {_VERSION}",
            **({"thinking": f"{kind} {budget}"} if kind else {}),
            **({"effort": effort} if effort else {}),
            "client": f"openai {openai.__version__}",
        }

    def effective(self) -> Effective:
        """Say which parameters the server refused or does not have, and who it says answered."""
        return super().effective().with_(left_out=tuple(sorted(self._not_offered)))

    async def _answer(self, item: Item, seed: int) -> Answer:
        if isinstance(item.request, Likelihood):
            return Answer("error", reason="servers of this kind give no likelihood of a text")
        return await self._ask(item, seed)

    def _question(self, item: Item, seed: int) -> tuple[str, dict[str, Any]]:
        request = item.request
        assert not isinstance(request, Likelihood)  # noqa: S101 - asked otherwise; for the type checker
        self._not_offered.update(not_offered(request))
        return _PATH, {"model": self.name, **body_of(request, self._thinking)}

    def _read(self, item: Item, reply: dict[str, Any]) -> Answer:
        return read_message(reply)

    def batch_form(self) -> BatchForm:
        """Write questions as the Message Batches API takes them."""
        return BatchForm(
            api="Anthropic",
            how="post it as it is to /v1/messages/batches; then fetch its results",
            begin='{"requests": [\n',
            between=",\n",
            end="\n]}\n",
            most_requests=100_000,
            most_bytes=250_000_000,
            write=self._batch_request,
            read=self._unbatched,
            recall=lambda known: self._connection.recall(known, _PATH),
        )

    def _batch_request(self, item: Item, seed: int) -> dict[str, Any]:
        return {"custom_id": item.id, "params": self._batched(item, seed)[1]}


def _thinking(spelling: ModelSpec) -> Thinking:
    effort = spelling.options.get("effort", "")
    wanted = spelling.options.get("thinking", "")
    if wanted in ("off", "0"):
        return Thinking("disabled", 0, effort)
    if wanted == "adaptive":
        return Thinking("adaptive", ADAPTIVE_ROOM, effort)
    if not wanted:
        return Thinking(effort=effort)
    if not wanted.isdecimal():
        raise InputError(
            f"model {spelling.text!r}: thinking={wanted!r} is not a whole number from "
            f"{_LEAST_BUDGET}, adaptive or off"
        )
    budget = int(number(spelling, "thinking", 0, least=_LEAST_BUDGET, whole=True))
    return Thinking("enabled", budget, effort)


def _address(spelling: ModelSpec) -> Address:
    if not spelling.argument:
        raise InputError(
            f"model {spelling.text!r} names no model: write for example anthropic:NAME"
        )
    base = _base(spelling)
    key = read_key(_KEY)
    withheld = bool(key) and base is not None and not spelling.key_is_for(base)
    if not key and base is None and spelling.asked:
        raise InputError(
            f"model {spelling.text!r} needs a key: set the environment variable {_KEY} to it"
        )
    sent = NO_KEY if withheld or not key else key
    headers = {"x-api-key": sent, "anthropic-version": _VERSION}
    return Address(spelling.argument, base or _SERVER, sent, _KEY, withheld, headers)


def _base(spelling: ModelSpec) -> str | None:
    base = spelling.options.get("base")
    if base is None:
        return None
    try:
        parts = urlsplit(base)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        good = False
    if not good or "@" in parts.netloc or parts.query or parts.fragment:
        raise InputError(
            f"model {spelling.scheme}:{spelling.argument}: base is no address of a server: write "
            "for example base=https://HOST/v1"
        )
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))
