"""Figures of groups on two sides, with what they could have been: what changed, how surely.

A *side* is a run or a model. Both sides were measured on the same units: questions, prompts,
sentences. If it does not matter which side it was, the two values of a unit might as well have
been exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.permutation import permutation_p

if TYPE_CHECKING:
    from collections.abc import Callable

    from slant.stats.arrays import Floats

FEWEST_UNITS = 10
"""So many units, of which all groups have a share, can stand for units in general: exchanged, they
have 1,024 arrangements, so that a p-value can be small."""


@dataclass(frozen=True, slots=True, eq=False)
class PairedChange:
    """A figure of every group on both sides; arrays have shape (groups,).

    Attributes
    ----------
    first, second
        The figure on either side, in the unit of the values.
    value, low, high
        Second minus first, with its 95% interval.
    p
        Two-sided p-value; not adjusted.
    """

    first: Floats
    second: Floats
    value: Floats
    low: Floats
    high: Floats
    p: Floats


@dataclass(frozen=True, slots=True, eq=False)
class PairedDraws:
    """What `paired_rates` and `paired_means` draw, once, for any figure made of the groups' means.

    Attributes
    ----------
    means
        Shape (2, groups): the sides.
    resampled, exchanged
        Shape (2, draws, groups): with other units, and with units that changed sides.
    stretch
        Shape (draws, 1): by what the deviation of a resample is multiplied.
    least
        Shape (groups,): how near the ends of an interval may come to the estimate.
    unit
        What was resampled and exchanged: `questions`, `prompts` …
    """

    means: Floats
    resampled: Floats
    exchanged: Floats
    stretch: Floats
    least: Floats
    unit: str

    def change(self, figure: Callable[[Floats], Floats]) -> PairedChange:
        r"""Compare a figure of the groups.

        Interval: quantiles of the resampled differences, each at its stretched distance from the
        estimate. :math:`p = (1 + \#\{|t^*| \ge |t|\})/(1 + B)` over B exchanges.

        Parameters
        ----------
        figure
            From means of shape (..., groups) to figures of the same shape: the means themselves,
            or their differences from something.

        References
        ----------
        Good (2005), Permutation, Parametric and Bootstrap Tests of Hypotheses, section 3.7.1;
        Phipson and Smyth (2010) for p.
        """
        first, second = figure(self.means[:1])[0], figure(self.means[1:])[0]
        value = second - first
        drawn = figure(self.resampled[1]) - figure(self.resampled[0])
        drawn = value + (drawn - value) * self.stretch
        known = ~np.isnan(value)
        low, high = np.full((2, len(value)), np.nan)
        low[known], high[known] = np.nanquantile(drawn[:, known], (0.025, 0.975), axis=0)
        null = np.nan_to_num(figure(self.exchanged[1]) - figure(self.exchanged[0]))
        p = np.where(known, permutation_p(null, np.nan_to_num(value)), np.nan)
        low, high = np.minimum(low, value - self.least), np.maximum(high, value + self.least)
        return PairedChange(first, second, value, low, high, p)


def draw_units(
    values: Floats, unit: str, least: Floats, resamples: int, rng: np.random.Generator
) -> PairedDraws:
    r"""Resample and exchange whole units, with the values of all groups.

    Units are few, so that deviations of their resamples are multiplied by
    :math:`\sqrt{C/(C-1)}`, since a resample varies too little, and by
    :math:`\sqrt{(C-1)/\chi^2_{C-1}}`, as in Student's t.

    Parameters
    ----------
    values
        Shape (2, groups, units): each group's value on either side; NaN where there is none.
    unit
        What a unit is called.
    least
        Shape (groups,): see `PairedDraws`.
    resamples
        Number of resamples, and of exchanges.
    rng
        Source of randomness.

    References
    ----------
    Field and Welsh (2007), "Bootstrapping clustered data", Journal of the Royal Statistical
    Society B 69.
    """
    units = values.shape[-1]
    filled = (~np.isnan(values)).astype(np.float64)
    known = np.nan_to_num(values)
    times = rng.multinomial(units, np.full(units, 1 / units), size=resamples)
    stay = rng.integers(0, 2, size=(resamples, units)).astype(np.float64)

    def exchanged(of: Floats, side: int) -> Floats:
        return np.asarray(stay @ of[side].T + (1 - stay) @ of[1 - side].T)

    freedom = units - 1
    student = np.sqrt(freedom / rng.chisquare(freedom, size=(resamples, 1)))
    return PairedDraws(
        means=_mean(known.sum(axis=-1), filled.sum(axis=-1)),
        resampled=np.stack([_mean(times @ known[s].T, times @ filled[s].T) for s in (0, 1)]),
        exchanged=np.stack([_mean(exchanged(known, s), exchanged(filled, s)) for s in (0, 1)]),
        stretch=student * np.sqrt(units / freedom),
        least=least,
        unit=unit,
    )


def _mean(total: Floats, count: Floats) -> Floats:
    unknown = np.full(total.shape, np.nan)
    return np.asarray(np.divide(total, count, out=unknown, where=count > 0))
