"""Which answers are judged next: drawn at random, so that they speak for all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.annotations.automatic import automatic

if TYPE_CHECKING:
    from collections.abc import Collection

    from slant.annotations.automatic import Scorer
    from slant.engine.run import Run

MOST = 1000
"""How many answers of each group and score are drawn at most: more than people will judge."""


@dataclass(frozen=True)
class Sample:
    """Answers in the order in which they are to be judged.

    Attributes
    ----------
    positions
        Of the answers drawn.
    strata
        How many groups and scores they were drawn from.
    size
        How many answers could be judged in all.
    """

    positions: tuple[int, ...]
    strata: int
    size: int

    def next(self, judged: Collection[int]) -> int | None:
        """Give the first that is not among those judged; nothing if all are."""
        return next((each for each in self.positions if each not in judged), None)


def sample(run: Run, scorer: Scorer) -> Sample:
    """Draw answers, stratified by group and by what the scorer said.

    Within each group and score the order is random, by the run's seed; the strata take turns, so
    that after any number of answers each has given as many as any other, and the rare ones (of
    few groups is much scored violent) are judged as often as the common. Everybody is given the
    same order: what two people both have judged shows how far they agree.
    """
    stamp = tuple(
        run.path(name).stat().st_mtime_ns for name in ("answers.parquet", "scores.parquet")
    )
    return _drawn(str(run.directory), scorer, run.config.seed, stamp)


@lru_cache(maxsize=16)
def _drawn(directory: str, scorer: Scorer, seed: int, stamp: tuple[int, ...]) -> Sample:
    from slant.engine.run import Run

    # Whole columns of numbers, and no grouping of texts: there may be a million answers.
    frame = (
        automatic(Run(directory), scorer)
        .select("position", "automatic", pl.col("axis", "group").cast(pl.Categorical).to_physical())
        .collect()
    )
    position = frame["position"].to_numpy()
    axis, group, score = (frame[name].to_numpy() for name in ("axis", "group", "automatic"))
    stratum = (axis.astype(np.int64) << 32) + (group.astype(np.int64) << 1) + (score == 1)
    rng = np.random.default_rng([seed, *scorer.measure.encode(), *scorer.study.encode()])
    chance = rng.random(len(position))
    kinds = np.unique(stratum)
    turns = [
        (turn, chance[row], int(position[row]))
        for kind in kinds
        for own in [np.flatnonzero(stratum == kind)]
        for turn, row in enumerate(own[np.argsort(chance[own])[:MOST]])
    ]
    drawn = tuple(place for _, _, place in sorted(turns))
    return Sample(drawn, len(kinds), len(position))
