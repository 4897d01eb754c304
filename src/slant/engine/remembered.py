"""The studies of a run, made anew for the models that it asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.engine.environment import short_hash
from slant.engine.suite import plan_study
from slant.errors import InputError
from slant.models.effective import Effective
from slant.studies.study import Circumstances

if TYPE_CHECKING:
    from slant.engine.run import Run
    from slant.studies.study import Study


def remembered_studies(run: Run) -> list[Study]:
    """Build a study for every model the run has asked, in order.

    Raises
    ------
    InputError
        `environment.json`, which says which models those are, is missing or damaged.
    """
    config, models = run.config, run.environment.get("models", {})
    if not models:
        again = (
            f"`slant resume {run.directory}` writes it anew"
            if config.kind == "audit"
            else "put back a copy of the file, or measure again"
        )
        raise InputError(
            f"does not say which models were asked, and nothing can be concluded without: {again}",
            file=run.path("environment.json"),
        )
    return [
        planned.kind(
            planned.settings,
            Circumstances(
                name,
                frozenset(model["abilities"]),
                config.method,
                config.seed,
                short_hash(model["fingerprint"]),
                model["fingerprint"],
                instead=Effective.from_plain(model.get("effective")).instead(),
            ),
        )
        for name, model in models.items()
        for planned in (plan_study(entry.use, entry.settings) for entry in config.study)
    ]
