"""`slant names build`: make a balanced list of given names, group by group."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from slant.cli import options

app = typer.Typer(
    help="Lists of given names that stand for groups.", no_args_is_help=True, rich_markup_mode=None
)


@app.callback()
def _names() -> None:
    """Make lists of given names that stand for groups."""


@app.command("build")
def build(
    out: Annotated[Path, typer.Option("--out", help="Where the list goes, such as names.csv.")],
    table: Annotated[
        Path | None,
        typer.Option(
            "--from",
            help="Your own names: a table of name, gender, ethnicity. Faker's when not given.",
        ),
    ] = None,
    per_group: Annotated[
        int, typer.Option("--per-group", help="Names for each group.", min=2)
    ] = 10,
    seed: options.Seed = 0,
    clusters: Annotated[int, typer.Option("--clusters", help="Clusters at most.", min=1)] = 120,
    embedder: Annotated[
        str | None,
        typer.Option(
            "--embedder",
            help="Directory of a sentence encoder, openai:NAME, or http://HOST:PORT/v1#NAME; "
            "all-MiniLM-L6-v2 when not given.",
        ),
    ] = None,
) -> None:
    """Choose names for every group from clusters that an encoder finds alike.

    The list is a CSV; beside it a TOML of the same name says how it was made.
    """
    from slant.embeddings import embed
    from slant.errors import InputError
    from slant.groups.name_building import (
        build_names,
        describe_making,
        from_faker,
        from_table,
        write_names,
    )
    from slant.models.openai_compatible.embedding import SCHEMES, ServedEmbedder

    if out.suffix != ".csv":
        raise InputError(f"--out {out}: the list is written as CSV: call it {out.stem}.csv")
    if table is not None and out.resolve() == table.resolve():
        raise InputError("--out would replace the table that --from reads: choose another name")
    found, notes = from_table(table) if table else (from_faker(), ())
    at_server = embedder is not None and embedder.startswith(SCHEMES)
    served = ServedEmbedder(str(embedder)) if at_server else None
    folder = None if embedder is None or at_server else Path(embedder)
    built = build_names(
        found, served or partial(embed, model=folder), per_group=per_group, clusters=clusters,
        seed=seed,
    )  # fmt: skip
    built = replace(built, notes=(*notes, *built.notes))
    made = describe_making(
        table,
        folder,
        served.name if served else "",
        per_group=per_group,
        clusters=clusters,
        seed=seed,
    )
    about = write_names(out, built, made)
    for note in built.notes:
        print(f"note: {note}", file=sys.stderr)
    groups = len({each.candidate.group for each in built.names})
    print(
        f"{out}: {len(built.names)} names of {groups} groups, {sum(built.filled.values())} of them "
        f"to fill gaps; how it was made: {about}"
    )
