"""The typical other group, which each group is compared with when there is no reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from slant.stats.arrays import Floats


def median_of_others(values: Floats) -> Floats:
    """Median over the other groups, for every group.

    The median and not the mean: a single group that differs would shift the mean of everybody
    else's "others", and so make all groups look different.

    Parameters
    ----------
    values
        Shape (..., groups), at least two groups, no NaN.

    Returns
    -------
    numpy.ndarray
        Same shape, same unit.

    Raises
    ------
    ValueError
        Fewer than two groups.
    """
    groups = values.shape[-1]
    if groups < 2:
        raise ValueError("the median of the others needs at least two groups")
    order = np.argsort(values, axis=-1)
    ascending = np.take_along_axis(values, order, axis=-1)
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.broadcast_to(np.arange(groups), order.shape), axis=-1)

    def at(position: int) -> Floats:
        """Give the value at a position among the others, in ascending order."""
        return np.where(position < rank, ascending[..., [position]], ascending[..., [position + 1]])

    return (at((groups - 2) // 2) + at((groups - 1) // 2)) / 2
