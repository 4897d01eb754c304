"""`slant report`: draw the report again from the run directory alone."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from slant.cli import options


def report(
    directory: options.Directory,
    json: options.Json = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the findings as Markdown tables.")
    ] = False,
) -> None:
    """Write report.html again, or print the findings as JSON or Markdown."""
    from slant.cli.finish import finish
    from slant.engine.run import Run
    from slant.engine.run_tables import ensure

    run = Run(directory)
    kept = [run.path(name) for name in ("answers.parquet", "journal.sqlite")]
    if run.path("sections").is_dir() and any(path.exists() for path in kept):
        for words in ensure(run):
            print(f"slant: {words}", file=sys.stderr)
    if markdown:
        from slant.report.markdown import markdown as render

        print(render(run.finding_list()), end="")
        return
    finish(run, as_json=json)
