"""Serving: ports, addresses, tokens, and how it ends."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

import patience
from patience import PATIENCE
from slant.engine.run import Run
from slant.errors import InputError
from slant.web.run_index import RunIndex
from slant.web.serve import PORT, Server, _bound, serve

from .serving import served


@contextmanager
def viewing(*arguments: str | Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start `slant view` as a process of its own; give it and the address it printed."""
    start = "from slant.cli import main; main()"
    command = [sys.executable, "-c", start, "view", *map(str, arguments), "--no-open"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as it:
        assert it.stderr is not None
        line = it.stderr.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + it.stderr.read()
        try:
            yield it, found[0]
        finally:
            it.kill()


def free_port() -> int:
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])


def test_ctrl_c_ends_it_with_zero_and_frees_the_port_while_streams_are_open(copied: Path) -> None:
    port = free_port()
    run = Run(copied / "first")
    with run.locked(), viewing(copied, "--port", str(port)) as (process, address):
        with patience.stream("GET", f"{address}run/first/events") as stream:
            next(stream.iter_lines())
            process.send_signal(signal.SIGINT)
            out, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert errors == out == ""
    _bound("127.0.0.1", port).close()


def test_two_dashboards_take_two_ports(copied: Path) -> None:
    with viewing(copied) as (_, first), viewing(copied) as (_, second):
        assert first != second
        for address in (first, second):
            assert int(re.findall(r":(\d+)/", address)[0]) >= PORT
            assert patience.get(address).status_code == 200


def test_a_port_that_is_taken_is_refused(copied: Path) -> None:
    taken = _bound("127.0.0.1", 0)
    port = taken.getsockname()[1]
    with pytest.raises(InputError, match=f"port {port} is taken, perhaps by another `slant view`"):
        serve(copied, port=port, open_browser=False)
    taken.close()


@pytest.mark.parametrize("host", ["256.1.1.1", "203.0.113.7", "no such host", ""])
def test_an_address_of_somebody_else_is_refused(copied: Path, host: str) -> None:
    with pytest.raises(InputError, match=r"cannot serve at|--host is empty"):
        serve(copied, host=host, port=0, open_browser=False)


@pytest.mark.skipif(not Path("/proc/net/if_inet6").exists(), reason="needs IPv6")
def test_the_loopback_of_ipv6_needs_no_token(copied: Path) -> None:
    try:
        _bound("::1", 0).close()
    except InputError:
        pytest.skip("needs IPv6")
    with viewing(copied, "--host", "::1", "--port", "0") as (_, address):
        assert address.startswith("http://[::1]:")
        assert "token" not in address
        assert patience.get(address).status_code == 200


def test_beyond_this_machine_the_token_is_told_once(copied: Path) -> None:
    with viewing(copied, "--host", "0.0.0.0", "--port", "0") as (process, address):  # noqa: S104
        port, token = re.findall(r":(\d+)/\?token=(\S+)", address)[0]
        near = f"http://127.0.0.1:{port}"
        assert len(token) >= 32
        assert patience.get(near).status_code == 401
        assert patience.get(f"{near}/run/first/events").status_code == 401
        with httpx.Client(follow_redirects=True, timeout=PATIENCE) as client:
            answer = client.get(f"{near}/?token={token}")
            assert answer.status_code == 200
            assert token not in str(answer.url)
            assert token not in answer.text
            assert client.get(f"{near}/nowhere?token={token}").status_code == 404
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=PATIENCE)
        assert token not in out + errors


def test_the_browser_is_opened_beside_the_server(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, never = threading.Event(), threading.Event()

    def slow(address: str) -> None:
        asked.set()
        never.wait(PATIENCE)  # as a browser inside the terminal would

    monkeypatch.setattr(webbrowser, "open", slow)
    monkeypatch.setattr(Server, "run", lambda *_, **__: asked.wait(PATIENCE))
    serve(copied, port=0, say=lambda _: None)
    assert asked.is_set()
    never.set()


def test_nobody_else_can_listen_before_the_server_does() -> None:
    first = _bound("127.0.0.1", 0)
    with pytest.raises(InputError, match="is taken"):
        _bound("127.0.0.1", first.getsockname()[1])
    first.close()


def test_a_defect_tells_its_name_and_not_its_place(
    copied: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError(f"secret {os.getpid()}")

    monkeypatch.setattr(RunIndex, "names", broken)
    with served(copied) as home:
        answer = patience.get(home)
    assert answer.status_code == 500
    assert "A defect of slant: ZeroDivisionError" in answer.text
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert f"secret {os.getpid()}" in capfd.readouterr().err
