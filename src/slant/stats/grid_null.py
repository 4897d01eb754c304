"""Studentised contrasts of a grid: of the data, and of the data with names permuted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.stats.grid_design import contrast, label_means
from slant.stats.inference import batches
from slant.stats.moderation import prior_variance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from slant.stats.arrays import Floats
    from slant.stats.grid_design import GridDesign

_AT_ONCE = 2**19


@dataclass(frozen=True, slots=True, eq=False)
class Studentised:
    """Contrasts of a grid, and the same in units of what names differ by.

    Attributes
    ----------
    value
        Shape (labels, columns): label mean minus the median of the others, in the unit of the
        values.
    t
        Shape (labels, columns): value / (moderated standard deviation × scale of the label); 0
        where nothing in the whole grid varies.
    deviation
        Shape (columns,): standard deviation within labels and strata, not moderated.
    error
        Shape (labels, columns): what a value is divided by to give `t`.
    """

    value: Floats
    t: Floats
    deviation: Floats
    error: Floats


class Null:
    """The t statistics of a grid, for its own labels or for permuted ones.

    Every set of labels is judged by the standard deviation that it leaves *within* its own labels:
    a column in which groups truly differ has large contrasts under permuted labels too, but also
    a large standard deviation, so its t is no larger than that of other columns. The prior that
    moderates the standard deviations comes from the variance within strata, whatever the labels,
    so that the data's own labels are judged exactly as the permuted ones are.

    Parameters
    ----------
    design
        The grid.
    """

    def __init__(self, design: GridDesign):
        self._design = design
        names = sum(len(stratum.labels) for stratum in design.strata)
        total = np.sum([(stratum.values**2).sum(axis=0) for stratum in design.strata], axis=0)
        freedom = names - len(design.strata)
        self._prior, self._worth = prior_variance(total / freedom, freedom)

    def observed(self) -> Studentised:
        """Compute the statistics of the data as they are."""
        design = self._design
        labels = [stratum.labels[None] for stratum in design.strata]
        means, within = label_means(design, labels, [each.values for each in design.strata])
        value, spread = contrast(means)[0], self._moderated(within)[0]
        error = design.scale[:, None] * spread
        t = np.divide(value, error, out=np.zeros(value.shape), where=error > 0)
        return Studentised(value, t, np.sqrt(within[0] / design.freedom), error)

    def permuted(self, resamples: int, rng: np.random.Generator) -> Iterator[NDArray[np.float32]]:
        """Yield t statistics with labels permuted among the names of each stratum.

        Parameters
        ----------
        resamples
            How many permutations.

        Yields
        ------
        numpy.ndarray
            Shape (some of the permutations, labels, columns), in single precision.
        """
        design = self._design
        values = [stratum.values.astype(np.float32) for stratum in design.strata]
        scale = design.scale.astype(np.float32)[:, None]
        for rows in batches(resamples, _AT_ONCE // (len(scale) * design.columns)):
            ways = rows.stop - rows.start
            labels = [
                rng.permuted(np.broadcast_to(each.labels, (ways, len(each.labels))), axis=1)
                for each in design.strata
            ]
            means, within = label_means(design, labels, values)
            t = contrast(means)
            error = self._moderated(within)[:, None]
            yield np.divide(t, error * scale, out=t, where=error > 0)

    def _moderated(self, within: NDArray[Any]) -> NDArray[Any]:
        """Turn sums of squares within labels into moderated standard deviations."""
        if np.isinf(self._worth):
            return np.full_like(within, np.sqrt(self._prior))
        freedom = self._worth + self._design.freedom
        return np.asarray(np.sqrt((self._worth * self._prior + within) / freedom))
