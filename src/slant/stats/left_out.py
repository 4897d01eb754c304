r"""What a difference hangs on: one wording or prompt left out, and what its error comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.crossed_wordings import whole_cells
from slant.stats.filled_cells import filled_cells
from slant.stats.median_of_others import median_of_others
from slant.stats.variance_shares import variance_shares

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats


def left_out(values: ArrayLike, reference: int | None = None) -> tuple[Floats, Floats, Floats]:
    """Give the groups' differences from the median of the others, with one row or column less.

    Parameters
    ----------
    values
        Shape (groups, kinds, prompts). NaN where there is no value: see `filled_cells`.
    reference
        Give the differences from this group, and not from the others.

    Returns
    -------
    every
        With all cells, shape (groups,).
    without_kind, without_prompt
        Shape (kinds, groups) and (prompts, groups); NaN where no cell would be left.
    """
    data = filled_cells(values)
    known: NDArray[np.bool_] = np.asarray(np.isfinite(data).all(axis=0))

    def rest(kept: NDArray[np.bool_]) -> Floats:
        if not kept.any():
            return np.full(len(data), np.nan)
        means = data[:, kept].mean(axis=1)
        others = median_of_others(means) if reference is None else means[reference]
        return np.asarray(means - others)

    def without(axis: int) -> Floats:
        places = range(known.shape[axis])
        masks = (np.expand_dims(np.arange(known.shape[axis]) != at, 1 - axis) for at in places)
        return np.array([rest(known & mask) for mask in masks])

    return rest(known), without(0), without(1)


def error_shares(values: ArrayLike, counted: float = 0.0) -> dict[str, float]:
    r"""Say what a group's error comes from, when it is compared with the others.

    The variance of a group's difference in the mean over K kinds and P prompts is
    :math:`\sigma^2_{wording}/K + \sigma^2_{group × prompt}/P + \sigma^2_{rest}/KP`; what all groups
    have in common in a cell is no part of it. Of the rest, counting answers alone explains some.

    Parameters
    ----------
    values
        As `left_out` takes them.
    counted
        The variance of a group's mean that counting answers alone gives; 0 where that is not known.

    Returns
    -------
    dict
        Shares of 1 of `wordings`, `prompts`, `samples` and `combinations` (of a wording and a
        prompt; with `counted` 0, samples are among them); empty where nothing can be said.
    """
    try:
        known = whole_cells(values)[1]
    except ValueError:
        return {}
    parts = variance_shares(values)
    rest = parts["rest"] / known.sum()
    samples = min(counted, rest)
    errors = {
        "wordings": parts["wording"] / known.shape[0],
        "prompts": parts["group in one prompt"] / known.shape[1],
        "samples": samples,
        "combinations": rest - samples,
    }
    total = sum(errors.values())
    if not total > 0:  # nothing varies, or too few cells
        return {}
    return {name: error / total for name, error in errors.items()}
