"""`slant reproduce`: a publication's tables from its authors' files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from slant.cli import options

WORKS = ("apes", "globalbias")


def reproduce(
    work: Annotated[str, typer.Argument(help="apes or globalbias")],
    folder: Annotated[Path, typer.Argument(help="Where the authors' files are.")],
    seed: options.Seed = 0,
    json: Annotated[bool, typer.Option("--json", help="Print JSON on standard output.")] = False,
) -> None:
    """Recompute a publication's tables from the files that its authors published."""
    from json import dumps

    from slant.errors import InputError, unknown

    if work not in WORKS:
        raise unknown("work", work, WORKS)
    if not folder.is_dir():
        raise InputError("there is no such directory", file=folder)
    content, text = _apes(folder) if work == "apes" else _globalbias(folder, seed)
    print(dumps(content, indent=1) if json else text)


def _apes(folder: Path) -> tuple[dict[str, Any], str]:
    from slant.reproduce import apes

    found = apes.reproduce(folder)
    return apes.as_json(found), apes.as_text(found)


def _globalbias(folder: Path, seed: int) -> tuple[dict[str, Any], str]:
    import numpy as np

    from slant.errors import InputError
    from slant.reproduce import globalbias

    inputs = globalbias.describe_inputs(folder)
    for line in inputs:
        print(line, file=sys.stderr)
    path = globalbias.find(folder, globalbias.MATRIX)
    if path is None:
        raise InputError(
            f"there is no {globalbias.MATRIX}, without which no table can be recomputed: get it "
            "from the authors' repository, groovychoons/GlobalBias, folder results",
            file=folder,
        )
    found = globalbias.reproduce(globalbias.read_matrix(path), np.random.default_rng(seed))
    return globalbias.as_json(found), globalbias.as_text(found)
