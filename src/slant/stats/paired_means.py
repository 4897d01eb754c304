"""Means of groups on two sides over the same units, such as sentences: what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.paired_draws import FEWEST_UNITS, draw_units

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.inference import Draws


def paired_means(
    first: ArrayLike,
    second: ArrayLike,
    unit: str,
    *,
    resamples: int = 10_000,
    rng: np.random.Generator,
) -> Draws:
    """Draw what the means of groups could have been on both sides.

    Units are resampled and exchanged whole, with all groups (`paired_draws.draw_units`).

    Parameters
    ----------
    first, second
        Each group's value for every unit, shape (groups, units): finite.
    unit
        What a unit is called.

    Raises
    ------
    ValueError
        Shapes differ, a value is not finite, or there are fewer than `FEWEST_UNITS` units.
    """
    one, two = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if one.ndim != 2 or one.shape != two.shape or one.shape[1] < FEWEST_UNITS:
        raise ValueError(
            f"values need the same shape (groups, {FEWEST_UNITS} units or more), not {one.shape} "
            f"and {two.shape}"
        )
    values = np.stack([one, two])
    if not np.isfinite(values).all():
        raise ValueError("values must be finite: leave out units that were not measured")
    return draw_units(values, unit, np.zeros(len(one)), resamples, rng)
