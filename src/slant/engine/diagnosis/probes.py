"""Trying what a model can do: each probe asks something small whose answer shows it."""

from __future__ import annotations

import asyncio
import json
import math
import struct
import tempfile
import zlib
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from slant.engine.diagnosis.asked import ask
from slant.errors import SlantError
from slant.expectation import Expectation
from slant.models.open import open_model
from slant.models.openai_compatible import OpenAICompatible
from slant.models.picture_file import read_picture
from slant.models.remote.connection import NotServedError
from slant.readings.choice import TRUSTED_MASS
from slant.readings.read import CUT_THOUGHT
from slant.records import Choose, Generate, Item, Likelihood, Message, Sampling

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

    from slant.models.model import Model
    from slant.models.model_spec import ModelSpec
    from slant.records import Prompt

Able = Literal["yes", "no", "unclear"]

_SERVERS = ("http", "https", "openai")
"""Schemes of models whose endpoints are tried one by one."""

_WAYS = ("vllm", "echo", "sglang")
_GREEDY = Sampling(max_tokens=64, temperature=0.0)
_LIKELY, _SHUFFLED = "The cat sat on the mat.", "mat The on. sat the cat"
_SCHEMA = {
    "type": "object",
    "properties": {"colour": {"type": "string"}},
    "required": ["colour"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Probe:
    """What one probe found.

    Attributes
    ----------
    what
        What was tried.
    able
        Whether the model can do it.
    found
        What showed it, in words; may quote the model.
    """

    what: str
    able: Able
    found: str


class Prober:
    """Tries a model.

    Parameters
    ----------
    spec
        What the user wrote.
    """

    def __init__(self, spec: ModelSpec):
        self._spec = spec
        self._server = spec.scheme in _SERVERS
        self.chat = self.raw = False

    async def all(self) -> list[Probe]:
        """Try everything; what a model cannot be asked is not tried.

        Raises
        ------
        InputError
            Nobody is there, or the key is not taken.
        SlantError
            It answers neither a chat nor raw text.
        """
        chat, thinking = await self._chat()
        raw = await self._raw()
        self.chat, self.raw = chat.able == "yes", raw.able == "yes"
        if not (self.chat or self.raw):
            raise SlantError(
                f"{self._spec.text} answers nothing. Asked as a chat: {chat.found}. Asked to "
                f"continue text: {raw.found}."
            )
        tried = [chat, raw, await self._logprobs(), await self._top_k(), await self._likelihood()]
        return [*tried, await self._seed(), await self._schema(), thinking, await self._pictures()]

    async def _chat(self) -> tuple[Probe, Probe]:
        question = "What is the capital of France? Answer with one word."
        item = Item("doctor", Generate((Message("user", question),), _GREEDY),
                    expects=Expectation("word"))  # fmt: skip
        thinking = Probe("thinking", "unclear", "it answers no chat")
        try:
            async with self._opened(api="chat") as model:
                if "chat" not in model.abilities:
                    return Probe("chat", "no", "it only continues text"), thinking
                heard = await ask(model, item)
                room = model.thought_tokens
        except NotServedError as error:
            return Probe("chat", "no", _brief(error)), thinking
        if heard.fault:
            return Probe("chat", "no", heard.fault), thinking
        if heard.read.reason == CUT_THOUGHT:
            advice = (
                f"it was still thinking after {_GREEDY.max_tokens + room} tokens: give thoughts "
                "room of their own with the option thinking=N, or fewer with effort=low"
            )
            return (
                Probe("chat", "yes", "it answers, but had only thought so far"),
                Probe("thinking", "yes", advice),
            )
        said = f"it says {_quoted(heard.read.text)}"
        if not heard.thought:
            return Probe("chat", "yes", said), Probe("thinking", "no", "no thought before it")
        apart = heard.raw.aside is not None
        where = "given apart by the server" if apart else "within the reply, and set aside"
        told = f"{len(heard.thought.split())} words, {where}"
        return Probe("chat", "yes", said), Probe("thinking", "yes", told)

    async def _raw(self) -> Probe:
        item = Item("doctor", Generate("The capital of France is", replace(_GREEDY, max_tokens=8)))
        try:
            async with self._opened(api="completions") as model:
                if "raw" not in model.abilities:
                    return Probe("raw", "no", "it only chats")
                heard = await ask(model, item)
        except NotServedError as error:
            return Probe("raw", "no", _brief(error))
        if heard.fault:
            return Probe("raw", "no", heard.fault)
        return Probe("raw", "yes", f"it goes on {_quoted(heard.read.text)}")

    async def _logprobs(self) -> Probe:
        what, options = "log-probabilities", ("Yes", "No")
        question = "A week has seven days. Yes or No?"
        prompt: Prompt = (
            (Message("user", f"{question} Answer with one of these, and nothing else: Yes, No."),)
            if self.chat
            else f"Q: Is ice hot? Yes or No?\nA: No\n\nQ: {question}\nA:"
        )
        async with self._best() as model:
            if "choose" not in model.abilities:
                return Probe(what, "no", "it cannot be asked to choose")
            heard = await ask(model, Item("doctor", Choose(prompt, options)))
        if heard.raw.logprobs is None:
            fault = heard.fault or f"none for the options; it says {_quoted(heard.read.text)}"
            return Probe(what, "no", f"{fault}: choices are read from the text")
        mass = min(math.fsum(map(math.exp, heard.raw.logprobs)), 1.0)
        enough = mass >= TRUSTED_MASS
        use = "used" if enough else "too little: choices are read from the text"
        return Probe(what, "yes", f"Yes and No hold {mass:.0%} of the mass, which is {use}")

    async def _top_k(self) -> Probe:
        if not self._server:
            return Probe("top-k", "unclear", "no server: it gives every option's, or none")
        async with self._best() as model:
            bare = getattr(model, "model", model)
            assert isinstance(bare, OpenAICompatible)  # noqa: S101 - for the type checker
            count, why = await bare.count_top_logprobs(chat=self.chat)
        if not count:
            return Probe("top-k", "no", why or "a reply holds none")
        return Probe("top-k", "yes", f"{count} most probable tokens where 20 were asked for")

    async def _likelihood(self) -> Probe:
        if not self._server:
            async with self._best() as model:
                if "likelihood" not in model.abilities:
                    return Probe("echo", "no", "it gives no likelihood of a text")
                values = [
                    (await ask(model, Item("doctor", Likelihood(text)))).raw.logprobs
                    for text in (_LIKELY, _SHUFFLED)
                ]
            good, bad = (math.fsum(each or ()) for each in values)
            able: Able = "yes" if good > bad else "no"
            return Probe("echo", able, f"a text has log P = {good:.1f}, its shuffle {bad:.1f}")
        reasons = []
        for way in _WAYS:
            try:
                async with self._opened(likelihood=way) as model:
                    await asyncio.to_thread(getattr, model, "abilities")
                return Probe("echo", "yes", f"likelihoods are right with likelihood={way}")
            except SlantError as error:
                reasons.append(f"{way}: {_brief(error).rpartition('): ')[2]}")
        return Probe("echo", "no", "; ".join(reasons))

    async def _seed(self) -> Probe:
        text = "Write one short sentence about the sea."
        prompt: Prompt = (Message("user", text),) if self.chat else "The sea is"
        item = Item("doctor", Generate(prompt, Sampling(max_tokens=24)))
        async with self._best() as model:
            heard = [await ask(model, item, seed) for seed in (1, 1, 2)]
            left_out = "seed" in model.effective().left_out
        fault = next((each.fault for each in heard if each.fault), "")
        if fault or left_out:
            return Probe("seed", "no", fault or "the server refuses the parameter")
        first, again, other = (each.raw.text for each in heard)
        if first != again:
            return Probe("seed", "no", "the same seed gave two texts: a repeated run will differ")
        if first == other:
            return Probe("seed", "unclear", "two seeds gave the same text: is it drawn at all?")
        return Probe("seed", "yes", "the same seed gives the same text, another one another")

    async def _schema(self) -> Probe:
        what = "JSON schema"
        if not self.chat:
            return Probe(what, "unclear", "it answers no chat")
        asked = Generate((Message("user", "Name a colour."),), _GREEDY, json.dumps(_SCHEMA))
        async with self._best() as model:
            heard = await ask(model, Item("doctor", asked, expects=Expectation("json")))
            left_out = "response_format" in model.effective().left_out
        try:
            held = "colour" in json.loads(heard.read.text or "")
        except (ValueError, TypeError):
            held = False
        if held:
            return Probe(what, "yes", f"it keeps to one: {_quoted(heard.read.text)}")
        refused = "the server refuses the parameter" if left_out else ""
        said = heard.fault or refused or f"it answers freely: {_quoted(heard.read.text)}"
        return Probe(what, "no", said)

    async def _pictures(self) -> Probe:
        if not self.chat:
            return Probe("pictures", "unclear", "it answers no chat")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "red.png"
            file.write_bytes(_red())
            question = "What colour is this picture? Answer with one word."
            shown = Message("user", question, read_picture(file))
            async with self._best() as model:
                if "see" not in model.abilities:
                    return Probe("pictures", "no", "it cannot be shown any")
                heard = await ask(model, Item("doctor", Generate((shown,), _GREEDY),
                                              expects=Expectation("word")))  # fmt: skip
        if heard.fault:
            return Probe("pictures", "no", heard.fault)
        seen = "red" in (heard.read.text or "").casefold()
        return Probe("pictures", "yes" if seen else "unclear",
                     f"of a red one it says {_quoted(heard.read.text)}")  # fmt: skip

    def _best(self) -> AbstractAsyncContextManager[Model]:
        return self._opened(api="chat" if self.chat else "completions")

    @asynccontextmanager
    async def _opened(self, **options: str) -> AsyncIterator[Model]:
        """Open the model with further options, which only servers take."""
        spec = self._spec
        if self._server:
            named = {**spec.options, **options}
            if spec.options.get("api") == "responses" and options.get("api") == "chat":
                named["api"] = "responses"
            spec = spec.with_options(named)
        model = open_model(spec.text)
        try:
            yield model
        finally:
            await model.close()


def _brief(error: SlantError) -> str:
    """Say what was found; what to do about it is of no use where several things are tried."""
    return str(error).partition(": check that")[0]


def _quoted(text: str | None) -> str:
    said = " ".join((text or "").split())
    return repr(said if len(said) <= 80 else said[:79] + "…")


def _red() -> bytes:
    """Make a PNG of one colour."""
    side = 32

    def chunk(kind: bytes, content: bytes) -> bytes:
        checksum = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)

    rows = (b"\0" + bytes((220, 20, 20)) * side) * side
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    start = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    return start + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
