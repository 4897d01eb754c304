"""`slant view` at the command line: what it refuses, and how."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from command_line import process, slant


def test_a_directory_that_is_not_there_is_refused(tmp_path: Path) -> None:
    done = slant("view", tmp_path / "runs", "--no-open")
    assert done.code == 2
    assert "is no directory: name one that holds runs" in done.err
    assert "Traceback" not in done.err


def test_a_port_out_of_range_is_refused(tmp_path: Path) -> None:
    done = slant("view", tmp_path, "--port", "70000", "--no-open")
    assert done.code == 2
    assert "65535" in done.err


def test_the_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "slant.web.serve", raising=False)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = slant("view", tmp_path, "--no-open")
    assert done.code == 2
    assert "uvicorn is not installed: pip install 'slant[web]'" in done.err


def test_a_port_that_is_taken_is_refused(tmp_path: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = process("view", tmp_path, "--port", str(port), "--no-open")
    assert done.code == 2
    assert f"port {port} is taken" in done.err
    assert "Traceback" not in done.err


def test_an_address_that_is_none_gets_no_key(tmp_path: Path) -> None:
    done = slant("view", tmp_path, "--no-open", "--key-for", "somewhere")
    assert done.code == 2
    assert "--key-for 'somewhere' is no address of a server" in done.err
