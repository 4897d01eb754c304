"""`slant view`: the dashboard."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def view(
    directory: Annotated[
        Path, typer.Argument(help="A directory of runs, or one run.", show_default="runs")
    ] = Path("runs"),
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="Port; a free one if not given."),
    ] = None,
    host: Annotated[
        str,
        typer.Option("--host", help="Address; beyond this machine, a token is asked for."),
    ] = "127.0.0.1",
    key_for: Annotated[
        list[str] | None,
        typer.Option(
            "--key-for",
            help="Server to which the playground may send the key in SLANT_API_KEY, such as "
            "https://host:8000; no other gets it. May be repeated.",
        ),
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Look at runs in the browser: from verdict to group to pair to the very sentence."""
    from slant.errors import missing_extra

    try:
        from slant.web.serve import serve
    except ModuleNotFoundError as error:
        raise missing_extra("web", error) from error
    serve(
        directory,
        host=host,
        port=port,
        open_browser=not no_open,
        key_for=key_for or [],
        say=lambda words: print(words, file=sys.stderr, flush=True),
    )
