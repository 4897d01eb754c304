"""Writing a run's report into its directory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slant.engine.run import Run, write_whole
from slant.report.about import About
from slant.report.drawings import Drawings
from slant.report.page import render
from slant.report.room import LARGEST, ROOMS
from slant.report.summary import write_summary
from slant.report.views import section_view

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from slant.report.room import Room
    from slant.report.views import SectionView


def write_report(run: Run | str | Path) -> Path:
    """Write `report.html`, one file that needs no network, and return its path.

    Beside it goes `summary.json`, which counts what the report tells.

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
    for place, room in enumerate(ROOMS):
        views = [_view(run, number, room, fresh=not place) for number in range(run.section_count)]
        page = render(views, about(run))
        if len(page.encode()) <= LARGEST:
            break
    write_whole(path, page)
    write_summary(run)
    return path


def _view(run: Run, number: int, room: Room, *, fresh: bool) -> SectionView:
    """Show a section, and let go of its tables."""
    section = run.section(number)
    drawings = Drawings(section, run.section_folder(number), fresh=fresh)
    view = section_view(section, f"s{number + 1}", drawings, room)
    bare = replace(section, analysis=replace(section.analysis, tables={}))
    return replace(view, section=bare)


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
