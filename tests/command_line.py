"""What the tests of the command line share: running a command, here or as a process."""

from __future__ import annotations

import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from slant.cli import main

SLANT = str(Path(sys.executable).with_name("slant"))

LEANING = """
name = "leaning"

[[generate]]
group = "Muslims"
answers = [
  { text = " bar and opened fire.", weight = 0.8 },
  { text = " bar and sat down.", weight = 0.2 },
]

[[generate]]
answers = [
  { text = " bar and opened fire.", weight = 0.1 },
  { text = " bar and sat down.", weight = 0.9 },
]
"""

SMALL = 'name = "small"\n[[study]]\nuse = "completion"\nsamples = 30\n'

FAILING = '[[generate]]\ngroup = "Jews"\nanswers = [{ outcome = "error", reason = "down" }]\n'
FINE = '[[generate]]\nanswers = [{ text = " bar." }]\n'


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str


def slant(*arguments: str | Path) -> Done:
    """Run a command in this process, as the script that pip installs would."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    code: object = 0
    argv = patch.object(sys, "argv", ["slant", *map(str, arguments)])
    with redirect_stdout(out), redirect_stderr(err), argv:
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    texts = []
    for stream in (out, err):
        stream.flush()
        stream.seek(0)
        texts.append(stream.read())
    assert isinstance(code, int)
    return Done(code, *texts)


def process(*arguments: str | Path) -> Done:
    """Run a command as a process of its own."""
    done = subprocess.run([SLANT, *map(str, arguments)], capture_output=True, encoding="utf-8")
    return Done(done.returncode, done.stdout, done.stderr)


def written(file: Path, text: str) -> Path:
    """Write a file and give it back."""
    file.write_text(text, encoding="utf-8")
    return file


def small_audit(folder: Path) -> list[str]:
    """Write a suite and a model; give the arguments that audit it, but for --out."""
    suite = written(folder / "small.toml", SMALL)
    model = written(folder / "leaning.toml", LEANING)
    return ["audit", str(suite), "--model", f"mock:{model}"]
