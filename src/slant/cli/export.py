"""`slant export`: a run as other tools read it, examples of templates, or pairs to tune on."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from slant.cli import options

if TYPE_CHECKING:
    import polars as pl

    from slant.templates import TemplateSet


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
            metavar="RUN | TEMPLATES… | stories [FILE]",
            help="A run directory; or, as apes, packaged sets of templates (religion …), TOML "
            "files, or NAME.templates.csv, whose examples are written; or, with --for-finetuning, "
            "stories and a table of caption and description.",
        ),
    ],
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="Of a run: every-eval-ever, inspect, lm-eval, or apes for the predictions of one "
            "that asked APES's examples. Of templates: apes.",
        ),
    ] = Format.APES,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="Where to: a folder for a run (RUN-FORMAT when left out), as apes a file "
            "(standard output when left out).",
        ),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", min=1, help="At most so many examples, balanced over templates and groups."
        ),
    ] = None,
    for_finetuning: Annotated[
        bool,
        typer.Option(
            "--for-finetuning",
            help="Of stories: pairs of caption and description as JSON Lines, prompt and "
            "completion, in the words in which the study asks a tuned model.",
        ),
    ] = False,
    chat: Annotated[
        bool, typer.Option("--chat", help="With --for-finetuning: as messages of a chat.")
    ] = False,
    seed: options.Seed = 0,
) -> None:
    """Write a run for other tools, or examples and predictions in the CSV form of APES."""
    if for_finetuning or chat:
        _pairs(what, out, for_finetuning=for_finetuning, chat=chat)
    elif form is Format.APES:
        _apes(what, out, limit, seed)
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


def _apes(what: list[str], out: Path | None, limit: int | None, seed: int) -> None:
    from slant.errors import InputError
    from slant.templates.apes_examples import write_examples

    if out is not None and out.exists():
        raise InputError("this file is there already: name another, or remove it", file=out)
    is_run = (Path(what[0]) / "run.toml").exists()
    predicted = _predictions(Path(what[0])) if is_run else None
    sets = [] if is_run else _templates(what)
    with nullcontext(sys.stdout) if out is None else out.open("w", encoding="utf-8") as file:
        if predicted is None:
            written = f"{write_examples(sets, file, limit, seed):,} examples"
        else:
            file.write(predicted.write_csv())
            written = f"{predicted.height:,} predictions"
    if out is not None:
        print(f"{out}: {written}", file=sys.stderr)


def _pairs(what: list[str], out: Path | None, *, for_finetuning: bool, chat: bool) -> None:
    from slant.errors import InputError
    from slant.studies.story.finetuning import training_lines, training_pairs

    if what[0] != "stories" or len(what) > 2 or not for_finetuning:
        raise InputError(
            "write `slant export stories --for-finetuning`, then the table of caption and "
            "description, if there is one, and --chat for messages of a chat"
        )
    if out is not None and out.exists():
        raise InputError("this file is there already: name another, or remove it", file=out)
    pairs = training_pairs(Path(what[1]) if len(what) > 1 else None)
    text = "".join(f"{line}\n" for line in training_lines(pairs, chat=chat))
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")
        print(f"{out}: {len(pairs):,} pairs", file=sys.stderr)


def _predictions(directory: Path) -> pl.DataFrame:
    """Give the predictions of a run that asked APES's examples."""
    import polars as pl

    from slant.engine.run import Run
    from slant.errors import InputError
    from slant.table_file import plain_cell

    tables = [each.analysis.tables.get("predictions") for each in Run(directory).sections()]
    found = [table for table in tables if table is not None]
    if len(found) != 1:
        asked = f"examples of {len(found)} models or files" if found else "no examples of APES"
        raise InputError(
            f"this run asked {asked}, and --format apes writes the predictions of one: ask a file "
            "with `slant audit --examples FILE`, or write the run with --format every-eval-ever, "
            "inspect or lm-eval",
            file=directory,
        )
    return found[0].with_columns(pl.selectors.string().map_elements(plain_cell, pl.String))


def _templates(names: list[str]) -> list[TemplateSet]:
    from slant.templates import load_templates

    sets = [load_templates(name) for name in names]
    for warning in (warning for each in sets for warning in each.warnings):
        print(f"slant: {warning}", file=sys.stderr)
    return sets
