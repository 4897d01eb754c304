"""A model of inspect_ai in place of one of slant's own: `inspect:PROVIDER/NAME`."""

from __future__ import annotations

import asyncio
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from slant.errors import InputError, missing_extra
from slant.models.effective import Effective
from slant.models.model import Model
from slant.models.openai_compatible.questions import seed_of
from slant.records import Answer, Aside, Choose, Likelihood
from slant.registry import insist_allowed
from slant.table_file import whole_characters

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.models.model_spec import ModelSpec
    from slant.records import Ability, Item, Prompt

_LONGEST_REASON = 300
_RETRIES = 5
_FOR_A_CHOICE = 16
"""Tokens for an option's name."""

_FINISH = {"max_tokens": "length", "model_length": "length"}
"""What inspect calls the end of a text, where slant has another word for it."""


class InspectModel(Model):
    """A model that one of inspect_ai's providers asks: `inspect:PROVIDER/NAME`.

    The provider has its key, its address and its waiting from its own environment variables.
    It needs `pip install 'slant[inspect-ai]'`. Options: `concurrency=N` (10) and `price=IN,OUT` or
    `price=free`.

    Parameters
    ----------
    spelling
        What the user wrote.

    Raises
    ------
    InputError
        inspect_ai is not installed, it has no such provider, or nobody named the model in this
        call.
    """

    abilities: frozenset[Ability] = frozenset({"chat", "choose"})
    restriction = "a provider of inspect_ai is asked as a chat only"

    def __init__(self, spelling: ModelSpec):
        spelling.check_options(["concurrency", "price"])
        if "/" not in spelling.argument:
            raise InputError(
                f"model {spelling.text!r} names no provider: write inspect:PROVIDER/NAME"
            )
        self.concurrency = int(spelling.number("concurrency", 10, least=1, most=1000, whole=True))
        self.price = spelling.price()
        insist_allowed("model", f"inspect:{spelling.argument}")
        self.name = spelling.argument
        self._effective = Effective()
        try:
            from inspect_ai.model import get_model
        except ImportError as error:
            raise missing_extra("inspect-ai", error) from None
        try:
            self._model: Any = get_model(spelling.argument, memoize=False)
        except Exception as error:  # each provider raises what it likes
            raise InputError(f"model {spelling.text!r}: {_said(error)}") from None

    def fingerprint(self) -> Mapping[str, str]:
        """Name the model and the version of inspect_ai that asks it."""
        return {"model": self.name, "inspect_ai": version("inspect_ai")}

    def effective(self) -> Effective:
        """Say which model says that it answered."""
        return self._effective

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Have the provider asked, one item after the other."""
        return [await self._answer(item, seed) for item in items]

    async def _answer(self, item: Item, seed: int) -> Answer:
        from inspect_ai.model import GenerateConfig

        request = item.request
        if isinstance(request, Likelihood):
            return Answer("error", reason="inspect_ai gives no likelihood of a text")
        if not isinstance(request.prompt, str) and any(turn.picture for turn in request.prompt):
            return Answer("error", reason="through inspect_ai no pictures are shown")
        config: dict[str, Any] = {"seed": seed_of(item, seed), "max_retries": _RETRIES}
        if isinstance(request, Choose):
            config |= {"max_tokens": _FOR_A_CHOICE, "temperature": 0.0}
        else:
            drawn = request.sampling
            config |= {"max_tokens": drawn.max_tokens, "temperature": drawn.temperature,
                       "top_p": drawn.top_p}  # fmt: skip
            if drawn.presence_penalty:
                config["presence_penalty"] = drawn.presence_penalty
            if drawn.frequency_penalty:
                config["frequency_penalty"] = drawn.frequency_penalty
        try:
            output = await self._model.generate(
                _messages(request.prompt), config=GenerateConfig(**config)
            )
        except asyncio.CancelledError:
            raise
        except Exception as error:  # each provider raises what it likes
            return Answer("error", reason=_said(error))
        self._effective = self._effective.with_(model=(str(output.model),))
        return _read(output)

    async def close(self) -> None:
        """Close the provider's connections."""
        await self._model.api.aclose()


def _messages(prompt: Prompt) -> list[Any]:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

    if isinstance(prompt, str):
        return [ChatMessageUser(content=prompt)]
    kinds = {
        "system": ChatMessageSystem,
        "user": ChatMessageUser,
        "assistant": ChatMessageAssistant,
    }
    return [kinds[turn.role](content=turn.content) for turn in prompt]


def _read(output: Any) -> Answer:
    if output.error or not output.choices:
        return Answer(
            "error", reason=(output.error or "the provider gave no answer")[:_LONGEST_REASON]
        )
    choice, usage = output.choices[0], output.usage
    content = choice.message.content
    thoughts = [] if isinstance(content, str) else [
        part.reasoning for part in content if part.type == "reasoning"
    ]  # fmt: skip
    refused = choice.stop_reason == "content_filter"
    return Answer(
        "refused" if refused else "answered",
        whole_characters(choice.message.text),
        prompt_tokens=None if usage is None else usage.input_tokens,
        completion_tokens=None if usage is None else usage.output_tokens,
        finish_reason=_FINISH.get(choice.stop_reason, choice.stop_reason),
        aside=Aside(whole_characters("\n\n".join(thoughts))) if thoughts else None,
    )


def _said(error: Exception) -> str:
    said = " ".join(whole_characters(f"{type(error).__name__}: {error}").split())
    return said[:_LONGEST_REASON]
