"""A function of the user's own in place of a model."""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from slant.errors import InputError
from slant.models.model import Model
from slant.records import Answer, Likelihood
from slant.registry import insist_allowed, load_place
from slant.table_file import whole_characters

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from slant.models.model_spec import ModelSpec
    from slant.records import Ability, Item, Prompt

_LONGEST = 8 * 2**20
"""Characters that an answer may have."""

_MOST_WAITED = 200
"""Calls that never came back, after which no more are begun: each holds a thread."""

Messages: TypeAlias = list[dict[str, str]]


class PythonFunction(Model):
    """A function that takes messages and returns text: `python:module:function`.

    The function gets a list of `{"role": …, "content": …}` and returns the answer; it may be
    async. It is called in threads of its own, async functions all in one event loop. Options:

    - `timeout=SECONDS`: how long to wait for an answer (120). What does not come back in time goes
      on in its thread, and its answer counts as an error.
    - `concurrency=N`: how many calls are under way at once (1).
    - `price=IN,OUT` or `price=free`.

    What it raises, and what it returns that is no text, become answers with the outcome `error`.

    Raises
    ------
    InputError
        The function cannot be loaded, or nobody named it in this call.
    """

    abilities: frozenset[Ability] = frozenset({"chat", "choose"})
    restriction = "a Python function is asked as a chat only"

    def __init__(self, spelling: ModelSpec):
        spelling.check_options(["timeout", "concurrency", "price"])
        place = spelling.argument
        module, colon, attribute = place.partition(":")
        if not (module and colon and attribute):
            raise InputError(
                f"model {spelling.text!r} names no function: write python:MODULE:FUNCTION"
            )
        self._timeout = spelling.number("timeout", 120, least=0.001)
        self.concurrency = int(spelling.number("concurrency", 1, least=1, most=1000, whole=True))
        self.price = spelling.price()
        insist_allowed("model", f"python:{place}")
        self._function: Callable[[Messages], object] = load_place(place, spelling.text)
        if not callable(self._function):
            raise InputError(f"{place!r} is no function: it should take messages and return text")
        self.name = f"{module}.{attribute}"
        self._source = _source(module)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._never_came_back = 0

    def fingerprint(self) -> Mapping[str, str]:
        """Name the function, and give the hash of the file that it is written in."""
        return {"model": self.name, "source": self._source}

    def remarks(self) -> list[str]:
        """Say who decides how text is drawn, and how many calls never came back."""
        drawn = (
            f"{self.name} is a function that was given messages only: how its text is drawn "
            "(temperature, length, seed) is its own affair."
        )
        told = [drawn]
        if self._never_came_back:
            told.append(
                f"{self._never_came_back:,} calls of {self.name} did not come back in time."
            )
        return told

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Call the function for every item; the seed is not passed on."""
        return [await self._answer(item) for item in items]

    async def _answer(self, item: Item) -> Answer:
        request = item.request
        if isinstance(request, Likelihood):
            return Answer("error", reason="a function gives no likelihood of a text")
        if self._never_came_back >= _MOST_WAITED:
            reason = f"{_MOST_WAITED} calls of the function did not come back: no more are begun"
            return Answer("error", reason=reason)
        if not isinstance(request.prompt, str) and any(turn.picture for turn in request.prompt):
            return Answer("error", reason="a function is shown no pictures")
        called = _Call(self._function, _messages(request.prompt), self._own_loop())
        try:
            said = await asyncio.wait_for(called.result, self._timeout)
        except TimeoutError:
            called.give_up()
            self._never_came_back += 1
            return Answer("error", reason=f"the function did not return within {self._timeout:g} s")
        return said

    def _own_loop(self) -> asyncio.AbstractEventLoop:
        """Give the event loop in which all async calls run, so that they can share clients."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            threading.Thread(target=_serve, args=[self._loop], daemon=True).start()
        return self._loop

    async def close(self) -> None:
        """End the loop of async calls; a thread that hangs ends with the process."""
        loop, self._loop = self._loop, None
        if loop is not None:
            loop.call_soon_threadsafe(loop.stop)


class _Call:
    """One call of the function, in a thread that nobody has to wait for."""

    def __init__(
        self,
        function: Callable[[Messages], object],
        messages: Messages,
        shared: asyncio.AbstractEventLoop,
    ):
        self._function, self._messages, self._shared = function, messages, shared
        self._here = asyncio.get_running_loop()
        self.result: asyncio.Future[Answer] = self._here.create_future()
        self._awaiting: Any = None
        threading.Thread(target=self._run, daemon=True).start()

    def give_up(self) -> None:
        """Cancel what an async function is at; one that is not async cannot be stopped."""
        if self._awaiting is not None:
            self._awaiting.cancel()

    def _run(self) -> None:
        try:
            said = self._function(self._messages)
            if inspect.isawaitable(said):
                self._awaiting = asyncio.run_coroutine_threadsafe(_awaited(said), self._shared)
                said = self._awaiting.result()
            answer = _answer_from(said)
        except BaseException as error:  # whatever it is, also SystemExit, is told
            what = whole_characters(f"{type(error).__name__}: {error}")[:300]
            answer = Answer("error", reason=f"the function raised {what}")
        with suppress(RuntimeError):  # the run is over: nobody listens any more
            self._here.call_soon_threadsafe(self._tell, answer)

    def _tell(self, answer: Answer) -> None:
        if not self.result.done():
            self.result.set_result(answer)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


async def _awaited(said: Awaitable[object]) -> object:
    return await said


def _answer_from(said: object) -> Answer:
    if said is None:
        return Answer("error", reason="the function returned nothing: it should return text")
    if not isinstance(said, str):
        kind = type(said).__name__
        return Answer("error", reason=f"the function returned {kind}: it should return text (str)")
    if len(said) > _LONGEST:
        return Answer("error", reason=f"the function returned more than {_LONGEST:,} characters")
    text = whole_characters(said)
    if not text.strip():
        return Answer("unparseable", text, reason="the function returned an empty text")
    return Answer("answered", text)


def _messages(prompt: Prompt) -> Messages:
    if isinstance(prompt, str):
        return [{"role": "user", "content": prompt}]
    return [{"role": turn.role, "content": turn.content} for turn in prompt]


def _source(module: str) -> str:
    """Hash the file of a module: equal fingerprints should mean equal answers."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return "no file"
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()
