"""`slant cite`: the works behind studies, and slant itself, as BibTeX."""

from __future__ import annotations

import sys
from typing import Annotated

import typer


def cite(
    studies: Annotated[
        list[str] | None, typer.Argument(help="Studies, as `slant ls studies` names them.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All studies.")] = False,
) -> None:
    """Print what to cite for a study: the works it follows and slant, as BibTeX."""
    from slant.errors import InputError, unknown
    from slant.registry import STUDIES
    from slant.studies.works import bibtex, works_behind

    known = STUDIES.names()
    names = known if every else list(studies or ())
    if not names:
        raise InputError(f"name a study ({', '.join(known)}), or --all")
    for name in names:
        if name not in known:
            raise unknown("study", name, known)
        if not works_behind(name):
            print(f"slant: no works behind {name} are known", file=sys.stderr)
    print(bibtex(names), end="")
