"""The verbs that give a run."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec

from slant.annotations import rescore as _rescore
from slant.api.run import Run
from slant.engine import audit as _audit
from slant.engine import measure as _measure
from slant.engine import merge as _merge
from slant.reports.write import write_report

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from slant.engine.run import Run as RunDirectory

P = ParamSpec("P")


def _gives_run(verb: Callable[P, RunDirectory]) -> Callable[P, Run]:
    """Have a verb of the engine give the run that users see."""

    @wraps(verb)
    def opened(*args: P.args, **options: P.kwargs) -> Run:
        return Run(verb(*args, **options).directory)

    return opened


audit = _gives_run(_audit.audit)
resume = _gives_run(_audit.resume)
measure = _gives_run(_measure.measure)
merge = _gives_run(_merge.merge)
rescore = _gives_run(_rescore.rescore)
report = write_report


def load(directory: str | Path) -> Run:
    """Open a run directory.

    Raises
    ------
    InputError
        It is no run, or its `run.toml` cannot be read.
    """
    return Run(directory)
