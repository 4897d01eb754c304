"""`slant resume`: continue a run that stopped early."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slant.cli import options


def resume(
    directory: options.Directory,
    answers: Annotated[
        list[Path] | None,
        typer.Option(
            "--answers",
            help="File with the results of a batch, in any order; nothing is asked. Repeat for "
            "several.",
        ),
    ] = None,
    batch_out: options.BatchOut = None,
    max_cost: options.MaxCost = None,
    prices: options.Prices = None,
    cache: options.Cache = False,
    executor: options.Executor = "local",
    key_for: Annotated[
        list[str] | None,
        typer.Option(
            "--key-for",
            help="Server that may get the key in SLANT_API_KEY, such as https://host:8000: the run "
            "names its servers, and a run may come from anybody. May be repeated.",
        ),
    ] = None,
    json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Ask what a run has not asked yet and what failed, then report."""
    import slant
    from slant.cli.finish import finish, tell_next_batch
    from slant.engine.progress import terminal_progress

    with terminal_progress() as progress:
        run = slant.resume(
            directory,
            answers=answers or (),
            batch_out=batch_out,
            max_cost=max_cost,
            prices=prices,
            cache=cache,
            executor=executor,
            key_for=key_for or (),
            progress=progress,
        )
    if run.config.shard is not None:
        print(f"shard {run.config.shard} is asked: {run.directory}")
        return
    if batch_out is not None and not run.asked_everything:
        tell_next_batch(run)
        return
    finish(run, as_json=json, verbose=verbose)
