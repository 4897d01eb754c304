"""What names do because of how they are written and how common they are, taken out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats

NAMES_EACH = 10
"""Names that every covariate needs: with fewer, it takes out whatever groups differ by."""


def without_covariates(values: Floats, covariates: ArrayLike) -> tuple[Floats, int]:
    """Take out of every column what a straight line of the names' covariates explains.

    The line is fitted to all names together, whatever their groups: what may as well be due to the
    length of a group's names is not held for the group's.

    Parameters
    ----------
    values
        Shape (names, ...), finite.
    covariates
        Shape (names, covariates), finite: the number of tokens, how probable the name is. Those
        that do not vary, and those beyond one for `NAMES_EACH` names, are passed over.

    Returns
    -------
    values : numpy.ndarray
        Same shape; the columns' means stay.
    count : int
        How many covariates were taken out.

    References
    ----------
    Freedman and Lane (1983), "A nonstochastic interpretation of reported significance levels",
    Journal of Business and Economic Statistics 1, for permuting what is left.
    """
    given = np.asarray(covariates, dtype=np.float64)
    apart = given - given.mean(axis=0)
    scale = np.sqrt((apart**2).mean(axis=0))
    varies = scale > 1e-9 * np.maximum(np.abs(given).max(axis=0, initial=0.0), 1.0)
    design = (apart[:, varies] / scale[varies])[:, : len(values) // NAMES_EACH]
    if not design.shape[1]:
        return values, 0
    flat = values.reshape(len(values), -1)
    slopes, _, rank, _ = np.linalg.lstsq(design, flat - flat.mean(axis=0))
    return np.asarray(flat - design @ slopes).reshape(values.shape), int(rank)
