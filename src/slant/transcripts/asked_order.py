"""In which order answers were asked for: their numbers, from 0, the same on every page."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.engine.run import Run

Starts: TypeAlias = "Mapping[tuple[str, str], int]"
"""The number of the first answer of each model and study."""


def starts(answers: pl.LazyFrame, run: Run) -> Starts:
    """Say at which number each model and study begins.

    Studies stand as in the suite, model by model; within a study a position is a place. The
    table of answers has them by name.

    Parameters
    ----------
    answers
        Columns model, study and position.
    run
        The run that asked.
    """
    block = pl.col("model", "study").cast(pl.String)
    sizes = answers.group_by(block).agg(pl.col("position").max()).collect()
    labels = [study.settings.get("label") or study.use for study in run.config.study]
    models = list(run.environment.get("models", {}))

    def order(block: tuple[str, str, int]) -> tuple[int, int, str, str]:
        model, study, _ = block
        return (_place(models, model), _place(labels, study), model, study)

    found, number = {}, 0
    for model, study, last in sorted(sizes.rows(), key=order):
        found[str(model), str(study)] = number
        number += last + 1
    return found


def _place(names: list[str], name: str) -> int:
    return names.index(name) if name in names else len(names)
