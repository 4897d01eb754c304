"""How far groups of made-up names differ, and where groups of real ones stand among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri, stdtr

from slant.stats.placebo import placebo_spread

if TYPE_CHECKING:
    from slant.stats.arrays import Floats
    from slant.stats.grid_contrasts import GridContrasts
    from slant.stats.inference import Estimate
    from slant.stats.placebo import PlaceboSpread

_LEAST = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class NamePlacebo:
    """What groups of made-up names differ by.

    Attributes
    ----------
    spread
        Of their contrasts, over all columns, in standard deviations of names within groups; each
        group counts as one difference, for its columns are those of the same names.
    excess
        Shape (groups,): by how much the mean square of a group's contrasts exceeds what chance
        gives, in squared standard deviations of names; below 0 where it is less.
    columns
        On how many columns each rests.
    """

    spread: PlaceboSpread
    excess: Floats
    columns: int

    def cell_share(self, contrasts: GridContrasts) -> Floats:
        """Say how probable it is that another group of made-up names differs less in a cell.

        Parameters
        ----------
        contrasts
            Of the real groups.

        Returns
        -------
        numpy.ndarray
            Shape (groups, columns), 0 to 1: Student's t with one degree of freedom for all but
            one group of made-up names, however small their spread came out. Few groups cannot
            show that spelling does nothing.
        """
        error = np.hypot(self.spread.value, contrasts.chance_error)[:, None]
        t = np.abs(in_deviations(contrasts)) / error
        return np.asarray(1 - 2 * stdtr(len(self.excess) - 1, -t))

    def strength_share(self, strength: Estimate, chance_error: Floats) -> Floats:
        """Say how probable it is that another group of made-up names is set apart less.

        The logarithms of strengths over those of chance are taken for normal, with a mean and a
        variance that the few groups of made-up names estimate: Student's t of a new one among
        them. Groups of more names show the same excess more clearly, so it is restated for the
        real group's standard error first.

        Parameters
        ----------
        strength
            Of the real groups (`group_strength`).
        chance_error
            Shape (groups,): as `grid_contrasts` gives it for them.

        Returns
        -------
        numpy.ndarray
            Shape (groups,), 0 to 1.
        """
        count = len(self.excess)
        alike = np.maximum(1 + self.excess / chance_error[:, None] ** 2, _LEAST)
        expected = np.log(alike) / 2
        own = np.log(np.maximum(strength.value / strength.chance.expected, np.sqrt(_LEAST)))
        error = expected.std(axis=1, ddof=1) * np.sqrt(1 + 1 / count)
        beyond = own - expected.mean(axis=1)
        t = np.divide(beyond, error, out=np.copysign(np.inf, beyond), where=error > 0)
        return np.asarray(stdtr(count - 1, t))


def in_deviations(contrasts: GridContrasts) -> Floats:
    """Give contrasts in standard deviations of names within groups: shape (groups, columns)."""
    still = np.zeros_like(contrasts.value)
    reach = np.divide(
        contrasts.value, contrasts.chance_high, out=still, where=contrasts.chance_high > 0
    )
    return np.asarray(reach * ndtri(0.975) * contrasts.chance_error[:, None])


def name_placebo(contrasts: GridContrasts, strength: Estimate) -> NamePlacebo:
    """Measure what groups of made-up names differ by.

    Parameters
    ----------
    contrasts
        `grid_contrasts` of them, two groups at least.
    strength
        `group_strength` of the same.
    """
    usual, sizes = contrasts.chance_error, in_deviations(contrasts)
    squares = (strength.value / strength.chance.expected) ** 2
    return NamePlacebo(
        placebo_spread(np.sqrt((sizes**2).mean(axis=1)), usual),
        (squares - 1) * usual**2,
        contrasts.value.shape[1],
    )
