"""`slant merge`: join the shards of one run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slant.cli import options


def merge(
    directories: Annotated[list[Path], typer.Argument(help="The shards' run directories.")],
    out: Annotated[Path, typer.Option("--out", help="Directory of the joined run.")],
    json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Join the shards of one run and report."""
    import slant
    from slant.cli.finish import finish

    finish(slant.merge(directories, out), as_json=json, verbose=verbose)
