"""A model behind a server that speaks the OpenAI API."""

from __future__ import annotations

import asyncio
import re
import threading
from typing import TYPE_CHECKING, Any

import openai

from slant.errors import InputError, unknown
from slant.models.batch_form import BatchForm
from slant.models.openai_compatible import responses
from slant.models.openai_compatible.address import read_address
from slant.models.openai_compatible.discovery import only_model, what_it_serves
from slant.models.openai_compatible.likelihood import prove, score
from slant.models.openai_compatible.prompt_logprobs import WAYS
from slant.models.openai_compatible.questions import body_of
from slant.models.openai_compatible.replies import read_choice, read_first_token, read_text
from slant.models.openai_compatible.top_logprobs import count_top_logprobs
from slant.models.remote.model import RemoteModel, number
from slant.records import Answer, Choose, Generate, Likelihood

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.models.effective import Effective
    from slant.models.model_spec import ModelSpec
    from slant.models.openai_compatible.likelihood import Proven
    from slant.records import Ability, Item

_ABILITIES: dict[str, frozenset[Ability]] = {
    "chat": frozenset({"chat", "see", "choose"}),
    "completions": frozenset({"raw", "choose"}),
    "both": frozenset({"raw", "chat", "see", "choose"}),
    "responses": frozenset({"chat", "see", "choose"}),
}
_THINKERS = re.compile(
    r"(?:^|/)(?:o[1-9]|gpt-5|gpt-oss)|deepseek-(?:r1|reasoner)|qwq|thinking|reasoning|magistral",
    re.IGNORECASE,
)
"""Names of models that think before they answer unless they are told not to."""

MOST_REQUESTS = 50_000
"""What one batch at OpenAI takes; other servers are no narrower."""

_CHAT, _COMPLETIONS, _RESPONSES = "/chat/completions", "/completions", "/responses"


class OpenAICompatible(RemoteModel):
    """A model at OpenAI, or behind any server that speaks its API.

    `openai:NAME` asks OpenAI, with the key in `OPENAI_API_KEY`. `http://host:port/v1#NAME` (or
    `https`) asks any other server: vLLM, Ollama, llama.cpp, LM Studio and many more, with the key
    in `SLANT_API_KEY` if there is one; the key for OpenAI is never sent there. Without `#NAME`
    the server must have just one model. Options, before the `#`:

    - `api=chat|completions|both|responses`: which endpoints are used. Chat, or OpenAI's responses,
      is needed for conversations, completions to continue raw text. The default is `chat` at
      OpenAI. Any other server is asked one short question, when it is first of interest what the
      model can do: `chat` where that is answered, else `completions`.
      Whether the model behind it can look at pictures only shows when it is asked about one.
    - `thinking=N`: tokens that a thought may take, beside those of the answer (0).
    - `effort=WORD`: how much the model is to think (`none`, `low` …), sent as `reasoning_effort`.
    - `likelihood=vllm|echo|sglang`: the server gives the log-probabilities of a prompt: vLLM's
      `prompt_logprobs`, `echo` with `logprobs`, SGLang's `/generate`. Before anything is asked it
      must show that they are right: as many as there are tokens, none missing, and texts more
      probable than the same words in no order. Some servers give wrong ones without an error.
    - `price=IN,OUT`: US dollars per million prompt and completion tokens.
    - `concurrency=N`: how many questions are under way at once at the most (16).
    - `timeout=SECONDS`: how long to wait for the whole of a reply (120).
    - `retries=N`: how often to ask again when the server fails (5).

    A server that is too busy (HTTP 429, 529, or 503 with `Retry-After`) is asked more slowly, and
    again until it takes the question.

    A parameter that the model refuses (`temperature`, with some) is left out from then on; the log,
    the report and the signatures say so. Filters that a server applies unasked (`top_k` and `min_p`
    of llama.cpp, the generation defaults of vLLM) are not visible from here: switch them off at the
    server.

    Raises
    ------
    InputError
        The spelling, an option or the key is wrong; or the server was asked for the name of its
        model and has none or several.
    """

    def __init__(self, spelling: ModelSpec):
        spelling.check_options(["api", "likelihood", *self.options])
        here = spelling.scheme != "openai"
        self._api = spelling.options.get("api", "" if here else "chat")
        if self._api and self._api not in _ABILITIES:
            raise unknown("api", self._api, _ABILITIES)
        self._likelihood = spelling.options.get("likelihood", "")
        if self._likelihood and self._likelihood not in WAYS:
            raise unknown("likelihood", self._likelihood, WAYS)
        self._proven: Proven | None = None
        self._asking = threading.Lock()
        self._not_offered: set[str] = set()
        self.price = spelling.price()
        self.thought_tokens = int(number(spelling, "thinking", 0, least=0, whole=True))
        self._effort = spelling.options.get("effort", "")
        super().__init__(spelling, read_address(spelling))
        self.name = self.name or only_model(self._address)
        self.thinks = self._effort != "none" and _THINKERS.search(self.name) is not None

    @property
    def abilities(self) -> frozenset[Ability]:  # type: ignore[override] # some servers must be asked
        """What its endpoints can do; may ask the server, once."""
        gives: frozenset[Ability] = frozenset({"likelihood"} if self._likelihood else ())
        return _ABILITIES[self._served()] | gives

    def fingerprint(self) -> Mapping[str, str]:
        """Name the model, the server, the endpoints used and the client."""
        thinking = {"thinking": str(self.thought_tokens)} if self.thought_tokens else {}
        effort = {"effort": self._effort} if self._effort else {}
        api, likelihood = self._served(), {}
        if self._proven is not None:
            likelihood = {
                "likelihood": "perplexity",
                "likelihood_dtype": "the server's",
                "bos": self._proven.bos,
            }
        return {
            "model": self.name,
            "server": self._connection.server,
            "api": api,
            **thinking,
            **effort,
            **likelihood,
            "client": f"openai {openai.__version__}",
        }

    def effective(self) -> Effective:
        """Say which parameters the server refused or does not have, and who it says answered."""
        return super().effective().with_(left_out=tuple(sorted(self._not_offered)))

    def _served(self) -> str:
        """Say which endpoints are used; where nobody said so, try."""
        with self._asking:
            if not self._api:
                served = what_it_serves(self._connect, self.name)
                self._api, self.thinks = served.api, self.thinks or served.thinks
            if self._likelihood and self._proven is None:
                self._proven = prove(self._connect, self.name, self._likelihood)
        return self._api

    async def _answer(self, item: Item, seed: int) -> Answer:
        if not self._api or (self._likelihood and self._proven is None):
            await asyncio.to_thread(self._served)
        if isinstance(item.request, Likelihood):
            if self._proven is None:
                reason = "no likelihood of a text is asked of a server without likelihood=…"
                return Answer("error", reason=reason)
            return await score(self._connection, self.name, self._proven.way, item.request)
        return await self._ask(item, seed)

    def _question(self, item: Item, seed: int) -> tuple[str, dict[str, Any]]:
        request, api = item.request, self._served()
        assert not isinstance(request, Likelihood)  # noqa: S101 - asked otherwise; for the type checker
        named = {"model": self.name}
        if api == "responses":
            if isinstance(request, Generate):
                self._not_offered.update(responses.not_offered(request.sampling))
            return _RESPONSES, named | responses.body_of(
                request, thinking=self.thought_tokens, effort=self._effort
            )
        chat = api == "chat" or (api == "both" and not isinstance(request.prompt, str))
        if not chat and not isinstance(request.prompt, str):
            raise InputError("conversations need the option api=chat or api=both")
        body = body_of(item, request, seed, chat=chat, thinking=self.thought_tokens)
        if chat and self._effort:
            body["reasoning_effort"] = self._effort
        return (_CHAT if chat else _COMPLETIONS), named | body

    def _read(self, item: Item, reply: dict[str, Any]) -> Answer:
        request = item.request
        if not isinstance(request, Choose):
            return responses.read_response(reply) if self._api == "responses" else read_text(reply)
        if self._api == "responses":
            return responses.read_response(reply, request)
        return read_first_token(reply) if request.free else read_choice(reply, request.options)

    async def count_top_logprobs(self, *, chat: bool) -> tuple[int, str]:
        """Say how many of the most probable tokens the server names; if none, why."""
        return await count_top_logprobs(self._connection, self.name, chat=chat)

    def batch_form(self) -> BatchForm:
        """Write questions as OpenAI's batches hold them, which other servers take too."""
        return BatchForm(
            api="OpenAI",
            how='upload it with the purpose "batch", and make a batch of it for the endpoint that '
            "its lines name (24h); then fetch the output file, and the error file if there is one",
            begin="",
            between="\n",
            end="\n",
            most_requests=MOST_REQUESTS,
            most_bytes=190_000_000,
            write=self._batch_line,
            read=self._unbatched,
            recall=lambda known: self._connection.recall(known, _CHAT, _COMPLETIONS, _RESPONSES),
        )

    def _batch_line(self, item: Item, seed: int) -> dict[str, Any]:
        path, body = self._batched(item, seed)
        return {"custom_id": item.id, "method": "POST", "url": f"/v1{path}", "body": body}
