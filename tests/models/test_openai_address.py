from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import anyio
import pytest
from openai_server import (
    QUESTION,
    Asked,
    Reply,
    Server,
    ask,
    chat,
    clean_environment,
    fault,
    saying,
)

from slant.errors import InputError
from slant.models.model_spec import parse_model_spec
from slant.models.openai_compatible import OpenAICompatible
from slant.records import Generate, Message

KEY = "sk-not-a-real-key-0123456789"
Serve = Callable[..., Server]


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)


@pytest.fixture
def serve() -> Iterator[Serve]:
    with ExitStack() as stack:
        yield lambda script, models=None: stack.enter_context(Server(script, models).running())


@pytest.mark.parametrize("name", ["#tiny", ""])
def test_a_server_that_is_not_there_is_said_at_once(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(anyio, "sleep", wait)  # before asking again
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
    with pytest.raises(InputError, match=r"no server can be reached at http://127.*start it"):
        ask(address + name, Generate(QUESTION))
    assert waits == []


def test_the_key_is_sent_and_shown_nowhere(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    caplog.set_level(logging.DEBUG)

    def tell(asked: Asked) -> Reply:
        said = asked.headers["authorization"]
        return chat(said) if "ok" in str(asked.body["messages"]) else fault(400, said)

    server = serve(tell)
    monkeypatch.setenv("OPENAI_BASE_URL", server.address)
    requests = [Generate((Message("user", word),)) for word in ("ok", "no")]
    answers = ask("openai:tiny?retries=0", *requests)
    model = OpenAICompatible(parse_model_spec("openai:tiny"))
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert [answer.text or answer.reason for answer in answers] == [
        "Bearer ***",
        "HTTP 400: Bearer ***",
    ]
    shown = f"{answers} {model!r} {model.fingerprint()} {caplog.text} {vars(model)}"
    assert KEY not in shown
    asyncio.run(model.close())


def test_openais_key_and_account_go_to_no_other_server(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ADMIN_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", KEY)
    monkeypatch.setenv("OPENAI_PROJECT_ID", KEY)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"Authorization: Bearer {KEY}")
    server = serve(saying(chat("x")))
    ask(f"{server.address}?api=chat", Generate(QUESTION))
    monkeypatch.setenv("SLANT_API_KEY", "another")
    ask(server.address, Generate(QUESTION))
    seen = [*server.greetings, *server.asked]
    assert KEY not in str(seen)
    assert {asked.headers["authorization"] for asked in seen} == {"Bearer none", "Bearer another"}
    assert server.asked[0].body["model"] == "tiny"


@pytest.mark.parametrize("models", [["a", "b"], []])
def test_a_server_with_several_models_needs_a_name(serve: Serve, models: list[str]) -> None:
    server = serve(saying(chat("x")))
    server.models = Reply({"data": [{"id": name} for name in models]} if models else {"x": 1})
    says = r"has 2: a, b\. Write http" if models else "does not say which"
    with pytest.raises(InputError, match=says):
        OpenAICompatible(parse_model_spec(server.address))


def test_what_it_is_and_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    remote = OpenAICompatible(parse_model_spec("openai:gpt-4o?concurrency=3"))
    assert (remote.name, remote.price, remote.concurrency) == ("gpt-4o", None, 3)
    assert remote.abilities == {"chat", "see", "choose"}
    assert remote.fingerprint()["server"] == "https://api.openai.com/v1"
    local = OpenAICompatible(
        parse_model_spec("http://localhost:1/v1/?api=both&price=1,2#llama3:8b")
    )
    assert (local.name, local.price, local.concurrency) == ("llama3:8b", (1.0, 2.0), 16)
    assert local.abilities == {"raw", "chat", "see", "choose"}
    assert local.fingerprint()["server"] == "http://localhost:1/v1"
    assert OpenAICompatible(parse_model_spec("http://h/v1?api=completions#m")).price is None
    free = OpenAICompatible(parse_model_spec("http://h/v1?price=free#m"))
    assert free.price == (0.0, 0.0)


@pytest.mark.parametrize(
    ("spelling", "says"),
    [
        ("openai:", "names no model"),
        ("openai:gpt-4o", "OPENAI_API_KEY"),
        ("http://h/v1?api=chta#m", "did you mean 'chat'"),
        ("http://h/v1?aip=chat#m", "did you mean 'api'"),
        ("http://h/v1?concurrency=0#m", "whole number from 1"),
        ("http://h/v1?concurrency=2.5#m", "whole number from 1"),
        ("http://h/v1?timeout=soon#m", "number from 0.001"),
        ("http://h/v1?timeout=nan#m", "number from 0.001"),
        ("http://h/v1?price=1#m", "two amounts"),
        ("http://h/v1#m?api=chat", "write http://h/v1[?]api=chat#m"),
        ("http://h:port/v1#m", "no proper host and port"),
        ("http://#m", "no proper host and port"),
        ("http://me:hunter2@h/v1#m", "user name and password"),
    ],
)
def test_bad_spellings(spelling: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as raised:
        OpenAICompatible(parse_model_spec(spelling))
    assert "hunter2" not in str(raised.value)


def test_a_key_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "söme\nthing")
    with pytest.raises(InputError, match="OPENAI_API_KEY holds characters") as raised:
        OpenAICompatible(parse_model_spec("openai:x"))
    assert "söme" not in str(raised.value)
