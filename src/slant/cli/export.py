"""`slant export`: a run as other tools read it, or the examples of templates."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from slant.cli import options


class Format(StrEnum):
    """What is written."""

    APES = "apes"
    EVERY_EVAL_EVER = "every-eval-ever"
    INSPECT = "inspect"
    LM_EVAL = "lm-eval"


def export(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN | TEMPLATES…",
            help="A run directory; or, as apes, packaged sets of templates (religion …), TOML "
            "files, or NAME.templates.csv.",
        ),
    ],
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="Of a run: every-eval-ever, inspect or lm-eval. Of templates: apes, their CSV.",
        ),
    ] = Format.APES,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Where to. A folder for a run (RUN-FORMAT when left out); a file for templates "
            "(standard output when left out).",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", min=1, help="At most so many examples, balanced over templates and groups."
        ),
    ] = None,
    seed: options.Seed = 0,
) -> None:
    """Write a run for other tools, or the examples of templates in the CSV form of APES."""
    if form is Format.APES:
        _examples(what, out, limit, seed)
    else:
        _run(what, form.value, out)


def _run(what: list[str], form: str, out: Path | None) -> None:
    from slant.engine.run import Run
    from slant.errors import InputError
    from slant.exports import export_run

    if len(what) != 1:
        raise InputError(f"--format {form} writes one run: name one run directory")
    run = Run(what[0])
    folder = Path(f"{run.directory.resolve().name}-{form}") if out is None else out
    for path in export_run(run, form, folder):
        print(path)


def _examples(templates: list[str], out: Path | None, limit: int | None, seed: int) -> None:
    from slant.errors import InputError
    from slant.templates import load_templates
    from slant.templates.apes_examples import write_examples

    if (run := Path(templates[0])).is_dir() and (run / "run.toml").exists():
        raise InputError(
            "this is a run: say as what to write it, --format every-eval-ever, inspect or lm-eval",
            file=run,
        )
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
