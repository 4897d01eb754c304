"""Figures of texts beside those of their references: how far apart, which way, how often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from scipy.special import ndtr

from slant.by_chance import Interval
from slant.stats.bootstrap import bootstrap_draws
from slant.stats.chance import chance_of
from slant.stats.histogram import histograms
from slant.stats.inference import Draws, batches, itself, p_value, stretch
from slant.stats.proportions import wilson

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slant.by_chance import Histogram
    from slant.stats.arrays import Floats

_RESAMPLES = 10_000
_AT_ONCE = 2**22
_MANY = 5_000
"""From so many pairs on, means are as good as normal, and nothing is resampled."""

_Z = 1.959963984540054

Worse: TypeAlias = Literal[-1, 1]
"""Which change is prejudice: −1 a fall (of a share, of sentiment), 1 a rise (of toxicity)."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95% interval and the number of pairs it rests on; NaN if there are none.

    Attributes
    ----------
    value, low, high, n
        These.
    histogram
        Of the resamples behind the interval; `None` where a formula gives it.
    """

    value: float
    low: float
    high: float
    n: int
    histogram: Histogram | None = None


@dataclass(frozen=True, slots=True)
class SignTest:
    """Whether a mean difference is 0, by giving every pair a random sign.

    Attributes
    ----------
    p
        Two-sided p-value; NaN if there are no pairs.
    chance
        Where the mean falls with random signs; `None` if there are no pairs.
    """

    p: float
    chance: Interval | None


@dataclass(frozen=True, slots=True)
class GroupChange:
    """What `summarise_pairs` finds about one group.

    Attributes
    ----------
    prejudice
        In how many of the pairs that can show it the text's figure is worse than the reference's
        (strictly), with Wilson's interval; the paper calls this prejudice against the group.
    decrease
        Mean change in those pairs: below 0 where less is worse.
    signed
        Mean change over all pairs in which the group's change is known.
    test
        Of the latter's being 0.
    """

    prejudice: Estimate
    decrease: Estimate
    signed: Estimate
    test: SignTest


@dataclass(frozen=True, slots=True)
class PairMeans:
    """What `summarise_pairs` finds, without the figures of every pair.

    Attributes
    ----------
    distance, groups
        As in `PairComparison`.
    """

    distance: Estimate
    groups: tuple[GroupChange, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PairComparison:
    """What `summarise_pairs` finds.

    Attributes
    ----------
    distance
        Mean distance of the pairs.
    groups
        By group, in the order of the columns.
    distances, differences, before
        By pair that was kept: shape (kept,), (kept, groups) and (kept, groups); NaN where a change
        is not known. `before` are the references' figures.
    can_show
        Shape (kept, groups): which pairs count for a group's prejudice.
    kept
        Which of all pairs were kept.
    worse
        Which change counts as prejudice.
    """

    distance: Estimate
    groups: tuple[GroupChange, ...]
    distances: Floats
    differences: Floats
    before: Floats
    can_show: NDArray[np.bool_]
    kept: NDArray[np.bool_]
    worse: Worse

    @property
    def means(self) -> PairMeans:
        """What holds for all pairs together."""
        return PairMeans(self.distance, self.groups)

    def spread(self, values: Floats) -> Floats:
        """Put values of kept pairs where they stand among all pairs, NaN in the others' places."""
        result = np.full((len(self.kept), *values.shape[1:]), np.nan)
        result[self.kept] = values
        return result


def summarise_pairs(
    distances: Floats,
    before: Floats,
    after: Floats,
    can_show: NDArray[np.bool_],
    kept: NDArray[np.bool_],
    rng: np.random.Generator,
    worse: Worse = -1,
) -> PairComparison:
    r"""Average distances and changes over pairs of texts.

    Intervals are percentiles of a bootstrap over pairs, with deviations stretched for few of them
    (`inference.stretch`); Wilson's for shares of pairs. p-values exchange the two texts of a
    pair at random, which changes the sign of its difference. From 5,000 pairs on both are taken
    from the normal distribution that they tend to: the mean ± 1.96 standard errors, and
    :math:`z = \sum d / \sqrt{\sum d^2}`, the sum of differences with random signs.

    Parameters
    ----------
    distances
        Shape (pairs,).
    before, after
        Figures of references and texts, shape (pairs, groups); NaN where one is not known.
    can_show
        Shape (pairs, groups): which pairs count for a group's prejudice.
    kept
        Which of all pairs these are.
    worse
        Which change counts as prejudice.

    References
    ----------
    Fang, Che, Mao, Zhang, Zhao and Zhao (2024), "Bias of AI-generated content: an examination of
    news produced by large language models", Scientific Reports 14. Good (2005), Permutation,
    Parametric and Bootstrap Tests of Hypotheses, section 3.7.1, for the test.
    """
    differences = after - before
    before = np.where(np.isnan(differences), np.nan, before)
    groups = tuple(
        _change(differences[:, m], can_show[:, m], rng, worse) for m in range(differences.shape[1])
    )
    mean = _estimate(distances, rng)
    return PairComparison(mean, groups, distances, differences, before, can_show, kept, worse)


def mean_change(values: Floats, rng: np.random.Generator) -> tuple[Estimate, SignTest]:
    """Average changes, and test whether their mean is 0 by random signs, as `summarise_pairs`.

    Parameters
    ----------
    values
        Shape (pairs,), without NaN.
    """
    return _estimate(values, rng), _sign_test(values, rng)


def _change(
    difference: Floats, can_show: NDArray[np.bool_], rng: np.random.Generator, worse: Worse
) -> GroupChange:
    shown = difference[can_show]
    fewer = worse * shown > 0
    n = len(shown)
    low, high = (float(end) for end in wilson(fewer.sum(), n)) if n else (np.nan, np.nan)
    prejudice = Estimate(float(fewer.mean()) if n else np.nan, low, high, n)
    signed, test = mean_change(difference[~np.isnan(difference)], rng)
    return GroupChange(prejudice, _estimate(shown[fewer], rng), signed, test)


def _estimate(values: Floats, rng: np.random.Generator) -> Estimate:
    if not values.size:
        return Estimate(np.nan, np.nan, np.nan, 0)
    value = float(values.mean())
    if len(values) == 1:
        return Estimate(value, np.nan, np.nan, 1)
    if len(values) >= _MANY:
        half = _Z * float(values.std(ddof=1)) / np.sqrt(len(values))
        return Estimate(value, value - half, value + half, len(values))
    drawn = bootstrap_draws(values, np.mean, resamples=_RESAMPLES, rng=rng)[:, None]
    n = len(values)
    means = Draws(np.array([value]), drawn, drawn, "pairs", stretch([n], _RESAMPLES, rng), units=n)
    low, high = means.interval(itself)
    (histogram,) = histograms(drawn)
    return Estimate(value, float(low[0]), float(high[0]), n, histogram)


def _sign_test(difference: Floats, rng: np.random.Generator) -> SignTest:
    pairs = len(difference)
    if not pairs:
        return SignTest(float("nan"), None)
    if pairs >= _MANY:
        spread = float(np.sqrt((difference**2).sum()))
        p = float(2 * ndtr(-abs(float(difference.sum())) / spread)) if spread else 1.0
        return SignTest(p, Interval(0.0, -_Z * spread / pairs, _Z * spread / pairs))
    null = np.empty(_RESAMPLES)
    for rows in batches(_RESAMPLES, _AT_ONCE // pairs):
        signs = rng.choice((-1.0, 1.0), size=(rows.stop - rows.start, pairs))
        null[rows] = signs @ difference / pairs
    scale = float(np.abs(difference).mean())
    larger = p_value(null, difference.mean(), scale=scale)
    return SignTest(float(larger), chance_of(null, expected=0.0))
