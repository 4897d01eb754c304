"""`slant audit`: suite × models → run directory and report."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from slant.cli import options


def audit(
    suite: options.Suite = None,
    examples: Annotated[
        Path | None,
        typer.Option(
            help="CSV file of yes/no questions in the form of APES, to ask instead of a suite; "
            "slant export RUN --format apes writes the predictions."
        ),
    ] = None,
    model: options.Models = ["embedded"],  # noqa: B006 - typer reads the default and copies it
    system: options.System = None,
    frame: options.Frame = None,
    seed: options.Seed = 0,
    limit: options.Limit = None,
    until: options.Until = None,
    method: options.MethodOption = options.Method.ROBUST,
    max_cost: options.MaxCost = None,
    prices: options.Prices = None,
    min_coverage: Annotated[
        float,
        typer.Option(
            "--min-coverage",
            help="Share of a study's questions that must be answered, neither refused nor failed "
            "nor unreadable; exit code 3 under it.",
            min=0,
            max=1,
        ),
    ] = 0.5,
    instruments: Annotated[
        Path | None,
        typer.Option(
            "--instruments",
            help="TOML file that says which weights score regard, toxicity and attacks on an "
            "identity (docs/instruments.md).",
        ),
    ] = None,
    shard: Annotated[
        str | None,
        typer.Option("--shard", help="Ask only part i of n, as i/n; slant merge joins the parts."),
    ] = None,
    out: options.Out = None,
    cache: options.Cache = False,
    executor: options.Executor = "local",
    batch_out: options.BatchOut = None,
    policy: options.Policy = None,
    baseline: options.Baseline = None,
    junit: options.Junit = None,
    summary: options.Summary = None,
    plan: Annotated[
        bool,
        typer.Option("--plan", help="Ask nothing; say what would be asked, as slant plan does."),
    ] = False,
    json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Ask models the questions of a suite and report which way they lean."""
    import slant
    from slant.cli.finish import finish, tell_next_batch
    from slant.cli.gate import asked_gate
    from slant.engine.progress import terminal_progress
    from slant.errors import InputError

    if examples is not None:
        if suite is not None:
            raise InputError("--examples asks a file instead of a suite: leave one of the two out")
        if examples.suffix != ".csv":
            raise InputError("a file of examples is a .csv, in the form of APES", file=examples)
        suite = str(examples)
    if plan:
        from slant.cli.plan import tell

        planned = slant.plan(
            suite, model, system=system or (), frame=frame, seed=seed, limit=limit,
            until=until, method=method.value, prices=prices,
        )  # fmt: skip
        tell(planned, as_json=json)
        return
    if policy is not None and (shard is not None or batch_out is not None):
        raise InputError(
            "--policy judges a run that has its findings, which --shard and --batch-out leave for "
            "later: judge it with `slant gate` when all is asked"
        )
    gate = asked_gate(policy, baseline, junit, summary)
    with terminal_progress() as progress:
        run = slant.audit(
            suite,
            model,
            system=system or (),
            frame=frame,
            seed=seed,
            limit=limit,
            until=until,
            method=method.value,
            max_cost=max_cost,
            prices=prices,
            min_coverage=min_coverage,
            instruments=instruments,
            shard=shard,
            out=out,
            cache=cache,
            executor=executor,
            batch_out=batch_out,
            command=shlex.join(["slant", *sys.argv[1:]]),
            progress=progress,
        )
    if shard is not None:
        print(f"shard {shard} is asked: {run.directory}", file=sys.stderr if json else sys.stdout)
        print("When all shards are: slant merge DIRECTORY… --out DIRECTORY", file=sys.stderr)
        return
    if batch_out is not None and not run.asked_everything:
        tell_next_batch(run)
        return
    finish(run, as_json=json, verbose=verbose, gate=gate)
