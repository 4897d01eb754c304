"""Malformed calls, drawn by chance: each is refused with one message, whatever it is."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import slant, written

COMMANDS = {
    "audit": ["--model", "--seed", "--limit", "--method", "--max-cost", "--min-coverage",
              "--shard", "--out", "--executor"],
    "resume": ["--max-cost", "--executor"],
    "rescore": [], "measure": ["--set", "--seed", "--method", "--level"],
    "report": ["--markdown"], "reproduce": [], "export": ["--limit", "--seed"],
    "compare": [], "graph": ["--format", "--model"], "merge": ["--out"],
    "validate": [], "names": ["build"],
}  # fmt: skip
VALUES = [
    "-1", "1e999", "nan", "99999999999999999999999999", "0/0", "3/2", "é", "\x1b[31m", "‮",
    "builtins:dict", "os:system", "mock:", "mock:nowhere.toml", "hf:", "http://", "http://[", "a=b",
    "=", "../..", "/dev/null", "{}", "[", "%s", "NaN", "--", "-", "pool:0", "ray:", "\ud800",
]  # fmt: skip
CONTENTS: list[Callable[[random.Random], bytes]] = [
    lambda rng: rng.randbytes(200),
    lambda rng: b"[" * rng.randrange(1, 5_000),
    lambda rng: (
        b"a = 1\n[[study]]\nuse = " + rng.choice([b"1", b'"x:y"', b'"builtins:dict"', b"[]"])
    ),
    lambda rng: b"group,text\n" + b'"' * rng.randrange(1, 9),
    lambda rng: b'{"group": 1}\n' * rng.randrange(1, 9),
    lambda rng: b"PAR1" + rng.randbytes(50) + b"PAR1",
    lambda rng: b"",
]
ENDINGS = [".toml", ".csv", ".jsonl", ".tsv", ".parquet", ".templates.csv", ".txt", ""]


def malformed(rng: random.Random, folder: Path) -> list[str]:
    """Draw a call in which at least one thing cannot be right."""
    command = rng.choice(sorted(COMMANDS))
    file = folder / f"file{rng.randrange(1_000_000)}{rng.choice(ENDINGS)}"
    file.write_bytes(rng.choice(CONTENTS)(rng))
    arguments = [command]
    arguments += ["completion"] if command == "measure" else []
    arguments += rng.choice([[str(file)], [str(file), str(file)], [str(folder / "nowhere")]])
    for option in rng.sample(COMMANDS[command], k=min(len(COMMANDS[command]), rng.randrange(3))):
        arguments += [option, rng.choice(VALUES)]
    if rng.random() < 0.2:
        arguments.append(rng.choice(["--nothing", "-z", "--seed", "--\x1b"]))
    return arguments


def check(seeds: range, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    written(folder / "here.txt", "")
    for seed in seeds:
        call = malformed(random.Random(seed), folder)
        done = slant(*call)
        assert done.code == 2, (seed, call, done)
        assert "Traceback" not in done.err, (seed, call, done)
        assert "defect of slant" not in done.err, (seed, call, done)
        assert len(done.err.strip()) > 10, (seed, call, done)
        assert "\x1b" not in done.err, (seed, call, done)


def test_malformed_calls_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(range(60), tmp_path, monkeypatch)


@pytest.mark.slow
def test_many_malformed_calls_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check(range(60, 800), tmp_path, monkeypatch)
