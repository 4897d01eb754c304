"""Anthropic's Messages API: what only it does; the rest is in `test_contract.py`."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any

import pytest
from anthropic_server import complaint, message, text, thinking
from openai_server import Asked, Reply, Server, clean_environment, saying
from small_pictures import png

from slant.errors import InputError
from slant.models.key_hosts import KeyHosts
from slant.models.open import open_model
from slant.models.picture_file import read_picture
from slant.readings.read import CUT_THOUGHT, ONLY_THOUGHT
from slant.records import Answer, Aside, Generate, Item, Message, Sampling

KEY = "sk-ant-not-a-real-key-0123456789"
QUESTION = (Message("system", "Be brief."), Message("user", "Who?"))


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)


def ask(server: Server, *requests: Generate, options: str = "") -> tuple[list[Answer], Any]:
    async def run() -> tuple[list[Answer], Any]:
        model = open_model(f"anthropic:claude?base={server.address}&retries=1{options}")
        answers = [(await model.answer([Item("s", request)], 0))[0] for request in requests]
        await model.close()
        return answers, model.effective()

    return asyncio.run(run())


def test_a_conversation_is_written_as_the_api_takes_it() -> None:
    with Server(saying(message(text("Nobody.")))).running() as server:
        (answer,), _ = ask(server, Generate(QUESTION, Sampling(9, 0.8, 0.9, stop=("\n",))))
    assert answer == Answer("answered", "Nobody.", None, 7, 3, "stop")
    (asked,) = server.asked
    assert asked.path == "/v1/messages"
    assert asked.body == {
        "model": "claude",
        "system": "Be brief.",
        "messages": [{"role": "user", "content": "Who?"}],
        "max_tokens": 9,
        "temperature": 0.8,
        "top_p": 0.9,
    }
    assert asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in asked.headers


@pytest.mark.parametrize(
    ("options", "sent", "limit"),
    [
        ("", None, 9),
        ("&thinking=2000", {"type": "enabled", "budget_tokens": 2000}, 2009),
        ("&thinking=adaptive", {"type": "adaptive"}, 16_009),
        ("&thinking=off", {"type": "disabled"}, 9),
    ],
)
def test_thinking_is_spelt_for_this_api(options: str, sent: object, limit: int) -> None:
    with Server(saying(message(text("x")))).running() as server:
        ask(server, Generate(QUESTION, Sampling(9)), options=f"{options}&effort=low")
    body = server.asked[0].body
    assert (body.get("thinking"), body["max_tokens"]) == (sent, limit)
    assert body["output_config"] == {"effort": "low"}


def test_newer_models_take_no_temperature(caplog: pytest.LogCaptureFixture) -> None:
    def new(asked: Asked) -> Reply:
        if "temperature" in asked.body:
            return complaint(400, "`temperature` is deprecated for this model.")
        return message(text("fine"), model="claude-2026")

    with Server(new).running() as server:
        answers, effective = ask(server, Generate(QUESTION), Generate(QUESTION, Sampling(5)))
    assert [answer.text for answer in answers] == ["fine", "fine"]
    assert len(server.asked) == 3
    assert effective.left_out == ("temperature",)
    assert effective.model == ("claude-2026",)
    assert "refuses temperature" in caplog.text


def test_what_the_api_does_not_have_is_said_to_be_left_out() -> None:
    sampling = Sampling(9, 1.4, presence_penalty=0.5)
    with Server(saying(message(text("x")))).running() as server:
        _, effective = ask(server, Generate(QUESTION, sampling))
    assert effective.left_out == ("presence_penalty", "temperature")
    assert server.asked[0].body["temperature"] == 1.0


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (
            message(thinking("Hm."), text("Yes.")),
            Answer("answered", "Yes.", None, 7, 3, "stop", aside=Aside(thought="Hm.")),
        ),
        (
            message(thinking("Hm, I"), stop_reason="max_tokens"),
            Answer(
                "unparseable", "", None, 7, 3, "length", CUT_THOUGHT, aside=Aside(thought="Hm, I")
            ),
        ),
        (
            message({"type": "redacted_thinking", "data": "x"}),
            Answer("unparseable", "", None, 7, 3, "stop", ONLY_THOUGHT),
        ),
        (
            message(text("I can"), stop_reason="refusal"),
            Answer("refused", "I can", None, 7, 3, "refusal", "the server marks a refusal"),
        ),
        (
            message(text("so"), usage={"input_tokens": 1, "cache_read_input_tokens": 4}),
            Answer("answered", "so", None, 5, None, "stop"),
        ),
        (Reply({"content": 3}), Answer("error", reason="the reply holds no message")),
    ],
)
def test_what_comes_back_becomes_an_outcome(reply: Reply, expected: Answer) -> None:
    with Server(saying(reply)).running() as server:
        (answer,), _ = ask(server, Generate(QUESTION))
    assert answer == expected


def test_a_picture_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "p.png"
    file.write_bytes(png())
    turns = (Message("user", "What is it?", read_picture(file)),)
    with Server(saying(message(text("A dot.")))).running() as server:
        ask(server, Generate(turns))
    shown, said = server.asked[0].body["messages"][0]["content"]
    assert shown["source"]["media_type"] == "image/png"
    assert base64.b64decode(shown["source"]["data"]) == file.read_bytes()
    assert said == {"type": "text", "text": "What is it?"}


@pytest.mark.parametrize(
    ("spelling", "says"),
    [
        ("anthropic:", "names no model"),
        ("anthropic:m?base=host", "base is no address"),
        ("anthropic:m?base=http://me:hunter2@h/v1", "base is no address"),
        ("anthropic:m?thinking=much", "whole number from 1024, adaptive or off"),
        ("anthropic:m?thinking=5", "whole number from 1024"),
        ("anthropic:m?api=chat", "unknown"),
    ],
)
def test_bad_spellings(spelling: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as raised:
        open_model(spelling)
    assert "hunter2" not in str(raised.value)


def test_it_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    with pytest.raises(InputError, match="set the environment variable ANTHROPIC_API_KEY"):
        open_model("anthropic:claude")


def test_what_it_is_and_can() -> None:
    model = open_model("anthropic:claude?price=3,15&thinking=2000")
    assert model.fingerprint()["server"] == "https://api.anthropic.com/v1"
    assert model.fingerprint()["thinking"] == "enabled 2000"
    assert (model.price, model.thought_tokens) == ((3.0, 15.0), 2000)
    assert model.abilities == {"chat", "see", "choose"}
    assert KEY not in f"{model.fingerprint()} {vars(model)}"


def test_a_server_that_a_page_names_gets_no_key() -> None:
    with Server(saying(message(text("x")))).running() as server:
        spelling = f"anthropic:claude?base={server.address}"
        model = open_model(spelling, key_hosts=KeyHosts())
        asyncio.run(_answered(model))
    assert KEY not in str([*server.asked, *server.greetings])
    assert "ANTHROPIC_API_KEY was not sent" in model.remarks()[0]


async def _answered(model: Any) -> None:
    await model.answer([Item("s", Generate(QUESTION))], 0)
    await model.close()
