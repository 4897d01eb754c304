"""What every model behind a server keeps to, whatever the server speaks: one double for each."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anthropic_server as messages
import pytest
from openai_server import (
    Asked,
    Reply,
    Script,
    Server,
    chat,
    clean_environment,
    completion,
    fault,
    saying,
)

from slant.errors import InputError
from slant.models.model import Model
from slant.models.open import open_model
from slant.readings import read_answer
from slant.readings.read import CUT_THOUGHT
from slant.records import Answer, Choose, Generate, Item, Message, Sampling

KEY = "sk-not-a-real-key-0123456789"


def responding(
    text: str = "", *, incomplete: str = "", thought: str = "", refusal: str = ""
) -> Reply:
    """Say something as the Responses API does."""
    output: list[dict[str, Any]] = []
    if thought:
        output.append({"type": "reasoning", "summary": [{"type": "summary_text", "text": thought}]})
    if text:
        output.append({"type": "message", "content": [{"type": "output_text", "text": text}]})
    if refusal:
        output.append({"type": "message", "content": [{"type": "refusal", "refusal": refusal}]})
    return Reply(
        {
            "status": "incomplete" if incomplete else "completed",
            "incomplete_details": {"reason": incomplete} if incomplete else None,
            "output": output,
            "usage": {"input_tokens": 7, "output_tokens": 3},
        }
    )


def continuing(text: str, finish_reason: str = "stop") -> Reply:
    """Continue a text, with the tokens counted."""
    reply = completion(text, finish_reason)
    reply.body["usage"] = {"prompt_tokens": 7, "completion_tokens": 3}
    return reply


@dataclass(frozen=True)
class Backend:
    """One way of speaking to a server.

    Attributes
    ----------
    spelling
        Of the model, from the server's address and further options.
    said, cut, thought, cut_thought, refused
        The server's replies: a text; one cut off; with a thought; nothing but the beginning of a
        thought; a refusal. `None` where the API has no such thing.
    prompt_of
        The last thing said to the model.
    limit
        Name of the limit on tokens.
    variable
        Holds the key.
    sampled
        Whether there is a parameter `temperature` to refuse.
    seeded
        Whether it takes a seed.
    """

    spelling: Callable[[str, str], str]
    said: Callable[[str], Reply]
    cut: Callable[[str], Reply]
    thought: Callable[[str, str], Reply]
    cut_thought: Callable[[str], Reply]
    refused: Callable[[str], Reply] | None
    prompt_of: Callable[[dict[str, Any]], str]
    limit: str
    variable: str
    seeded: bool
    raw: bool = False


def compatible(api: str) -> Callable[[str, str], str]:
    return lambda address, options: f"{address}?api={api}&{options}#tiny"


BACKENDS = {
    "chat": Backend(
        compatible("chat"),
        said=chat,
        cut=lambda text: chat(text, "length"),
        thought=lambda thought, text: chat(text, reasoning_content=thought),
        cut_thought=lambda thought: chat("", "length", reasoning_content=thought),
        refused=lambda text: chat(None, refusal=text),
        prompt_of=lambda body: body["messages"][-1]["content"],
        limit="max_tokens",
        variable="SLANT_API_KEY",
        seeded=True,
    ),
    "completions": Backend(
        compatible("completions"),
        said=continuing,
        cut=lambda text: continuing(text, "length"),
        thought=lambda thought, text: continuing(f"<think>{thought}</think>{text}"),
        cut_thought=lambda thought: continuing(f"<think>{thought}", "length"),
        refused=None,
        prompt_of=lambda body: body["prompt"],
        limit="max_tokens",
        variable="SLANT_API_KEY",
        seeded=True,
        raw=True,
    ),
    "responses": Backend(
        compatible("responses"),
        said=responding,
        cut=lambda text: responding(text, incomplete="max_output_tokens"),
        thought=lambda thought, text: responding(text, thought=thought),
        cut_thought=lambda thought: responding(thought=thought, incomplete="max_output_tokens"),
        refused=lambda text: responding(refusal=text),
        prompt_of=lambda body: body["input"][-1]["content"][0]["text"],
        limit="max_output_tokens",
        variable="SLANT_API_KEY",
        seeded=False,
    ),
    "messages": Backend(
        lambda address, options: f"anthropic:tiny?base={address}&{options}",
        said=lambda text: messages.message(messages.text(text)),
        cut=lambda text: messages.message(messages.text(text), stop_reason="max_tokens"),
        thought=lambda thought, text: messages.message(
            messages.thinking(thought), messages.text(text)
        ),
        cut_thought=lambda thought: messages.message(
            messages.thinking(thought), stop_reason="max_tokens"
        ),
        refused=lambda text: messages.message(messages.text(text), stop_reason="refusal"),
        prompt_of=lambda body: body["messages"][-1]["content"],
        limit="max_tokens",
        variable="ANTHROPIC_API_KEY",
        seeded=False,
    ),
}


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Backend:
    clean_environment(monkeypatch)
    chosen = BACKENDS[request.param]
    monkeypatch.setenv(chosen.variable, KEY)
    return chosen


def item(backend: Backend, text: str, sampling: Sampling | None = None) -> Item:
    prompt = text if backend.raw else (Message("user", text),)
    return Item("s", Generate(prompt, sampling or Sampling()))


def asked_of(
    backend: Backend, script: Script, *items: Item, options: str = "retries=1", seed: int = 0
) -> tuple[list[Answer], Server, Model]:
    """Ask over the backend, and read the answers as the engine does."""

    async def run(address: str) -> tuple[list[Answer], Model]:
        model = open_model(backend.spelling(address, options))
        try:
            answers = await model.answer(items, seed)
        finally:
            await model.close()
        return [read_answer(*pair) for pair in zip(items, answers, strict=True)], model

    with Server(script).running() as server:
        answers, model = asyncio.run(run(server.address))
    return answers, server, model


def test_answers_keep_the_order_of_the_questions(backend: Backend) -> None:
    items = [item(backend, f"question {number}") for number in range(9)]
    answers, server, _ = asked_of(
        backend, lambda asked: backend.said(f"on {backend.prompt_of(asked.body)}"), *items
    )
    assert [answer.text for answer in answers] == [f"on question {n}" for n in range(9)]
    assert all((a.prompt_tokens, a.completion_tokens) == (7, 3) for a in answers)
    assert {a.finish_reason for a in answers} == {"stop"}
    assert {asked.body["model"] for asked in server.asked} == {"tiny"}


def test_a_text_that_was_cut_off_says_so(backend: Backend) -> None:
    (answer,), _, _ = asked_of(backend, saying(backend.cut("half a")), item(backend, "q"))
    assert (answer.outcome, answer.text, answer.finish_reason) == ("answered", "half a", "length")


def test_a_thought_is_no_part_of_the_answer(backend: Backend) -> None:
    (answer,), _, _ = asked_of(backend, saying(backend.thought("Hm.", "Yes.")), item(backend, "q"))
    assert (answer.outcome, answer.text) == ("answered", "Yes.")
    assert answer.aside is not None
    assert answer.aside.thought == "Hm."


def test_a_thought_that_was_cut_off_is_no_answer(backend: Backend) -> None:
    (answer,), _, _ = asked_of(backend, saying(backend.cut_thought("Hm, I")), item(backend, "q"))
    assert (answer.outcome, answer.text, answer.reason) == ("unparseable", "", CUT_THOUGHT)
    assert answer.aside is not None
    assert answer.aside.thought == "Hm, I"


def test_a_refusal_that_the_server_marks(backend: Backend) -> None:
    if backend.refused is None:
        pytest.skip("the API marks no refusals")
    (answer,), _, _ = asked_of(backend, saying(backend.refused("I won't.")), item(backend, "q"))
    assert (answer.outcome, answer.text) == ("refused", "I won't.")


def test_the_limit_is_that_of_answer_and_thought_together(backend: Backend) -> None:
    question = item(backend, "q", Sampling(max_tokens=50))
    _, plain, _ = asked_of(backend, saying(backend.said("x")), question)
    _, thinking, model = asked_of(
        backend, saying(backend.said("x")), question, options="thinking=2000"
    )
    assert plain.asked[0].body[backend.limit] == 50
    assert thinking.asked[0].body[backend.limit] == 2050
    assert model.thought_tokens == 2000
    assert model.fingerprint()["thinking"]


def test_a_seed_is_the_items_own_where_there_is_one(backend: Backend) -> None:
    script = saying(backend.said("x"))
    one, other = item(backend, "one"), item(backend, "other")
    seeds = [
        asked_of(backend, script, each, seed=seed)[1].asked[0].body.get("seed")
        for each, seed in ((one, 1), (one, 1), (one, 2), (other, 1))
    ]
    if not backend.seeded:
        assert seeds == [None] * 4
    else:
        assert seeds[0] == seeds[1]
        assert len(set(seeds)) == 3


def test_a_refused_parameter_is_left_out_and_told(backend: Backend) -> None:
    def strict(asked: Asked) -> Reply:
        if "temperature" in asked.body:
            return fault(400, "Unsupported parameter: 'temperature'", type="invalid_request_error")
        return backend.said("fine")

    (answer,), server, model = asked_of(backend, strict, item(backend, "q"))
    assert answer.text == "fine"
    assert len(server.asked) == 2
    assert model.effective().instead() == {"temperature": "server default"}
    assert "temperature" in model.effective().remarks()[0]


def test_a_busy_server_is_asked_again(backend: Backend) -> None:
    replies = saying(fault(429), fault(529), fault(503), backend.said("now"))
    (answer,), server, _ = asked_of(backend, replies, item(backend, "q"))
    assert (answer.text, len(server.asked)) == ("now", 4)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (fault(500, "out\n of memory"), "HTTP 500: out of memory"),
        (fault(400, "prompt too long"), "HTTP 400: prompt too long"),
        (Reply(b'{"choices": [{"te', headers={"retry-after-ms": "1"}), "not JSON, or was cut off"),
        (Reply(b"<html>", headers={"retry-after-ms": "1"}), "not JSON, or was cut off"),
        (Reply(b"[1]"), "not a JSON object"),
        (Reply({"error": {"message": "overloaded"}}), "overloaded"),
        (Reply({}), "the reply holds no"),
        (Reply({"choices": 3, "output": 3, "content": 3}), "the reply holds no"),
    ],
)
def test_what_is_no_answer_is_an_error_with_its_reason(
    backend: Backend, reply: Reply, reason: str
) -> None:
    (answer,), _, _ = asked_of(backend, saying(reply), item(backend, "q"))
    assert answer.outcome == "error"
    assert reason in (answer.reason or "")


@pytest.mark.parametrize(("status", "says"), [(401, "does not accept the key"), (404, "'tiny'")])
def test_what_makes_every_question_pointless_is_raised(
    backend: Backend, status: int, says: str
) -> None:
    with pytest.raises(InputError, match=says) as raised:
        asked_of(backend, saying(fault(status, f"no {KEY}")), item(backend, "q"))
    assert KEY not in str(raised.value)


def test_the_key_is_in_no_answer_and_in_no_log(
    backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    script = saying(backend.thought(f"The key is {KEY}.", f"It is {KEY}."))
    (answer,), server, model = asked_of(backend, script, item(backend, "q"))
    assert KEY in str(server.asked[0].headers)
    assert answer.text == "It is ***."
    assert KEY not in f"{answer} {caplog.text} {model.fingerprint()} {vars(model)}"


def test_a_choice_is_read_from_the_text_where_there_is_nothing_else(backend: Backend) -> None:
    prompt = "q" if backend.raw else (Message("user", "q"),)
    question = Item("s", Choose(prompt, ("Yes", "No")))
    (answer,), _, _ = asked_of(backend, saying(backend.said("Yes")), question)
    assert (answer.outcome, answer.text, answer.logprobs) == ("answered", "Yes", None)
