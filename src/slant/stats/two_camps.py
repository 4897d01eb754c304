"""Whether groups stand apart one by one, or fall into two camps with nobody between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_FEWEST = 4


def two_camps(differences: ArrayLike, sure: ArrayLike) -> NDArray[np.bool_] | None:
    """Tell which groups are in the upper camp, where even those in the middle differ.

    Most groups are the yardstick for each: it is compared with the median of the others. The one
    in the middle (of an even number, the two) is among most of them if there are any. If it
    differs, there is no such majority: with three groups alike and three others alike all six
    differ from the median of their others, and that is one difference and not six.

    Parameters
    ----------
    differences
        Shape (groups,): each group's difference from the median of the others.
    sure
        Shape (groups,): whether it is more than chance.

    Returns
    -------
    numpy.ndarray or None
        Shape (groups,), the camps being two groups at least; `None` where there are none.
    """
    value, known = np.asarray(differences, dtype=np.float64), np.asarray(sure, dtype=bool)
    groups = len(value)
    if groups < _FEWEST:
        return None
    middle = np.sort(value)[(groups - 1) // 2 : groups // 2 + 1]
    upper = value > 0
    if not known[np.isin(value, middle)].any() or not 2 <= upper.sum() <= groups - 2:
        return None
    return np.asarray(upper)
