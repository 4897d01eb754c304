"""Draws all figures of a run, in several processes if there are many.

vl-convert draws one picture at a time and holds on to the interpreter meanwhile, so threads are of
no use. The processes share nothing but the run directory: each stores its part of the drawings
beside their sections. Whatever one of them leaves out is drawn when it is shown.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from math import ceil
from typing import TYPE_CHECKING

from slant.annotations.recompute import agreement_sections
from slant.engine.progress import Silent
from slant.engine.run import Run
from slant.reports.drawings import Drawings
from slant.reports.figures.theme import NARROW, WIDE
from slant.reports.views import placed_figures

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from slant.engine.progress import Progress
    from slant.studies.section import Section
    from slant.studies.study import Figure

_FEW = 12
"""Figures that a process must have to draw before another one is worth its start."""

_PROCESSES = 4
"""At most so many: each takes some 300 MB."""


def draw_all(run: Run, progress: Progress | None = None) -> None:
    """Draw all figures of a run anew and store them.

    Parameters
    ----------
    run
        A run that has come to conclusions; a drawing that fails is left out.
    progress
        Who is told how far it is; nobody when not given.
    """
    for _, folder in sections_of(run):
        shutil.rmtree(folder / "drawings", ignore_errors=True)
    figures = sum(1 for _ in _figures(run))
    progress = progress or Silent()
    progress.work("pictures", figures)
    parts = max(1, min(_cores(), ceil(figures / _FEW), _PROCESSES))
    helpers: list[subprocess.Popen[bytes]] = []
    try:
        with suppress(OSError):  # where none can be started, the rest is drawn when it is shown
            for part in range(1, parts):
                helpers.append(_helper(run, part, parts))  # noqa: PERF401 - each is ended below
        _draw(run, 0, parts, progress)
        for helper in helpers:
            helper.wait()
    finally:
        for helper in helpers:
            helper.kill()
            helper.wait()


def sections_of(run: Run) -> Iterator[tuple[Section, Path]]:
    """Read what the report shows, one by one, with the folders where the drawings are kept.

    Where people have judged the run, the last sections tell how far they agree with the scorers.
    """
    for number in range(run.section_count):
        yield run.section(number), run.section_folder(number)
    yield from agreement_sections(run)


def _figures(run: Run) -> Iterator[tuple[Drawings, int, Figure]]:
    for section, folder in sections_of(run):
        drawings = Drawings(section, folder)
        for place, figure in placed_figures(section):
            yield drawings, place, figure


def _draw(run: Run, part: int, parts: int, progress: Progress) -> None:
    """Draw a part of all figures; the others are taken to keep the pace."""
    for count, (drawings, place, figure) in enumerate(_figures(run)):
        for width in (WIDE, NARROW) if count % parts == part else ():
            with suppress(Exception):  # said where the figure is shown
                drawings.svg(figure, place, width)
        progress.worked()


def _helper(run: Run, part: int, parts: int) -> subprocess.Popen[bytes]:
    # Figures of a user's own are left to this process, which knows what the user named. A folder
    # that happens to be the current one holds no module for us: -P.
    command = [sys.executable, "-P", "-m", "slant.reports.draw_all", str(run.directory)]
    return subprocess.Popen(  # noqa: S603 - this very program
        [*command, str(part), str(parts)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


if __name__ == "__main__":
    _draw(Run(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), Silent())
