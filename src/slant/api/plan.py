"""What an audit would ask, cost and see, as programs see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.planning.planned import Planned, plan_to_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from slant.engine.run import Run
    from slant.gating.allowance import Allowance
    from slant.studies.study import Method


class Plan(Planned):
    """What an audit would ask, cost and see: `studies` by model, and `remarks`."""

    def to_dict(self) -> dict[str, Any]:
        """Give everything as `slant plan --json` prints it."""
        return plan_to_plain(self)


def plan(
    suite: str | Path | None = None,
    models: str | Sequence[str] = "embedded",
    *,
    system: str | Path | Sequence[str | Path] = (),
    frame: str | Path | None = None,
    seed: int = 0,
    limit: int | None = None,
    until: str | None = None,
    method: Method = "robust",
    prices: str | Path | None = None,
    earlier: Run | str | Path | None = None,
    probe: bool = False,
    effect: str | float | None = None,
    simulate: int = 0,
    told: Callable[[str, int, int], None] = lambda *_: None,
) -> Plan:
    """Say what an audit would ask, what that costs, and what it could see; ask nothing.

    Parameters
    ----------
    suite, models, system, frame, seed, limit, until, method, prices
        As `audit` takes them.
    earlier
        A run that tells how long questions take, how long answers are, and what was seen.
    probe
        Whether to ask a few questions of each study, to see how long they take.
    effect
        A difference that one wants to see, as in a policy: `"5 points"`, or a number in the unit
        of a measure that is no share.
    simulate
        How many audits of each study are simulated, with mock models in which a difference is
        planted, to say what it could see; 0 for none, else 2 at least. 100 take seconds to minutes
        a study.
    told
        Is called with a study, the audits simulated, and all.

    Returns
    -------
    Plan
        Its `studies` say what each asks of each model, or why it cannot run.

    Raises
    ------
    InputError
        Something named does not exist, no model can run any study, or `simulate` is 1.
    """
    from slant.comparison.side import run_sides, sides_of
    from slant.engine.run import Run as RunDirectory
    from slant.engine.suite import usual_suite
    from slant.planning.earlier import earlier_studies
    from slant.planning.plan import plan as planned
    from slant.planning.prepared import prepared

    wished = None if effect is None else _wished(effect)
    suite_, opened, remarks = prepared(
        suite or usual_suite(method), models, system, frame, prices, seed, limit, probe, until
    )
    known = {}
    if earlier is not None:
        sides = run_sides(earlier) if isinstance(earlier, RunDirectory) else sides_of(str(earlier))
        known = {name: earlier_studies(sides, name) for name in opened}
    found = planned(
        suite_, opened, method=method, seed=seed, limit=limit, earlier=known, probed=probe,
        wished=wished, simulate=simulate, told=told,
    )  # fmt: skip
    return Plan(found.suite, found.studies, (*remarks, *found.remarks))


def _wished(effect: str | float) -> Allowance:
    """Read the difference that is wished for.

    Raises
    ------
    InputError
        It is none.
    """
    from slant.errors import InputError
    from slant.gating.allowance import Allowance

    try:
        written: str | float = float(effect)
    except ValueError:
        written = effect
    try:
        wished = Allowance.parse(written)
    except ValueError as error:
        raise InputError(f"--effect {effect!r:.40}: {error}") from error
    if not wished.amount:
        raise InputError("--effect: no number of questions shows a difference of nothing")
    return wished
