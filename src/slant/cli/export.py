"""`slant export`: the examples of templates, as a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from slant.cli import options


def export(
    templates: Annotated[
        list[str],
        typer.Argument(help="Packaged sets (religion …), TOML files, or NAME.templates.csv."),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", help="Where to; standard output when left out.")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, help="At most so many, balanced over templates and groups."),
    ] = None,
    seed: options.Seed = 0,
) -> None:
    """Write the examples of templates in the CSV form of APES."""
    from slant.errors import InputError
    from slant.templates import load_templates
    from slant.templates.apes_examples import write_examples

    sets = [load_templates(name) for name in templates]
    for warning in (warning for each in sets for warning in each.warnings):
        print(f"slant: {warning}", file=sys.stderr)
    if out is None:
        write_examples(sets, sys.stdout, limit, seed)
        return
    if out.exists():
        raise InputError("this file is there already: name another, or remove it", file=out)
    with out.open("w", encoding="utf-8", newline="") as file:
        count = write_examples(sets, file, limit, seed)
    print(f"{out}: {count:,} examples", file=sys.stderr)
