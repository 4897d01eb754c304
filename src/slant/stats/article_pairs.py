"""Figures of texts beside those of their references: how far apart, which way, how often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.bootstrap import bootstrap_interval
from slant.stats.proportions import wilson

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from slant.stats.arrays import Floats

_RESAMPLES = 10_000
_AT_ONCE = 2**22


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95% interval and the number of pairs it rests on; NaN if there are none."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class GroupChange:
    """What `summarise_pairs` finds about one group.

    Attributes
    ----------
    prejudice
        In how many of the pairs that can show it the text's figure is below the reference's
        (strictly), with Wilson's interval; the paper calls this prejudice against the group.
    decrease
        Mean change in those pairs; below 0.
    signed
        Mean change over all pairs in which the group's change is known.
    p
        p-value of the latter, two-sided, from random signs.
    """

    prejudice: Estimate
    decrease: Estimate
    signed: Estimate
    p: float


@dataclass(frozen=True, slots=True, eq=False)
class PairComparison:
    """What `summarise_pairs` finds.

    Attributes
    ----------
    distance
        Mean distance of the pairs.
    groups
        By group, in the order of the columns.
    distances, differences
        By pair that was kept: shape (kept,) and (kept, groups); NaN where a change is not known.
    can_show
        Shape (kept, groups): which pairs count for a group's prejudice.
    kept
        Which of all pairs were kept.
    """

    distance: Estimate
    groups: tuple[GroupChange, ...]
    distances: Floats
    differences: Floats
    can_show: NDArray[np.bool_]
    kept: NDArray[np.bool_]


def summarise_pairs(
    distances: Floats,
    differences: Floats,
    can_show: NDArray[np.bool_],
    kept: NDArray[np.bool_],
    rng: np.random.Generator,
) -> PairComparison:
    r"""Average distances and changes over pairs of texts.

    Intervals are percentiles of a bootstrap over pairs (Wilson's for shares of pairs). p-values
    exchange the two texts of a pair at random, which changes the sign of its difference:
    :math:`p = (1 + \#\{|t^*| \ge |t|\})/(1 + B)`.

    Parameters
    ----------
    distances
        Shape (pairs,).
    differences
        Text minus reference, shape (pairs, groups); NaN where it is not known.
    can_show
        Shape (pairs, groups): which pairs count for a group's prejudice.
    kept
        Which of all pairs these are.
    rng
        Source of randomness.

    References
    ----------
    Fang, Che, Mao, Zhang, Zhao and Zhao (2024), "Bias of AI-generated content: an examination of
    news produced by large language models", Scientific Reports 14. Good (2005), Permutation,
    Parametric and Bootstrap Tests of Hypotheses, section 3.7.1, for the test.
    """
    groups = tuple(
        _change(differences[:, m], can_show[:, m], rng) for m in range(differences.shape[1])
    )
    return PairComparison(_estimate(distances, rng), groups, distances, differences, can_show, kept)


def mean_change(values: Floats, rng: np.random.Generator) -> tuple[Estimate, float]:
    """Average changes, and test whether their mean is 0 by random signs, as `summarise_pairs`.

    Parameters
    ----------
    values
        Shape (pairs,), without NaN.
    rng
        Source of randomness.
    """
    return _estimate(values, rng), _sign_p(values, rng)


def _change(
    difference: Floats, can_show: NDArray[np.bool_], rng: np.random.Generator
) -> GroupChange:
    shown = difference[can_show]
    fewer = shown < 0
    n = len(shown)
    low, high = (float(end) for end in wilson(fewer.sum(), n)) if n else (np.nan, np.nan)
    prejudice = Estimate(float(fewer.mean()) if n else np.nan, low, high, n)
    signed, p = mean_change(difference[~np.isnan(difference)], rng)
    return GroupChange(prejudice, _estimate(shown[fewer], rng), signed, p)


def _estimate(values: Floats, rng: np.random.Generator) -> Estimate:
    if not values.size:
        return Estimate(np.nan, np.nan, np.nan, 0)
    value = float(values.mean())
    if len(values) == 1:
        return Estimate(value, np.nan, np.nan, 1)
    low, high = bootstrap_interval(values, np.mean, resamples=_RESAMPLES, rng=rng)
    return Estimate(value, min(low, value), max(high, value), len(values))


def _sign_p(difference: Floats, rng: np.random.Generator) -> float:
    """Test whether a mean difference is 0, by giving every pair a random sign."""
    pairs = len(difference)
    if not pairs:
        return float("nan")
    observed = abs(float(difference.mean())) * (1 - 1e-12)
    larger, step = 0, max(1, _AT_ONCE // pairs)
    for start in range(0, _RESAMPLES, step):
        signs = rng.choice((-1.0, 1.0), size=(min(step, _RESAMPLES - start), pairs))
        larger += int((np.abs(signs @ difference / pairs) >= observed).sum())
    return (1 + larger) / (1 + _RESAMPLES)
