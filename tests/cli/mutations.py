"""Ways to spoil a run directory: every file of it, by accident and on purpose."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PLACE = "trap:spring"
"""Put where names stand: code that nobody named. Whoever imports it is caught."""


@dataclass(frozen=True)
class Mutation:
    """One way to spoil one file, given by its path in the run directory."""

    file: str
    way: str
    spoil: Callable[[Path], None]

    def __str__(self) -> str:
        return f"{self.file}-{self.way}"


def mutations(run: Path) -> list[Mutation]:
    """List all ways to spoil a run, those of each file together, always in the same order."""
    files = sorted(path.relative_to(run).as_posix() for path in run.rglob("*") if path.is_file())
    return [
        Mutation(file, way, spoil)
        for file in files
        for way, spoil in (*_ANY.items(), *(_JSON.items() if file.endswith(".json") else ()))
    ]


def _bytes(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        path.write_bytes(change(path.read_bytes()))

    return spoil


def _flip(seed: int) -> Callable[[bytes], bytes]:
    def flipped(content: bytes) -> bytes:
        if not content:
            return b"\x01"
        chance = random.Random(seed)
        spoilt = bytearray(content)
        spoilt[chance.randrange(len(spoilt))] ^= 1 << chance.randrange(8)
        return bytes(spoilt)

    return flipped


def _in_place(make: Callable[[Path], object]) -> Callable[[Path], None]:
    def replace(path: Path) -> None:
        path.unlink()
        make(path)

    return replace


_ANY: dict[str, Callable[[Path], None]] = {
    "gone": Path.unlink,
    "empty": _bytes(lambda _: b""),
    "half": _bytes(lambda content: content[: len(content) // 2]),
    "short": _bytes(lambda content: content[:-1]),
    "long": _bytes(lambda content: content + b"\x00tail"),
    "zeros": _bytes(lambda content: bytes(len(content))),
    "noise": _bytes(lambda content: random.Random(1).randbytes(len(content))),
    "flip1": _bytes(_flip(1)),
    "flip2": _bytes(_flip(2)),
    "flip3": _bytes(_flip(3)),
    "folder": _in_place(Path.mkdir),
    "link": _in_place(lambda path: path.symlink_to("/etc/hostname")),
    "loop": _in_place(lambda path: path.symlink_to(path)),
    "pipe": _in_place(os.mkfifo),
}


def _json(change: Callable[[Any], Any]) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        content = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(json.dumps(change(content)), encoding="utf-8")

    return spoil


def _leaves(content: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(content, dict):
        return {name: _leaves(value, change) for name, value in content.items()}
    if isinstance(content, list):
        return [_leaves(value, change) for value in content]
    return change(content)


_JSON: dict[str, Callable[[Path], None]] = {
    "list": _json(lambda content: [content]),
    "bare": _json(lambda _: {}),
    "deep": _bytes(lambda _: b'{"a":' * 50_000),
    "huge": _bytes(lambda _: b'{"findings": [1' + b"0" * 10_000 + b"]}"),
    "infinite": _json(
        lambda content: _leaves(
            content, lambda leaf: float("inf") if isinstance(leaf, int) else leaf
        )
    ),
    "places": _json(
        lambda content: _leaves(content, lambda leaf: PLACE if isinstance(leaf, str) else leaf)
    ),
    "numbers": _json(
        lambda content: _leaves(content, lambda leaf: 10**400 if isinstance(leaf, int) else leaf)
    ),
    "texts": _json(
        lambda content: _leaves(content, lambda leaf: str(leaf) if leaf is not None else "\ud800")
    ),
    "nothing": _json(lambda content: _leaves(content, lambda _: None)),
}


def contents(run: Path) -> Iterator[tuple[str, bytes]]:
    """Give what slant must never change unasked: answers as asked, and what people wrote."""
    for name in ("journal.sqlite", "annotations.jsonl", "marks.json", "run.toml"):
        path = run / name
        if path.is_file() and not path.is_symlink():
            yield name, path.read_bytes()
