"""`slant plan`: what an audit would ask, cost and see."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated

import typer

from slant import limits
from slant.cli import options
from slant.cli.simulating import simulating

if TYPE_CHECKING:
    from slant.planning.planned import Planned


def plan(
    suite: options.Suite = None,
    model: options.Models = ["embedded"],  # noqa: B006 - typer reads the default and copies it
    system: options.System = None,
    frame: options.Frame = None,
    seed: options.Seed = 0,
    limit: options.Limit = None,
    until: options.Until = None,
    method: options.MethodOption = options.Method.ROBUST,
    prices: options.Prices = None,
    earlier: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="RUN[:MODEL]",
            help="An earlier run, which tells time, tokens and what could be seen.",
        ),
    ] = None,
    probe: Annotated[
        bool,
        typer.Option("--probe", help="Ask a few questions of each study, to tell the time."),
    ] = False,
    effect: Annotated[
        str | None,
        typer.Option("--effect", help='A difference to be seen, such as "5 points".'),
    ] = None,
    simulate: Annotated[
        int,
        typer.Option(
            "--simulate",
            help="Audit so many mock models with something planted, for each study, to tell what "
            "it could see: 100 take up to a few minutes a study.",
            min=0,
            max=limits.COUNT,
        ),
    ] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the plan as JSON.")] = False,
) -> None:
    """Say what an audit would ask, what that costs and what it could see; ask nothing."""
    import slant

    with simulating() if simulate else nullcontext(lambda *_: None) as told:
        found = slant.plan(
            suite, model, system=system or (), frame=frame, seed=seed, limit=limit, until=until,
            method=method.value, prices=prices, earlier=earlier, probe=probe, effect=effect,
            simulate=simulate, told=told,
        )  # fmt: skip
    tell(found, effect, as_json=json)


def tell(planned: Planned, effect: str | None = None, *, as_json: bool) -> None:
    """Print a plan."""
    if as_json:
        from json import dumps

        from slant.planning.planned import plan_to_plain

        print(dumps(plan_to_plain(planned), ensure_ascii=False, indent=1))
        return
    from slant.planning.lines import lines

    print("\n".join(lines(planned, effect)))
