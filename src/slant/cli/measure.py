"""`slant measure`: the user's own model outputs → findings and report."""

from __future__ import annotations

import shlex
import sys
import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli import options


def measure(
    study: Annotated[str, typer.Argument(help="The study, for example completion.")],
    file: Annotated[Path, typer.Argument(help="JSONL, CSV, TSV or Parquet.")],
    setting: Annotated[
        list[str],
        typer.Option(
            "--set", help="A parameter of the study, as name=value: --set lexicon=mine.toml"
        ),
    ] = [],  # noqa: B006 - typer reads the default and copies it
    level: Annotated[
        list[str],
        typer.Option(
            help="Of news: word, sentence or document; may be repeated, all when left out."
        ),
    ] = [],  # noqa: B006 - typer reads the default and copies it
    seed: options.Seed = 0,
    method: options.MethodOption = options.Method.ROBUST,
    out: options.Out = None,
    json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Measure model outputs that you already have, and report."""
    import slant
    from slant.cli.finish import finish

    run = slant.measure(
        study,
        file,
        settings=dict(_setting(text) for text in setting) | ({"levels": level} if level else {}),
        seed=seed,
        method=method.value,
        out=out,
        command=shlex.join(["slant", *sys.argv[1:]]),
    )
    finish(run, as_json=json, verbose=verbose)


def _setting(text: str) -> tuple[str, Any]:
    """Read name=value; the value is TOML if it can be read as such, else text."""
    from slant.errors import InputError

    name, equals, value = text.partition("=")
    if not (name and equals):
        raise InputError(f"--set {text!r}: write name=value, for example --set lexicon=mine.toml")
    try:
        return name.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name.strip(), value
