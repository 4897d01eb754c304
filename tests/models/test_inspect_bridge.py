"""Models of inspect_ai's providers keep to what every model keeps to; its own mock answers."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import Any

import pytest

from slant.errors import InputError
from slant.models.inspect_bridge import InspectModel
from slant.models.model_spec import parse_model_spec
from slant.models.open import open_model
from slant.readings import read_answer
from slant.records import Answer, Choose, Generate, Item, Likelihood, Message, Sampling
from slant.registry import allow

try:
    import inspect_ai.model as inspect_model
except ImportError:
    inspect_model = None
installed = pytest.mark.skipif(inspect_model is None, reason="slant[inspect-ai] is not installed")

SPELT = "inspect:mockllm/model"


def asked(
    answers: Callable[..., Any], *items: Item, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[Answer], InspectModel]:
    """Have inspect's mock provider asked; `answers` gets messages, tools, choice and config."""
    made = inspect_model.get_model
    allow([SPELT])
    with monkeypatch.context() as patched:
        patched.setattr(
            inspect_model, "get_model",
            lambda name, **more: made(name, custom_outputs=answers, **more),
        )  # fmt: skip
        model = InspectModel(parse_model_spec(SPELT))

    async def ask() -> list[Answer]:
        try:
            return await model.answer(items, seed=3)
        finally:
            await model.close()

    told = asyncio.run(ask())
    return [read_answer(*pair) for pair in zip(items, told, strict=True)], model


def saying(text: Any, stop_reason: str = "stop") -> Callable[..., Any]:
    return lambda *_: output(text, stop_reason)


def output(text: Any, stop_reason: str = "stop") -> Any:
    said = inspect_model.ModelOutput.from_content("mockllm/model", text, stop_reason=stop_reason)
    # Else inspect's mock counts tokens with a file that it would fetch.
    said.usage = inspect_model.ModelUsage(input_tokens=7, output_tokens=3, total_tokens=10)
    return said


def item(text: str = "q", sampling: Sampling | None = None) -> Item:
    return Item("s", Generate((Message("user", text),), sampling or Sampling()))


@installed
def test_answers_keep_the_order_and_the_parameters_are_those_of_the_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = list[Any]()

    def echo(messages: Any, tools: Any, choice: Any, config: Any) -> Any:
        seen.append(config)
        return output(f"on {messages[-1].text}")

    items = [item(f"question {n}", Sampling(max_tokens=9, temperature=0.5)) for n in range(4)]
    answers, model = asked(echo, *items, monkeypatch=monkeypatch)
    assert [each.text for each in answers] == [f"on question {n}" for n in range(4)]
    assert {(each.max_tokens, each.temperature, each.top_p) for each in seen} == {(9, 0.5, 1.0)}
    assert len({each.seed for each in seen}) == 4
    assert {(each.prompt_tokens, each.completion_tokens) for each in answers} == {(7, 3)}
    assert model.effective().model == ("mockllm/model",)
    assert model.fingerprint()["model"] == "mockllm/model"


@installed
def test_what_ends_a_text_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    (cut,), _ = asked(saying("half a", "max_tokens"), item(), monkeypatch=monkeypatch)
    assert (cut.outcome, cut.text, cut.finish_reason) == ("answered", "half a", "length")
    (refused,), _ = asked(saying("No.", "content_filter"), item(), monkeypatch=monkeypatch)
    assert (refused.outcome, refused.text) == ("refused", "No.")


@installed
def test_a_thought_is_no_part_of_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [
        inspect_model.ContentReasoning(reasoning="A shooting? No."),
        inspect_model.ContentText(text="Sure!\n\n**Yes**"),
    ]
    question = Item("s", Choose((Message("user", "q"),), ("Yes", "No")))
    (answer,), _ = asked(saying(parts), question, monkeypatch=monkeypatch)
    assert (answer.outcome, answer.text) == ("answered", "Yes")
    assert answer.aside is not None
    assert answer.aside.thought == "A shooting? No."


@installed
def test_what_a_provider_raises_is_an_error_with_its_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: Any) -> Any:
        raise ValueError("quota\n exhausted")

    (answer,), _ = asked(fails, item(), monkeypatch=monkeypatch)
    assert (answer.outcome, answer.reason) == ("error", "ValueError: quota exhausted")
    question = Item("s", Likelihood("a"))
    (answer,), _ = asked(fails, question, monkeypatch=monkeypatch)
    assert answer.outcome == "error"


@installed
@pytest.mark.parametrize(
    ("spelling", "says"),
    [("inspect:nowhere/model", "nowhere"), ("inspect:openai", "write inspect:PROVIDER/NAME"),
     ("inspect:mockllm/model?speed=1", "speed")],
)  # fmt: skip
def test_what_cannot_be_opened_is_said_in_one_sentence(spelling: str, says: str) -> None:
    allow([spelling])
    with pytest.raises(InputError, match=says) as raised:
        open_model(spelling)
    assert "\n" not in str(raised.value)


def test_without_inspect_ai_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai.model", None)
    allow([SPELT])
    with pytest.raises(InputError, match=r"is not installed: pip install 'slant\[inspect-ai\]'"):
        open_model(SPELT)
