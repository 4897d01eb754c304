"""Drawing conclusions again in the background, in a process of its own.

An analysis may take minutes and hundreds of megabytes: the pages stay quick, and the server small.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from slant.errors import SlantError
from slant.registry import allow, allowed

if TYPE_CHECKING:
    from slant.engine.run import Run

_lock = Lock()
_started: dict[Path, subprocess.Popen[str]] = {}
_failed: dict[Path, str] = {}


def start(run: Run) -> None:
    """Begin to compute a run's findings anew with its annotations, unless that is under way."""
    place = run.directory.resolve()
    with _lock:
        known = _started.get(place)
        if known is not None and known.poll() is None:
            return
        _failed.pop(place, None)
        _started[place] = subprocess.Popen(  # noqa: S603 - our own code and a path
            # -P: no module of the folder that happens to be the current one.
            [sys.executable, "-P", "-m", __name__, str(place), *allowed()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )


def state(run: Run) -> tuple[bool, str]:
    """Say whether it is under way, and why the last time failed (empty if it did not)."""
    place = run.directory.resolve()
    with _lock:
        process = _started.get(place)
        if process is not None and process.poll() is None:
            return True, ""
        if process is not None:
            del _started[place]
            said = process.communicate()[1].strip()
            if process.returncode:
                _failed[place] = said.splitlines()[-1] if said else "it was ended from outside"
        return False, _failed.get(place, "")


def work(directory: str) -> int:
    """Reckon the annotations in and draw their pictures; give the exit code."""
    from slant.annotations.recompute import agreement_sections, recompute
    from slant.engine.run import Run
    from slant.reports.drawings import Drawings
    from slant.reports.views import section_view

    try:
        run = Run(Path(directory))
        recompute(run)
    except SlantError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    for number, (section, folder) in enumerate(agreement_sections(run)):
        section_view(section, f"a{number}", Drawings(section, folder))
    return 0


if __name__ == "__main__":
    allow(sys.argv[2:])
    sys.exit(work(sys.argv[1]))
