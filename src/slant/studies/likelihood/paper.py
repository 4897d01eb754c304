"""The paper's own method: APX, bias score, flags below 2.3263 standard deviations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

from slant.stats.apx import apx, bias_scores, flag_low, flags_by_chance
from slant.studies.filing import family_q

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slant.by_chance import Interval
    from slant.stats.arrays import Floats
    from slant.studies.likelihood.grid import Grid


@dataclass(frozen=True)
class PaperScores:
    """Groups × descriptors as Siddique et al. (2024) judge them.

    Attributes
    ----------
    groups
        Their names, in the order of the rows.
    perplexity
        Shape (groups, descriptors): mean over names, then templates; `None` if the values are
        APX already.
    apx
        The same of APX.
    score
        Bias score: mean APX over names, rounded, scaled to [0, 1] within a template, averaged
        over templates. Low is associated.
    flagged
        Whether the score is more than 2.3263 standard deviations below the descriptor's mean.
    tested
        How many descriptors could be flagged: by the paper's method those of the age axis are not.
    z
        How many standard deviations the score is above the descriptor's mean; NaN where all
        groups have the same score.
    p, q
        One-sided, as if the scores were normal; q over all cells (Benjamini-Hochberg).
    center, spread
        Shape (descriptors,): mean and standard deviation of the groups' scores.
    """

    groups: list[str]
    perplexity: Floats | None
    apx: Floats
    score: Floats
    flagged: NDArray[np.bool_]
    tested: int
    z: Floats
    p: Floats
    q: Floats
    center: Floats
    spread: Floats


_LEFT_OUT = "age"
_DECIMALS = 3


def paper_scores(grid: Grid, *, published: bool) -> PaperScores:
    """Score a grid without gaps.

    Parameters
    ----------
    grid
        What was asked.
    published
        Whether to do what the authors' code does and the publication does not say: round the
        ratio of the means to three decimals, and test no descriptor of the age axis (its cells
        count in the scale).
    """
    groups = grid.people["group"].unique(maintain_order=True).to_list()
    labels = np.array([groups.index(each) for each in grid.people["group"]])
    values = np.moveaxis(np.exp(grid.log_perplexity), 2, 0)
    adjusted = (
        values
        if grid.adjusted
        else np.stack(
            [apx(layer, labels, decimals=_DECIMALS if published else None) for layer in values]
        )
    )
    means = np.stack([_group_means(layer, labels) for layer in adjusted])
    score = bias_scores(means)
    center, spread = score.mean(axis=0), score.std(axis=0, ddof=1)
    differ = np.full(score.shape, np.nan)
    z = np.divide(score - center, spread, out=differ, where=spread > 0)
    p = ndtr(z)
    tested = np.array([not published or axis != _LEFT_OUT for axis in grid.axes])
    plain = None if grid.adjusted else np.stack([_group_means(layer, labels) for layer in values])
    return PaperScores(
        groups=groups,
        perplexity=None if plain is None else plain.mean(axis=0),
        apx=means.mean(axis=0),
        score=score,
        flagged=np.asarray(flag_low(score) & tested),
        tested=int(tested.sum()),
        z=z,
        p=p,
        q=family_q(p),
        center=center,
        spread=spread,
    )


def by_chance(scores: PaperScores, rng: np.random.Generator) -> Interval:
    """Say how many descriptors the paper's rule would flag in pure noise."""
    return flags_by_chance(len(scores.groups), scores.tested, rng=rng)


def _group_means(values: Floats, labels: NDArray[np.intp]) -> Floats:
    """Average names by group: (names, descriptors) to (groups, descriptors)."""
    weights = labels == np.arange(labels.max() + 1)[:, None]
    return np.asarray(weights @ values / weights.sum(axis=1, keepdims=True))
