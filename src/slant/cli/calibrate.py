"""`slant calibrate`: whether error rates hold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from slant import limits
from slant.cli import options
from slant.cli.simulating import simulating


def calibrate(
    study: Annotated[
        list[str] | None, typer.Argument(help="Studies of the suite; all where none is named.")
    ] = None,
    suite: Annotated[
        str, typer.Option("--suite", help="quick, standard, full, or a TOML file of your own.")
    ] = "quick",
    world: Annotated[
        list[str] | None,
        typer.Option("--world", help="What mock models are like; repeat for several, all if none."),
    ] = None,
    runs: Annotated[
        int,
        typer.Option(
            "--runs",
            help="Runs of each study where nothing is planted; fewer where something is. 0 runs "
            "nothing, and tells what --out holds.",
            min=0,
            max=limits.COUNT,
        ),
    ] = 400,
    seed: options.Seed = 0,
    method: options.MethodOption = options.Method.ROBUST,
    out: Annotated[
        Path, typer.Option("--out", help="Directory for runs and pictures; what is there is kept.")
    ] = Path("calibration"),
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Run studies against mock models whose leaning is known, and say whether error rates hold."""
    import slant

    with simulating() as told:
        found = slant.calibrate(
            study or (), suite=suite, worlds=world, runs=runs, seed=seed, method=method.value,
            out=out, told=told,
        )  # fmt: skip
    if json:
        from json import dumps

        print(dumps(found.to_dict(), ensure_ascii=False, indent=1))
        return
    print("\n".join(found.lines()))
    for path in found.draw(out):
        print(f"Picture: {path}")
