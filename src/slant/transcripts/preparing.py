"""Preparing a run's transcripts beside the reader, in a process of its own.

Tables that are missing are rebuilt from the journal, and the index is built. The memory that takes
is not the dashboard's.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from threading import Thread

import filelock

from slant.engine.run import Run
from slant.engine.run_tables import ensure
from slant.errors import InputError, SlantError
from slant.transcripts.index import INDEX
from slant.transcripts.index_building import build


def prepare(run: Run, parent: int | None = None) -> None:
    """Rebuild what is missing and index the answers; do nothing where another process does.

    Parameters
    ----------
    run
        The run.
    parent
        Process to work for: when it has ended, so does the work. `None` for no such process.

    Raises
    ------
    SlantError
        Something cannot be read or written.
    """
    try:
        with filelock.FileLock(run.path("transcripts.lock"), timeout=0):
            ensure(run)
            build(
                run.path(INDEX), run.path("answers.parquet"), run.path("scores.parquet"),
                going_on=lambda: parent is None or os.getppid() == parent,
            )  # fmt: skip
    except filelock.Timeout:
        return
    except OSError as error:
        raise SlantError(f"{run.directory} cannot be written: {error}") from error


class Preparation:
    """The preparation of one run, under way.

    Parameters
    ----------
    run
        The run.
    """

    def __init__(self, run: Run):
        # -P: no module of the folder that happens to be the current one.
        command = [sys.executable, "-P", "-m", __name__, str(run.directory), str(os.getpid())]
        self._fault: str | None = None
        process = subprocess.Popen(  # noqa: S603 - this very file
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        Thread(target=self._wait, args=(process,), daemon=True).start()

    def _wait(self, process: subprocess.Popen[bytes]) -> None:
        said = process.communicate()[1].decode("utf-8", "replace").strip()
        words = said.splitlines()[-1] if said else "it ended without a word"
        self._fault = words if process.returncode else ""

    def fault(self) -> str | None:
        """Say why it failed; empty when it came to its end, `None` as long as it goes on."""
        return self._fault


if __name__ == "__main__":
    if hasattr(os, "nice"):  # whoever reads meanwhile comes first
        os.nice(5)
    try:
        prepare(Run(Path(sys.argv[1])), int(sys.argv[2]))
    except (InputError, SlantError) as error:
        sys.exit(str(error))
