"""Signal detection: how well yes and no are told apart, and which of them comes too easily."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """What `signal_detection` finds; arrays have the shape of the counts, in standard deviations.

    Attributes
    ----------
    sensitivity
        d': 0 when yes is as frequent where it is wrong as where it is right.
    criterion
        c: negative when yes comes too easily, positive when no does.
    """

    sensitivity: Floats
    criterion: Floats


def signal_detection(
    hits: ArrayLike, signals: ArrayLike, false_alarms: ArrayLike, noises: ArrayLike
) -> Detection:
    r"""Separate sensitivity from the readiness to say yes.

    .. math:: d' = z(H) - z(F), \qquad c = -\tfrac12 (z(H) + z(F))

    with hit rate *H* and false alarm rate *F* corrected log-linearly, :math:`(k + 0.5)/(n + 1)`,
    so that rates of 0 and 1 have a z.

    Parameters
    ----------
    hits
        How often yes was said where it is right; sums of probabilities of yes are taken too.
    signals
        How often yes was right, at least 1.
    false_alarms
        How often yes was said where it is wrong.
    noises
        How often yes was wrong, at least 1.

    Raises
    ------
    ValueError
        A count is negative, not finite, or larger than what it is a part of.

    References
    ----------
    Macmillan and Creelman (2005), Detection Theory: A User's Guide, chapters 1 and 2. Hautus
    (1995), "Corrections for extreme proportions and their biasing effects on estimated values of
    d'", Behavior Research Methods, Instruments, & Computers 27.
    """
    high, low = _z(hits, signals), _z(false_alarms, noises)
    return Detection(high - low, -(high + low) / 2)


def _z(part: ArrayLike, whole: ArrayLike) -> Floats:
    k, n = np.asarray(part, dtype=np.float64), np.asarray(whole, dtype=np.float64)
    if not (np.isfinite(k).all() and np.isfinite(n).all()) or (n < 1).any():
        raise ValueError("counts must be finite, and at least 1 of each kind")
    if (k < 0).any() or (k > n).any():
        raise ValueError("a count lies outside of [0, n]")
    z: Floats = ndtri((k + 0.5) / (n + 1))
    return z
