"""The key goes to the server that the user named, and nowhere else; it is written nowhere."""

from __future__ import annotations

import asyncio
import base64
import html
import json
import logging
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import anthropic_server
import polars as pl
import pytest
from openai_server import Asked, Reply, Server, clean_environment, completion, fault

import slant
from slant.errors import InputError
from slant.models.key_hosts import KeyHosts
from slant.play import Ended, Event, KeptModels, PlayRequest, Remark, play
from slant.reports.write import write_report

KEY = "sk-proj/Not+a_real-key/0123456789"
ESCAPED = "".join(f"\\u{ord(character):04x}" for character in KEY)

WAYS: list[Callable[[str], str]] = [
    lambda key: key,
    lambda key: quote(key, safe=""),
    lambda key: html.escape(key.replace("/", "&#47;")),
    lambda key: base64.b64encode(f"Bearer {key}".encode()).decode(),
    lambda key: key.encode().hex(),
    lambda _: ESCAPED,
    lambda key: json.dumps({"key": key}).replace("/", "\\/"),
]
TRACES = {
    KEY, KEY.replace("/", "\\/"), quote(KEY, safe=""), ESCAPED, KEY.encode().hex(),
    base64.b64encode(f"Bearer {KEY}".encode()).decode()[12:-4], KEY[8:], KEY.replace("/", "&#47;"),
}  # fmt: skip


def telling(asked: Asked) -> Reply:
    """Say the key back, in one way after the other, escaped once more as JSON allows."""
    key = asked.headers["authorization"].removeprefix("Bearer ")
    way = WAYS[asked.body["seed"] % len(WAYS)]
    choice = {"text": f" bar with a bomb, {way(key)}.", "finish_reason": key}
    if asked.body["seed"] % 5 == 0:
        error = {"error": {"message": f"wrong: {way(key)}"}}
        return Reply(error, 400, {"x-request-id": key})
    text = json.dumps({"choices": [choice]}).replace("/", "\\/").replace("sk-", "\\u0073k-")
    return Reply(text.encode(), headers={"x-request-id": key})


@pytest.mark.usefixtures("sketched")
def test_the_key_is_in_no_file_of_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clean_environment(monkeypatch)
    monkeypatch.setenv("SLANT_API_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    suite = tmp_path / "suite.toml"
    suite.write_text('name = "s"\n[[study]]\nuse = "completion"\nsamples = 12\n')
    with Server(telling).running() as server:
        run = slant.audit(
            suite, f"{server.address}?api=completions#tiny", out=tmp_path / "run", min_coverage=0.1
        )
    write_report(run)
    texts = [caplog.text]
    for file in run.directory.rglob("*"):
        if file.suffix == ".parquet":
            texts.append(str(pl.read_parquet(file).to_dicts()))
        elif file.is_file():
            texts.append(file.read_bytes().decode("latin-1"))
    answers = run.answers.collect()
    assert answers["text"].drop_nulls().str.contains(r"\*\*\*").all()
    assert set(answers["outcome"]) == {"answered", "error"}
    for text in texts:
        for trace in TRACES:
            assert trace not in text


SUITE_MODEL = "?api=completions#tiny"


def played(model: str, key_hosts: KeyHosts | None) -> list[Event]:
    """Play with a model that a link may have named."""

    async def all_of_it() -> list[Event]:
        models = KeptModels(key_hosts=key_hosts)
        wanted = PlayRequest(
            text="Two {group} walked into a",
            model=model,
            axis="religion",
            groups=("Muslims", "Christians"),
            samples=1,
        )
        try:
            return [event async for event in play(wanted, models)]
        finally:
            await models.close()

    return asyncio.run(all_of_it())


def test_a_server_that_a_form_names_gets_no_key_and_slant_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clean_environment(monkeypatch)
    monkeypatch.setenv("SLANT_API_KEY", KEY)
    with Server(lambda _: completion(" bar.")).running() as server:
        events = played(f"{server.address}{SUITE_MODEL}", None)
        seen = [*server.greetings, *server.asked]
    assert len(server.asked) == 2
    assert {asked.headers["authorization"] for asked in seen} == {"Bearer none"}
    said = f"SLANT_API_KEY was not sent to {server.address}"
    assert any(said in event.text for event in events if isinstance(event, Remark))
    ended = events[-1]
    assert isinstance(ended, Ended)
    assert any(said in remark for remark in ended.remarks)


def test_a_server_that_wants_the_key_it_did_not_get(monkeypatch: pytest.MonkeyPatch) -> None:
    clean_environment(monkeypatch)
    monkeypatch.setenv("SLANT_API_KEY", KEY)
    with (
        Server(lambda _: fault(401)).running() as server,
        pytest.raises(InputError, match=r"wants a key .*add to the command: --key-for http"),
    ):
        played(f"{server.address}{SUITE_MODEL}", None)


def test_the_key_for_anthropic_goes_to_no_server_that_a_form_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clean_environment(monkeypatch)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with Server(
        lambda _: anthropic_server.message(anthropic_server.text(" bar."))
    ).running() as server:
        model = f"anthropic:tiny?base={server.address}"
        events = played(model, None)
        given = played(model, KeyHosts([server.address]))
    assert [asked.headers["x-api-key"] for asked in server.asked] == ["none"] * 2 + [KEY] * 2
    said = f"ANTHROPIC_API_KEY was not sent to {server.address}"
    assert any(said in event.text for event in events if isinstance(event, Remark))
    assert not any("not sent" in event.text for event in given if isinstance(event, Remark))


def test_a_server_named_when_the_dashboard_was_started_gets_the_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clean_environment(monkeypatch)
    monkeypatch.setenv("SLANT_API_KEY", KEY)
    with Server(lambda _: completion(" bar.")).running() as server:
        events = played(
            f"{server.address}{SUITE_MODEL}", KeyHosts([server.address.removesuffix("/v1")])
        )
        seen = [*server.greetings, *server.asked]
    assert {asked.headers["authorization"] for asked in seen} == {f"Bearer {KEY}"}
    assert not any("not sent" in event.text for event in events if isinstance(event, Remark))


@pytest.mark.parametrize(
    "model",
    [
        "http://host:8001/v1#m", "http://host/v1#m", "https://host:8000/v1#m",
        "http://host.evil.example:8000/v1#m", "http://evil.example:8000/host:8000#m",
        "http://host:8000@evil.example/v1#m", "http://evil.example#http://host:8000",
        "http://host:8000\\@evil.example:8000/", "openai:m", "embedded", "http://[", "",
    ],
)  # fmt: skip
def test_a_key_is_for_one_host_and_port(model: str) -> None:
    hosts = KeyHosts(["http://Host:8000/v1"])
    assert "http://host:8000/v1?api=chat#m" in hosts
    assert "HTTP://HOST:8000/other" in hosts
    assert model not in hosts


@pytest.mark.parametrize("address", ["host:8000", "ftp://host", "http://", "http://h:port", ""])
def test_a_key_is_for_the_address_of_a_server(address: str) -> None:
    with pytest.raises(InputError, match="is no address of a server"):
        KeyHosts([address])
