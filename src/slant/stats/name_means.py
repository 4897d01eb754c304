"""Means over groups of a figure that every name has, where names were predicted from each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtr, stdtrit

from slant.stats.inference import unseen_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.stats.arrays import Floats


@dataclass(frozen=True, slots=True)
class NameMean:
    """A mean with its 95% interval and the two-sided p-value of its being 0."""

    value: float
    low: float
    high: float
    p: float


def name_mean(groups: Sequence[Floats], spread: float) -> NameMean:
    r"""Average over groups what their names show, with Student's interval and test over names.

    Names that were predicted by cross-validation are not independent: each was trained on with
    the others. So the standard error is never below `spread`, what the figure varies by when the
    groups of whole names are permuted and everything is computed again. Nor is it 0 where all
    names show the same: one more might not have (`inference.unseen_error`).

    Parameters
    ----------
    groups
        For each group, the figures of its names: at least two.
    spread
        Standard deviation of the mean over permutations of the names.
    """
    names, kinds = sum(map(len, groups)), len(groups)
    value = float(np.mean([each.mean() for each in groups]))
    if value == 0 and spread == 0 and not any(each.any() for each in groups):
        return NameMean(0.0, 0.0, 0.0, 1.0)  # what never changes anything, such as an empty field
    error = float(np.sqrt(sum(each.var(ddof=1) / len(each) for each in groups))) / kinds
    if error == 0:
        error = float(unseen_error(value, names))
    error = max(error, spread)
    freedom = names - kinds
    width = float(stdtrit(freedom, 0.975)) * error
    p = float(2 * stdtr(freedom, -abs(value) / error))
    return NameMean(value, value - width, value + width, p)
