"""What a change of procedure does: lineages of one way beside those of another, by subject."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.chains import FEWEST_CHAINS
from slant.stats.inference import Draws, itself, stretch, times

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.by_chance import Interval


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """Mean difference with its 95% interval; p-value, effect size and what they rest on.

    Attributes
    ----------
    value, low, high
        Mean over cells (a subject in a lineage) of the second way minus the first.
    p
        Two-sided; NaN with fewer than `FEWEST_CHAINS`.
    effect
        The mean over the standard deviation of the differences of cells (Cohen's d_z).
    n, lineages
        Number of cells, and of lineages.
    chance
        Where the mean falls with random signs; `None` with fewer than two lineages.
    """

    value: float
    low: float
    high: float
    p: float
    effect: float
    n: int
    lineages: int
    chance: Interval | None


def paired_difference(
    first: ArrayLike,
    second: ArrayLike,
    lineages: ArrayLike,
    rng: np.random.Generator,
    *,
    resamples: int = 5000,
) -> PairedDifference:
    """Compare two ways, given their means in cells that both have.

    If the way makes no difference, the two means of a cell might as well have been exchanged, and
    with them those of all cells of the lineage, which seeded one another. Intervals are a bootstrap
    over lineages, with deviations stretched for few of them (`inference.stretch`).

    Parameters
    ----------
    first, second
        Shape (cells,), without NaN.
    lineages
        Shape (cells,): which lineage each belongs to.
    resamples
        Of bootstrap and signs.

    References
    ----------
    Good (2005), Permutation, Parametric and Bootstrap Tests of Hypotheses, section 3.7.1, for the
    test; Cohen (1988), Statistical Power Analysis for the Behavioral Sciences, section 2.3.5, for
    the effect size.
    """
    d = np.asarray(second, dtype=np.float64) - np.asarray(first, dtype=np.float64)
    n = len(d)
    names, index = np.unique(np.asarray(lineages), return_inverse=True)
    units = len(names)
    if units < 2:
        value = float(d.mean()) if n else np.nan
        return PairedDifference(value, np.nan, np.nan, np.nan, np.nan, n, units, None)
    sums, sizes = np.bincount(index, weights=d), np.bincount(index).astype(np.float64)
    value = float(d.mean())
    signs = rng.choice((-1.0, 1.0), size=(resamples, units))
    drawn = times(units, resamples, rng)
    draws = Draws(
        observed=np.array([value]),
        resampled=(drawn @ sums / (drawn @ sizes))[:, None],
        exchanged=(signs @ sums / n)[:, None],
        unit="lineages",
        stretch=stretch([units], resamples, rng),
        units=units,
    )
    found = draws.estimate(itself, expected=0.0)
    spread = float(d.std(ddof=1))
    p = float(found.p[0]) if units >= FEWEST_CHAINS else np.nan
    return PairedDifference(
        *found.ends(0), p, value / spread if spread > 0 else np.nan, n, units, found.chance[0]
    )
