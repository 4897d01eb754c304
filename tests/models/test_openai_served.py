"""Whether a server chats or continues text is tried once, before anything is asked of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from openai_server import (
    QUESTION,
    Asked,
    Reply,
    Server,
    ask,
    chat,
    clean_environment,
    completion,
    fault,
    saying,
)

import slant
from slant.errors import InputError, SlantError
from slant.models.model_spec import parse_model_spec
from slant.models.openai_compatible import OpenAICompatible
from slant.records import Generate


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)


def only_completions(asked: Asked) -> Reply:
    return completion(" bar.") if asked.path == "/v1/completions" else fault(404, "Not Found")


def without_template(asked: Asked) -> Reply:
    if asked.path == "/v1/completions":
        return completion(" bar.")
    return fault(400, "default chat template is no longer allowed, so you must provide one")


def short_of_words(asked: Asked) -> Reply:
    return fault(400, "could not finish the message because max_tokens was reached")


@pytest.mark.parametrize(
    ("script", "api", "can"),
    [
        (saying(chat("Hi")), "chat", {"chat", "see", "choose"}),
        (short_of_words, "chat", {"chat", "see", "choose"}),
        (only_completions, "completions", {"raw", "choose"}),
        (without_template, "completions", {"raw", "choose"}),
    ],
)
def test_what_a_server_does_is_tried_once(script: object, api: str, can: set[str]) -> None:
    with Server(script).running() as server:  # type: ignore[arg-type]
        model = OpenAICompatible(parse_model_spec(f"{server.address}#tiny"))
        assert server.asked == []
        assert model.abilities == can
        tried = len(server.asked)
        assert model.fingerprint()["api"] == api
        assert model.abilities == can
        assert len(server.asked) == tried <= 2
        asyncio.run(model.close())


def test_nothing_is_tried_where_the_user_says_what_is_served() -> None:
    with Server(saying(chat("Hi"))).running() as server:
        model = OpenAICompatible(parse_model_spec(f"{server.address}?api=completions#tiny"))
        assert model.abilities == {"raw", "choose"}
        asyncio.run(model.close())
        assert server.asked == []


def test_a_model_that_nobody_described_is_tried_before_its_first_question() -> None:
    with Server(saying(chat("Hi"))).running() as server:
        answers = ask(f"{server.address}#tiny", *[Generate(QUESTION)] * 3)
        assert [answer.text for answer in answers] == ["Hi"] * 3
        assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("script", "error", "says"),
    [
        (saying(fault(404, "no such model")), InputError, "has a model named 'tiny'"),
        (saying(fault(401)), InputError, "does not accept the key"),
        (saying(fault(500)), SlantError, "cannot be tried .HTTP 500: broken.: try again later"),
    ],
)
def test_a_server_that_does_neither_is_said_before_the_run(
    script: object, error: type[Exception], says: str, tmp_path: Path
) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text('name = "s"\n[[study]]\nuse = "completion"\n')
    with Server(script).running() as server, pytest.raises(error, match=says):  # type: ignore[arg-type]
        slant.audit(suite, f"{server.address}?retries=0#tiny", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_study_asks_a_chat_where_the_server_chats(tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text('name = "s"\n[[study]]\nuse = "completion"\nsamples = 1\n')
    with Server(saying(chat("bar."))).running() as server:
        run = slant.audit(suite, f"{server.address}#tiny", out=tmp_path / "run", limit=5)
    assert {asked.path for asked in server.asked} == {"/v1/chat/completions"}
    assert run.environment["models"]["tiny"]["fingerprint"]["api"] == "chat"
