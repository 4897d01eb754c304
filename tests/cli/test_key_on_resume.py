"""A run directory names its models' servers, and may come from anybody: none gets a key for that.

The key goes where whoever continues the run says that it may go.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from anthropic_server import message, text
from openai_server import Asked, Reply, Server, clean_environment, completion, fault

from command_line import slant, written

pytestmark = pytest.mark.usefixtures("undrawn")

KEY = "sk-a-key-that-is-none-0123456789"
SUITE = 'name = "s"\n[[study]]\nuse = "completion"\nsamples = 4\n'
KINDS = {
    "http": ("SLANT_API_KEY", "{}?api=completions#tiny"),
    "anthropic": ("ANTHROPIC_API_KEY", "anthropic:tiny?base={}"),
}


class Whimsical(Server):
    """A server that is down at first, and later may want a key."""

    def __init__(self) -> None:
        super().__init__(self._answer)
        self.down, self.wants = True, ""

    def _answer(self, asked: Asked) -> Reply:
        if self.down:
            return fault(400)
        if self.wants not in ("", _key(asked)):
            return fault(401)
        return message(text(" bar.")) if "messages" in asked.path else completion(" bar.")

    def shown(self) -> set[str]:
        """Give every key that was shown since this was last asked."""
        keys = {_key(asked) for asked in (*self.asked, *self.greetings)}
        self.asked.clear()
        self.greetings.clear()
        return keys


def _key(asked: Asked) -> str:
    return asked.headers.get("x-api-key") or asked.headers["authorization"].split()[-1]


class Stopped:
    """A run that stopped for its server was down, which is up again."""

    def __init__(self, server: Whimsical, kind: str, folder: Path):
        self.server, self.run = server, folder / "run"
        self.variable, spelling = KINDS[kind]
        suite = written(folder / "suite.toml", SUITE)
        model = spelling.format(server.address)
        self.said = slant("audit", suite, "--model", model, "--out", self.run)
        assert self.said.code == 3
        assert server.shown() == {KEY}
        server.down = False

    @property
    def told(self) -> str:
        """What is said of a key that is kept back."""
        return f"{self.variable} was not sent to {self.server.address}"


@pytest.fixture
def stopped(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Stopped]:
    clean_environment(monkeypatch)
    kind = getattr(request, "param", "http")
    monkeypatch.setenv(KINDS[kind][0], KEY)
    server = Whimsical()
    with server.running():
        yield Stopped(server, kind, tmp_path)


@pytest.mark.parametrize("stopped", KINDS, indirect=True)
def test_a_server_that_only_the_run_names_is_asked_without_a_key(stopped: Stopped) -> None:
    done = slant("resume", stopped.run)
    assert done.code == 0, done.err
    assert KEY not in stopped.server.shown()
    assert done.err.count(stopped.told) == 1
    assert f"add to the command: --key-for {stopped.server.address}" in done.err
    (model,) = json.loads((stopped.run / "environment.json").read_text())["models"].values()
    assert any(stopped.told in remark for remark in model["remarks"])


def test_a_server_that_wants_the_key_it_did_not_get(stopped: Stopped) -> None:
    stopped.server.wants = KEY
    done = slant("resume", stopped.run)
    assert done.code == 2
    assert "wants a key (HTTP 401)" in done.err
    assert f"add to the command: --key-for {stopped.server.address}" in done.err
    assert "--key-for" not in done.err.partition("To continue:")[2]  # the run's word is not ours
    assert KEY not in stopped.server.shown()
    done = slant("resume", stopped.run, "--key-for", stopped.server.address)
    assert done.code == 0, done.err
    assert stopped.server.shown() == {KEY}
    assert stopped.told not in done.err


def test_a_server_named_for_the_key_is_no_other_server(stopped: Stopped) -> None:
    other = stopped.server.address.replace("127.0.0.1", "127.0.0.2")
    assert slant("resume", stopped.run, "--key-for", other).code == 0
    assert KEY not in stopped.server.shown()


def test_the_command_that_goes_on_names_the_servers_that_had_the_key(stopped: Stopped) -> None:
    goes_on = f"slant resume {stopped.run} --key-for {stopped.server.address}"
    assert goes_on in stopped.said.err


def test_copies_of_a_model_get_no_key_either(stopped: Stopped) -> None:
    done = slant("resume", stopped.run, "--executor", "pool:1")
    assert done.code == 0, done.err
    assert KEY not in stopped.server.shown()
    assert stopped.told in done.err


def test_what_is_named_for_a_key_is_the_address_of_a_server(stopped: Stopped) -> None:
    done = slant("resume", stopped.run, "--key-for", "localhost:8000")
    assert done.code == 2
    assert "is no address of a server" in done.err
    assert stopped.server.shown() == set()
