"""Progress: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from running import command, slow_files


def on_terminal(arguments: list[str], **environment: str) -> str:
    """Run a command with standard error on a terminal; give what appeared there."""
    ours, theirs = pty.openpty()
    inherited = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen(
        arguments,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        env={**inherited, "TERM": "xterm-256color", "COLUMNS": "160", **environment},
    ):
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 65536):
                shown += piece
        except OSError:  # the other side has closed
            pass
    os.close(ours)
    return shown.decode()


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    suite, model = slow_files(tmp_path)
    return command("audit", suite, "--model", f"{model}?price=1000,2000", "--out", tmp_path / "run")


COLOUR = re.compile(r"\x1b\[[0-9;]*3[0-9][0-9;]*m")
CODE = re.compile(r"\x1b\[[?0-9;]*[A-Za-z]")


def test_a_terminal_sees_count_rate_time_left_and_cost(arguments: list[str]) -> None:
    shown = on_terminal(arguments)
    assert "study" not in shown  # it is the only one
    assert COLOUR.search(shown)
    plain = CODE.sub("", shown)
    assert "completion · slow" in plain
    assert re.search(r"\b[1-9]\d{1,2}/300\b", plain)
    assert re.search(r"\d+\.\d/s", plain)
    assert re.search(r"about \d+ s left", plain)
    assert re.search(r"\$\d\.\d{4}", plain)
    assert shown.rstrip().endswith("\x1b[?25h")  # the cursor is back
    assert "300/300" in plain
    assert re.search(r"analysis\b.* 2/2\b", plain)


def test_of_several_studies_it_says_which_and_how_long_all_still_take(
    arguments: list[str], tmp_path: Path
) -> None:
    suite = tmp_path / "suite.toml"
    two = """
name = "two"
[[study]]
use = "completion"
samples = 5
[[study]]
use = "analogy"
samples = 5
"""
    suite.write_text(two)
    plain = CODE.sub("", on_terminal(arguments))
    assert "study 1 of 2 · completion · slow" in plain
    assert "study 2 of 2 · analogy · slow" in plain
    assert re.search(r"all 2 studies .* about \d+ s left", plain)
    assert re.search(r"all 2 studies .* 60/60\b", plain)


def test_no_color_is_respected(arguments: list[str]) -> None:
    shown = on_terminal(arguments, NO_COLOR="1")
    assert not COLOUR.search(shown)
    assert "300/300" in CODE.sub("", shown)


def test_a_pipe_sees_plain_lines(arguments: list[str]) -> None:
    done = subprocess.run(arguments, capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr == "completion · slow: 300 questions\n"
    assert "\x1b" not in done.stdout
