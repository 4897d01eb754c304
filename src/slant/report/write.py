"""Writing a run's report into its directory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.engine.judgements.recompute import agreement_sections
from slant.engine.run import Run, write_whole
from slant.report.about import About
from slant.report.page import render

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def write_report(run: Run | str | Path) -> Path:
    """Write `report.html`, one file that needs no network, and return its path.

    Where people have judged the run, the last sections tell how far they agree with the scorers
    and what their rulings change, as last reckoned by `slant rescore`.

    Parameters
    ----------
    run
        A run, or its directory.

    Raises
    ------
    InputError
        The run has no findings yet.
    """
    if not isinstance(run, Run):
        run = Run(run)
    path = run.path("report.html")
    write_whole(path, render([*run.sections(), *agreement_sections(run)], about(run)))
    return path


def about(run: Run) -> About:
    """Gather what the report says about the run behind it."""
    config, environment = run.config, run.environment
    machine = {
        name: str(value)
        for name, value in environment.items()
        if name not in ("models", "packages", "slant")
    }
    models = environment.get("models", {})
    return About(
        title=config.title or config.name,
        suite=config.name,
        created=config.created.isoformat(),
        command=config.command,
        version=config.slant,
        method=config.method,
        seed=config.seed,
        environment={**machine, **environment.get("packages", {})},
        models={name: _described(model) for name, model in models.items()},
        counts=run.outcomes,
        larger=config.larger,
        incomplete=run.incomplete,
    )


def _described(model: Mapping[str, Any]) -> dict[str, Any]:
    """Give a model's fingerprint, and what turned out while it answered."""
    remarks = model.get("remarks")
    return {**model["fingerprint"], **({"remarks": remarks} if remarks else {})}
