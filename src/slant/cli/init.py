"""`slant init`: files to start from."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer


def init(
    directory: Annotated[Path, typer.Argument(help="Where to put them.")] = Path(),
) -> None:
    """Write a suite, an axis, a lexicon, a policy and a planted model; overwrite nothing."""
    from importlib.resources import files

    from slant.errors import InputError

    sources = sorted(
        (each for each in files("slant.data").joinpath("init").iterdir()),
        key=lambda each: each.name,
    )
    there = [each.name for each in sources if (directory / each.name).exists()]
    if there:
        raise InputError(f"{directory} holds {', '.join(there)} already: choose another directory")
    directory.mkdir(parents=True, exist_ok=True)
    for each in sources:
        (directory / each.name).write_text(each.read_text(encoding="utf-8"), encoding="utf-8")
        print(directory / each.name)
    suite, planted = directory / "suite.toml", directory / "planted.toml"
    command = shlex.join(["slant", "audit", str(suite), "--model", f"mock:{planted}"])
    print(f"\nTry it: {command}")
    policy = shlex.join(["--policy", str(directory / "gate.toml")])
    print(f"With a policy, which that model fails: add {policy}")
