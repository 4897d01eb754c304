"""`slant report`: draw the report again from the run directory alone."""

from __future__ import annotations

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

    run = Run(directory)
    if markdown:
        from slant.report.markdown import markdown as render

        print(render(run.finding_list()), end="")
        return
    finish(run, as_json=json)
