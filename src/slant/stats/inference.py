r"""The core of statistics: from draws to an estimate, its interval, its p and its chance line.

A *design* knows what was sampled and what chance might have done instead: what is drawn again
(blocks, units of a group, lineages, questions, prompts, pairs of texts) and what is exchanged if
the null hypothesis holds (groups within blocks or among units, lineages, the two sides of a
comparison, signs). `blocked_means`, `unit_means`, `chain_means`, `paired_draws`, `mean_change`,
`article_pairs` and `paired_chains` are designs. Each gives `Draws`: the means of the groups as
they are, under resamples, and under exchanges. What follows from draws stands here once, whatever
the design, for any *figure* of the groups (their means; each mean minus the median of the others;
one side minus the other):

- the *interval*: quantiles of the resampled figures, each at its stretched distance from the
  estimate, never leaving the estimate out (`interval`, `Draws.stretch`, `Draws.least`);
- the *p-value*: :math:`p = (1 + \#\{|t^* - t_0| \ge |t - t_0|\})/(1 + B)` with one rule for ties
  (`p_value`);
- the *chance line*: mean, 95% range and histogram of the exchanged figures (`chance.Chance`);
- the *result*: `Estimate`, one row a group;
- the batches in which large draws are made (`batches`), and the counts of a bootstrap (`times`).

Designs that are counted rather than averaged (`grouped_rates`, `group_agreement`, `cohen_kappa`),
statistics of other kinds (`bootstrap`, `permutation`, `word_divergence`, `relative_entropy`,
`topic_drift`, `retrieval`) and the kernels of grids use the same four functions. Closed forms stay
where they are.

Groups may differ in spread: figures that are exchanged are divided by their standard errors, those
of the data and those of every exchange (`Draws.error`, `moderated`). Units may be few: their
resamples vary too little, and are stretched (`stretch`).

So there is one place for each of these: another kind of interval (`interval`); p-values below
1/(1 + B) from a fitted tail (`p_value`); another factor that is drawn again, such as wordings
crossed with prompts (one more design, whose rows are still groups).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from scipy.special import gammaincinv, stdtrit

from slant.stats.arrays import tails
from slant.stats.chance import Chance
from slant.stats.median_of_others import median_of_others

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

    Figure: TypeAlias = Callable[[Floats], Floats]

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]

ROUNDING = 1e-12
"""What differs by less than this share of the largest number around differs by rounding only."""

_PRIOR = 3.0
"""Degrees of freedom that the average variance counts for: enough for power with few units, and too
few to hide that groups differ in spread (docs/statistics.md has the simulations)."""

SINGLE = 1e-5
"""The same of numbers that were computed in single precision."""


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """A figure of every group; arrays have shape (groups,), in the unit of the figure.

    Attributes
    ----------
    value, low, high
        The figure with its 95% interval, which always holds it.
    p
        p-value of each group alone, not adjusted; two-sided unless said otherwise.
    chance
        The figure if what was exchanged did not matter.
    freedom
        Degrees of freedom of the interval, where it is Student's t; else `None`.
    """

    value: Floats
    low: Floats
    high: Floats
    p: Floats
    chance: Chance
    freedom: Floats | None = None

    def ends(self, row: int) -> tuple[float, float, float]:
        """Give value, low and high of one group."""
        return float(self.value[row]), float(self.low[row]), float(self.high[row])

    def freedom_of(self, row: int) -> float | None:
        """Give the degrees of freedom of one group's interval, where it is Student's t."""
        return None if self.freedom is None else float(self.freedom[row])


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """What a design draws, once, for any figure of the groups.

    Attributes
    ----------
    observed
        Shape (..., groups): each group's mean; a comparison of two sides has them in front.
    resampled, exchanged
        Shape (draws, ..., groups): the means of other units, and those after an exchange.
    unit
        What was resampled and exchanged: `blocks`, `prompts` …
    stretch
        By what the deviation of a resampled figure is multiplied: a number, or of a shape that
        broadcasts to (draws, groups).
    least
        How near the ends of an interval may come to the estimate: a number, or shape (groups,).
    units
        How many were resampled: a number, or shape (groups,). Where all show the very same, one
        more might not, and the interval is as wide as that makes it; infinite where `least` says
        enough.
    error, exchanged_error
        Shape (groups,) and (draws, groups), above 0: standard errors of a difference from the
        others, for the data and after every exchange.
    """

    observed: Floats
    resampled: Floats
    exchanged: Floats
    unit: str
    stretch: Floats | float = 1.0
    least: Floats | float = 0.0
    units: Floats | float = np.inf
    error: Floats | float = 1.0
    exchanged_error: Floats | float = 1.0

    def estimate(
        self, figure: Figure, *, expected: float | None = None, centred: bool = False
    ) -> Estimate:
        """Estimate a figure; what is exchanged is compared in units of its standard error.

        Parameters
        ----------
        figure
            From means of shape (..., groups) to figures of the groups.
        expected
            What the figure is on average under exchange, where theory knows it.
        centred
            Whether p counts distances from the average under exchange, and not from 0.
        """
        value = figure(self.observed)
        low, high = self.interval(figure)
        null = figure(self.exchanged) * (self.error / self.exchanged_error)
        chance = Chance.of(null, expected)
        p = p_value(
            np.nan_to_num(null),
            np.nan_to_num(value),
            centre=np.nan_to_num(chance.expected) if centred else 0.0,
            scale=float(np.nanmax(np.abs(self.observed), initial=0.0)),
        )
        return Estimate(value, low, high, np.where(np.isnan(value), np.nan, p), chance)

    def interval(self, figure: Figure) -> tuple[Floats, Floats]:
        """Give the 95% interval of a figure."""
        value, drawn = figure(self.observed), figure(self.resampled)
        low, high = interval(value + (drawn - value) * self.stretch, value)
        flat = np.ptp(drawn, axis=0) == 0
        least = np.where(flat, np.maximum(self.least, _unseen(value, self.units)), self.least)
        return np.minimum(low, value - least), np.maximum(high, value + least)


@dataclass(frozen=True, slots=True, eq=False)
class GroupMeans:
    """Means of groups, each for itself and against the others.

    Attributes
    ----------
    own
        Each group's mean.
    vs_rest
        Its difference from the median of the other groups' means.
    effect
        Shape (groups,): the difference divided by what the design says values differ by.
    """

    own: Estimate
    vs_rest: Estimate
    effect: Floats


def _unseen(value: Floats, units: Floats | float) -> Floats:
    """Say how wide an interval must be at least where all units show the very same value."""
    known = np.isfinite(units)
    n = np.where(known, np.maximum(units, 2), 2.0)
    reach = stdtrit(n - 1, 0.975) * unseen_error(value, n)
    return np.asarray(np.where(known, reach, 0.0))


def unseen_error(value: ArrayLike, units: ArrayLike) -> Floats:
    r"""Give the standard error of a mean of n units that all show the same.

    One unit more might have shown none of it, and a share of 1 in n + 2 has the standard error
    :math:`\sqrt{(n + 1)/n}/(n + 2)`.
    """
    n = np.asarray(units, dtype=np.float64)
    return np.asarray(np.abs(value) * np.sqrt((n + 1) / n) / (n + 2))


def itself(means: Floats) -> Floats:
    """Give the means as they are: the plainest figure."""
    return means


def vs_rest(means: Floats) -> Floats:
    """Subtract from each group's mean the median of the others', over the last axis."""
    return means - median_of_others(means)


def interval(draws: ArrayLike, value: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Give the quantiles of draws between which an interval lies, moved to hold the estimate.

    Parameters
    ----------
    draws
        Shape (draws, ...); NaN where a draw has no figure.
    value
        Shape (...): the estimate; NaN where it is not known, and then the ends are.

    Returns
    -------
    low, high : numpy.ndarray
        Shape (...).

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
    """
    drawn, middle = np.asarray(draws, dtype=np.float64), np.asarray(value, dtype=np.float64)
    ends = np.full((2, *middle.shape), np.nan)
    known = ~np.isnan(middle)
    kept = drawn[:, known]
    quantile = np.nanquantile if np.isnan(kept).any() else np.quantile
    ends[:, known] = quantile(kept, tails(level), axis=0)
    return np.minimum(ends[0], middle), np.maximum(ends[1], middle)


def p_value(
    null: ArrayLike,
    observed: ArrayLike,
    alternative: Alternative = "two-sided",
    *,
    centre: ArrayLike = 0.0,
    scale: float = 0.0,
    rounding: float = ROUNDING,
) -> Floats:
    r"""Share of the draws, the data among them, that are at least as extreme as the data.

    :math:`p = (1 + \#\{|t^* - t_0| \ge |t - t_0|\})/(1 + B)` over :math:`B` draws, or the same
    without the absolute values for a one-sided alternative. The data count as one draw: p is never
    0, and the test is exact for every :math:`B`. Statistics tie if they differ by rounding only,
    that is by less than `rounding` times the largest of them and of what they are differences of:
    sums of the same numbers in another order are the same.

    Parameters
    ----------
    null
        Statistics of the draws, shape (draws, ...).
    observed
        Statistics of the data, shape (...).
    alternative
        Which are extreme: those far from the centre, large ones, or small ones.
    centre
        The :math:`t_0` that distances are taken from.
    scale
        Size of the numbers that the statistics are differences of.
    rounding
        `ROUNDING`, or `SINGLE` where statistics were computed in single precision.

    Returns
    -------
    numpy.ndarray
        p-values in (0, 1], shape (...).

    Raises
    ------
    ValueError
        An unknown alternative.

    References
    ----------
    Phipson and Smyth (2010), "Permutation p-values should never be zero", Statistical
    Applications in Genetics and Molecular Biology 9.
    """
    drawn = np.asarray(null, dtype=np.float64) - np.asarray(centre)
    data = np.asarray(observed, dtype=np.float64) - np.asarray(centre)
    if alternative == "two-sided":
        drawn, data = np.abs(drawn), np.abs(data)
    elif alternative == "less":
        drawn, data = -drawn, -data
    elif alternative != "greater":
        raise ValueError(
            f"alternative must be 'two-sided', 'greater' or 'less', not {alternative!r}"
        )
    largest = np.maximum(np.abs(drawn).max(axis=0), np.abs(data))
    extreme = drawn >= data - rounding * np.maximum(largest, scale)
    return np.asarray((1 + extreme.sum(axis=0)) / (1 + len(drawn)))


def batches(draws: int, at_once: int) -> Iterator[slice]:
    """Cut draws into slices of at most so many, at least one each."""
    step = max(1, at_once)
    for start in range(0, draws, step):
        yield slice(start, min(start + step, draws))


def times(units: int, draws: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Say how often a bootstrap takes each unit: shape (draws, units), rows that sum to units."""
    return np.asarray(rng.multinomial(units, np.full(units, 1 / units), size=draws))


def stretch(units: ArrayLike, resamples: int, rng: np.random.Generator) -> Floats:
    r"""Draw by what deviations of resampled means are to be multiplied.

    :math:`\sqrt{C/(C-1)}`, for a resample of C units varies too little by that, times
    :math:`\sqrt{(C-1)/\chi^2_{C-1}}`, as in Student's t, since the spread of few units is itself
    uncertain. The same quantile is drawn for all rows. 1 with a single unit.

    Parameters
    ----------
    units
        How many units each row has, shape (rows,).

    Returns
    -------
    numpy.ndarray
        Shape (resamples, rows).

    References
    ----------
    Field and Welsh (2007), "Bootstrapping clustered data", Journal of the Royal Statistical
    Society B 69.
    """
    count, row = np.unique(np.asarray(units), return_inverse=True)
    freedom = np.maximum(count - 1, 1).astype(np.float64)
    uniform = rng.uniform(size=(resamples, 1))
    chi_squared = 2 * gammaincinv(freedom / 2, uniform)
    drawn = np.sqrt(freedom / chi_squared) * np.sqrt((freedom + 1) / freedom)
    return np.asarray(np.where(count > 1, drawn, 1.0)[:, row])


def moderated(variance: Floats, freedom: ArrayLike) -> Floats:
    r"""Draw the variances of groups a little towards what they are on average.

    :math:`(d s^2 + 3 \bar s^2)/(d + 3)`: as if three more observations said what all groups say.
    Few units tell the spread of a group badly, and one that is tiny by chance makes no large
    statistic then.

    Parameters
    ----------
    variance
        Shape (..., groups).
    freedom
        Degrees of freedom of each: a number, or shape (groups,).
    """
    known = np.broadcast_to(np.asarray(freedom, dtype=np.float64), variance.shape[-1:])
    typical = (variance * known).sum(axis=-1, keepdims=True) / max(known.sum(), 1.0)
    return np.asarray((known * variance + _PRIOR * typical) / (known + _PRIOR))


def strata_of(labels: ArrayLike) -> list[NDArray[np.intp]]:
    """List where each stratum's values stand, in the order of the strata's labels."""
    given = np.asarray(labels)
    return [np.flatnonzero(given == which) for which in np.unique(given)]


def permuted_within(
    data: NDArray[Any], strata: list[NDArray[np.intp]], rows: int, rng: np.random.Generator
) -> NDArray[Any]:
    """Exchange values at random within each stratum: shape (rows, n)."""
    batch = np.tile(data, (rows, 1))
    for where in strata:
        batch[:, where] = rng.permuted(batch[:, where], axis=1)
    return batch
