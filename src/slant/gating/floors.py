"""What an audit must have to be judged at all: answers to its questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.gating.check import Check
from slant.measures.measure import TELL_REFUSALS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from slant.comparison.compare import Comparison
    from slant.engine.run import Run
    from slant.gating.policy import Floors

_ANSWERS = "answers.parquet"
_LESS = 0.05


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
    if not run.path(_ANSWERS).exists():
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


def coverage_remarks(pairs: Sequence[Comparison]) -> list[str]:
    """Say which studies the baseline has fewer answers of, by a twentieth of its questions."""
    told = []
    for pair in pairs:
        if not all(side.run.path(_ANSWERS).exists() for side in (pair.base, pair.other)):
            continue
        before, now = _outcomes(pair.base.run), _outcomes(pair.other.run)
        for study in pair.other.studies:
            became = before.get((pair.base.model, study)), now.get((pair.other.model, study))
            if None in became:
                continue
            base, other = (
                each.get("answered", 0) / sum(each.values()) for each in became if each is not None
            )
            if base < other - _LESS:
                told.append(
                    f"{study}: the baseline has answers to {base:.0%} of its questions, the run to "
                    f"{other:.0%}: what refused or failed there may be what changed"
                )
    return told


def _outcomes(run: Run) -> dict[tuple[str, str], dict[str, int]]:
    """Count outcomes by model and study; a text that reads as a refusal is refused."""
    import polars as pl

    about = ("model", "study", "position")
    answers = run.answers.select(*about, "outcome")
    if run.path("scores.parquet").exists():
        read = run.scores.filter(pl.col("measure").is_in(TELL_REFUSALS), pl.col("value") == 1)
        refused = read.select(*about, refused=pl.lit(value=True)).unique()
        answers = answers.join(refused, on=about, how="left").with_columns(
            outcome=pl.when(pl.col("outcome") == "answered", pl.col("refused"))
            .then(pl.lit("refused"))
            .otherwise("outcome")
        )
    counted = answers.group_by("model", "study", "outcome").agg(pl.len()).collect()
    found: dict[tuple[str, str], dict[str, int]] = {}
    for model, study, outcome, count in counted.sort("model", "study").iter_rows():
        found.setdefault((model, study), {})[outcome] = count
    return found
