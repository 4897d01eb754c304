"""What an audit must have to be judged at all: answers to its questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.gating.check import Check

if TYPE_CHECKING:
    from collections.abc import Collection

    from slant.engine.run import Run
    from slant.gating.policy import Floors


def judge_floors(floors: Floors, run: Run, models: Collection[str], whose: str) -> list[Check]:
    """Judge what became of each study's questions. Below a floor nothing follows: inconclusive.

    Parameters
    ----------
    floors
        What is asked for.
    run
        Whose questions are counted.
    models
        Which of its models.
    whose
        What to call the run, for example `the run`.
    """
    if floors.coverage is None and floors.refusals is None:
        return []
    if not run.path("answers.parquet").exists():
        why = "it keeps no answers, so that none can be counted"
        return [Check("coverage", "inconclusive", whose, why)]
    checks = []
    for (model, study), became in _outcomes(run).items():
        if model not in models:
            continue
        asked = sum(became.values())
        answered, refused = became.get("answered", 0), became.get("refused", 0)
        about = f"{study} of {whose}"
        if floors.coverage is not None:
            enough = answered >= floors.coverage * asked
            why = f"{answered:,} of {asked:,} questions were answered; at least "
            why += f"{floors.coverage:.0%} must be"
            checks.append(
                Check("coverage", "pass" if enough else "inconclusive", about, why, model)
            )
        if floors.refusals is not None:
            few = refused <= floors.refusals * asked
            why = f"{refused:,} of {asked:,} questions were refused; at most "
            why += f"{floors.refusals:.0%} may be"
            checks.append(Check("refusals", "pass" if few else "inconclusive", about, why, model))
    return checks


def _outcomes(run: Run) -> dict[tuple[str, str], dict[str, int]]:
    """Count outcomes by model and study."""
    import polars as pl

    counted = run.answers.group_by("model", "study", "outcome").agg(pl.len()).collect()
    found: dict[tuple[str, str], dict[str, int]] = {}
    for model, study, outcome, count in counted.sort("model", "study").iter_rows():
        found.setdefault((model, study), {})[outcome] = count
    return found
