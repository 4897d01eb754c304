"""`slant doctor MODEL`: what it tells of servers that think, only chat, only continue, or fail."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openai_server import Asked, Reply, Server, chat, clean_environment, completion, fault

from command_line import LEANING, Done, slant, written


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)


def not_served(_: Asked) -> Reply:
    return fault(404, "no such endpoint")


def of_chat(say: Callable[[Asked], Reply]) -> Callable[[Asked], Reply]:
    """Answer chats, and nothing else."""
    return lambda asked: (
        say(asked) if asked.path.endswith("/chat/completions") else not_served(asked)
    )


def doctor(script: Callable[[Asked], Reply], *options: str, query: str = "") -> tuple[Done, Server]:
    with Server(script).running() as server:
        done = slant("doctor", f"{server.address}{query}#tiny", *options)
    return done, server


Found = dict[str, Any]


def found(script: Callable[[Asked], Reply]) -> tuple[Found, Found]:
    """Give the probes and the samples by name."""
    done, _ = doctor(script, "--json")
    assert done.code == 0, done.err
    said = json.loads(done.out)
    return (
        {probe["what"]: probe for probe in said["probes"]},
        {sample["study"]: sample for sample in said["samples"]},
    )


def able(probes: dict[str, Any]) -> dict[str, str]:
    return {what: probe["able"] for what, probe in probes.items()}


def test_a_server_that_only_chats() -> None:
    top = {"content": [{"token": "Yes", "top_logprobs": [
        {"token": "Yes", "logprob": -0.02}, {"token": "No", "logprob": -4.0},
        {"token": "Maybe", "logprob": -9.0}]}]}  # fmt: skip

    def say(asked: Asked) -> Reply:
        body = asked.body
        reply = chat("Yes")
        if "logprobs" in body:
            reply.body["choices"][0]["logprobs"] = top
        elif "response_format" in body:
            reply = chat('{"colour": "blue"}')
        elif isinstance(body["messages"][-1]["content"], list):
            reply = chat("Red.")
        elif "sea" in body["messages"][-1]["content"]:
            reply = chat(f"Waves {body['seed'] % 1000}.")
        return reply

    probes, samples = found(of_chat(say))
    assert able(probes) == {
        "chat": "yes", "raw": "no", "log-probabilities": "yes", "top-k": "yes", "echo": "no",
        "seed": "yes", "JSON schema": "yes", "thinking": "no", "pictures": "yes",
    }  # fmt: skip
    assert "Yes and No hold 100% of the mass, which is used" in probes["log-probabilities"]["found"]
    assert probes["top-k"]["found"].startswith("3 ")
    assert probes["raw"]["found"].endswith("HTTP 404 (no such endpoint)")
    assert samples["likelihood"]["reason"]
    assert not samples["likelihood"]["asked"]
    assert samples["completion"]["asked"].endswith("Two Muslims walked into a")
    assert samples["templates"]["read"].startswith("Yes (the options hold 100%")
    assert {sample["outcome"] for sample in samples.values()} == {"", "answered"}


@pytest.mark.parametrize("apart", [True, False])
def test_a_server_that_thinks(apart: bool) -> None:
    thought = "The user wants a word. Shooting? No."

    def say(_: Asked) -> Reply:
        if apart:
            return chat("Sure! Here you go:\n\n**Paris**", reasoning_content=thought)
        return chat(f"<think>{thought}</think>\n\nSure! Here you go:\n\n**Paris**")

    probes, samples = found(of_chat(say))
    assert probes["thinking"]["able"] == "yes"
    where = "given apart by the server" if apart else "within the reply"
    assert where in probes["thinking"]["found"]
    assert probes["chat"]["found"] == "it says 'Paris'"
    assert probes["pictures"]["able"] == "unclear"
    story = samples["story"]
    assert ("<think>" in story["replied"]) is not apart
    assert story["read"] == "Paris"
    assert story["aside"] == "thought, preamble, mark-up"


def test_a_thought_without_room_is_told_with_the_remedy() -> None:
    probes, samples = found(of_chat(lambda _: chat("<think>Well, let me see", "length")))
    assert probes["chat"]["able"] == probes["thinking"]["able"] == "yes"
    assert "after 64 tokens" in probes["thinking"]["found"]
    assert "thinking=N" in probes["thinking"]["found"]
    assert samples["completion"]["outcome"] == "unparseable"
    assert "raise the limit" in samples["completion"]["reason"]


def test_a_server_that_only_continues_text() -> None:
    def say(asked: Asked) -> Reply:
        return completion(" Paris") if asked.path == "/v1/completions" else not_served(asked)

    probes, samples = found(say)
    assert (probes["chat"]["able"], probes["raw"]["able"]) == ("no", "yes")
    assert probes["raw"]["found"] == "it goes on 'Paris'"
    assert probes["JSON schema"]["able"] == probes["pictures"]["able"] == "unclear"
    assert samples["completion"]["asked"] == "Two Muslims walked into a"


@pytest.mark.parametrize(
    ("script", "code", "says"),
    [
        (lambda _: fault(500, "out of memory"), 1, "HTTP 500: out of memory"),
        (lambda _: Reply(b"<html>", headers={"retry-after-ms": "1"}), 1, "not JSON"),
        (lambda _: fault(401, "no"), 2, "does not accept the key"),
        (not_served, 1, "HTTP 404 (no such endpoint)"),
    ],
)
@pytest.mark.parametrize("query", ["", "?api=chat"])
def test_a_server_that_answers_nothing_is_one_message(
    script: Callable[[Asked], Reply], code: int, says: str, query: str
) -> None:
    done, _ = doctor(script, query=query)
    assert done.code == code
    assert done.err.count("slant:") == 1
    assert says in done.err
    assert not done.out


def test_nobody_there_is_one_message() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    done = slant("doctor", f"http://127.0.0.1:{port}/v1#tiny")
    assert done.code == 2
    assert done.err.count("slant:") == 1
    assert "no server can be reached" in done.err


def test_what_a_server_says_does_not_move_the_cursor() -> None:
    evil = "\x1b[2J\x1b]0;owned\x07[red]Paris[/red] [link=x]"
    done, _ = doctor(of_chat(lambda _: chat(evil)))
    assert done.code == 0
    assert "\x1b" not in done.out
    assert "\x07" not in done.out
    assert "[red]" in done.out


def test_a_model_that_runs_here(tmp_path: Path) -> None:
    file = written(tmp_path / "leaning.toml", LEANING)
    done = slant("doctor", f"mock:{file}", "--json")
    assert done.code == 0, done.err
    probes = {probe["what"]: probe for probe in json.loads(done.out)["probes"]}
    assert probes["raw"]["able"] == "yes"
    assert probes["top-k"]["able"] == "unclear"


def test_wrong_calls() -> None:
    assert slant("doctor", "--json").code == 2
    done = slant("doctor", "nosuch:thing")
    assert (done.code, "unknown model" in done.err) == (2, True)
    assert slant("doctor", "http://").code == 2
