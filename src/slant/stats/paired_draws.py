"""Figures of groups on two sides, with what they could have been: what changed, how surely.

A *side* is a run or a model. Both sides were measured on the same units: questions, prompts,
sentences. If it does not matter which side it was, the two values of a unit might as well have
been exchanged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.inference import Draws, stretch, times

if TYPE_CHECKING:
    from slant.stats.arrays import Floats
    from slant.stats.inference import Figure

FEWEST_UNITS = 10
"""So many units, of which all groups have a share, can stand for units in general: exchanged, they
have 1,024 arrangements, so that a p-value can be small."""


def between_sides(figure: Figure) -> Figure:
    """Say how a figure of the groups changes: on the second side minus on the first.

    Parameters
    ----------
    figure
        From means of shape (..., groups) to figures of the same shape: the means themselves, or
        their differences from something.

    References
    ----------
    Good (2005), Permutation, Parametric and Bootstrap Tests of Hypotheses, section 3.7.1.
    """

    def change(means: Floats) -> Floats:
        return figure(means[..., 1, :]) - figure(means[..., 0, :])

    return change


def draw_units(
    values: Floats, unit: str, least: Floats, resamples: int, rng: np.random.Generator
) -> Draws:
    """Resample and exchange whole units, with the values of all groups.

    Units are few, so that deviations of their resamples are stretched (`inference.stretch`).

    Parameters
    ----------
    values
        Shape (2, groups, units): each group's value on either side; NaN where there is none.
    unit
        What a unit is called.
    least
        Shape (groups,): see `Draws`.

    References
    ----------
    Field and Welsh (2007), "Bootstrapping clustered data", Journal of the Royal Statistical
    Society B 69.
    """
    units = values.shape[-1]
    filled = (~np.isnan(values)).astype(np.float64)
    known = np.nan_to_num(values)
    drawn = times(units, resamples, rng)
    stay = rng.integers(0, 2, size=(resamples, units)).astype(np.float64)

    def exchanged(of: Floats, side: int) -> Floats:
        return np.asarray(stay @ of[side].T + (1 - stay) @ of[1 - side].T)

    resampled = [_mean(drawn @ known[s].T, drawn @ filled[s].T) for s in (0, 1)]
    swapped = [_mean(exchanged(known, s), exchanged(filled, s)) for s in (0, 1)]
    return Draws(
        observed=_mean(known.sum(axis=-1), filled.sum(axis=-1)),
        resampled=np.stack(resampled, axis=1),
        exchanged=np.stack(swapped, axis=1),
        unit=unit,
        stretch=stretch([units], resamples, rng),
        least=least,
    )


def _mean(total: Floats, count: Floats) -> Floats:
    unknown = np.full(total.shape, np.nan)
    return np.asarray(np.divide(total, count, out=unknown, where=count > 0))
