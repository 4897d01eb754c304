"""Observations that seed one another: drawing lineages again, and exchanging subjects.

A lineage is a process that was run on its own, a graph that was grown from its own beginnings. Its
observations are not independent, so whole lineages are resampled. Where lineages hold observations
of several subjects (*crossed*), a resample draws the same ones for all subjects, and within a
lineage the subjects exchange all that they have there (*cells*); where each lineage belongs to one
subject, lineages are drawn subject by subject, and exchanged among subjects as wholes. Single
observations are never exchanged: a chain that began badly would pass for many independent ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.inference import batches, stretch

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

FEWEST_CHAINS = 5
"""With fewer lineages of a subject nothing is tested: they could not tell enough."""

_AT_ONCE = 2**22


class Chains:
    """Which observation is about which subject, and in which lineage it came to be.

    Parameters
    ----------
    subjects
        Shape (n,): index of each observation's subject, from 0.
    lineages
        Shape (n,): anything that tells lineages apart.
    count
        Number of subjects; each must have observations.

    Raises
    ------
    ValueError
        The shapes differ, or a subject has no observation.
    """

    def __init__(self, subjects: ArrayLike, lineages: ArrayLike, count: int):
        self.subject = np.asarray(subjects, dtype=np.intp)
        _, self.lineage = np.unique(np.asarray(lineages), return_inverse=True)
        if self.subject.ndim != 1 or self.subject.shape != self.lineage.shape:
            raise ValueError("subjects and lineages need the same shape (n,)")
        self.count = count
        self.n = np.bincount(self.subject, minlength=count)
        if (self.n == 0).any() or len(self.n) > count:
            raise ValueError("every subject needs an observation")
        total = int(self.lineage.max()) + 1
        cells, self._cell = np.unique(self.subject * total + self.lineage, return_inverse=True)
        self._cell_subject, self._cell_lineage = np.divmod(cells, total)
        self.total = total
        self.crossed = len(cells) > total
        self.of_subject: NDArray[np.intp] = np.bincount(self._cell_subject, minlength=count)
        """How many lineages each subject has."""

    @property
    def exchanged(self) -> str:
        """What permutations exchange, for signatures."""
        return "cells" if self.crossed else "lineages"

    @property
    def few(self) -> NDArray[np.bool_]:
        """Which subjects have too few lineages to be tested: shape (subjects,)."""
        return np.asarray(self.of_subject < FEWEST_CHAINS)

    def sums(self, values: Floats) -> Floats:
        """Add values up by subject: shape (n, m) → (subjects, m)."""
        return _added(self.subject, values, self.count)

    def resampled(self, values: Floats, resamples: int, rng: np.random.Generator) -> Floats:
        """Add values up by subject after drawing lineages with replacement.

        Parameters
        ----------
        values
            Shape (n, m).

        Returns
        -------
        numpy.ndarray
            Shape (resamples, subjects, m).
        """
        cells = _added(self._cell, values, len(self._cell_subject))
        result = np.empty((resamples, self.count, values.shape[1]))
        for rows in batches(resamples, _AT_ONCE // max(self.total, 1)):
            size = rows.stop - rows.start
            shared = _weights(self.total, size, rng) if self.crossed else None
            for subject in range(self.count):
                own = np.flatnonzero(self._cell_subject == subject)
                if shared is None:
                    times = _weights(len(own), size, rng)
                else:
                    times = shared[:, self._cell_lineage[own]]
                result[rows, subject] = times @ cells[own]
        return result

    def stretch(self, resamples: int, rng: np.random.Generator) -> Floats:
        """Draw by what deviations of resamples are to be multiplied: `inference.stretch`."""
        return stretch(self.of_subject, resamples, rng)

    def permuted(self, values: Floats, resamples: int, rng: np.random.Generator) -> Floats:
        """Add values up by subject after exchanging what `exchanged` says.

        Parameters
        ----------
        values
            Shape (n, m).

        Returns
        -------
        numpy.ndarray
            Shape (resamples, subjects, m).
        """
        units = _added(self._cell, values, len(self._cell_subject))
        subject = self._cell_subject
        stratum = self._cell_lineage if self.crossed else np.zeros(len(subject), dtype=np.intp)
        result = np.zeros((resamples, self.count, values.shape[1]))
        for each in range(int(stratum.max()) + 1):
            own = np.flatnonzero(stratum == each)
            own = own[np.argsort(subject[own], kind="stable")]
            there, first = np.unique(subject[own], return_index=True)
            for rows in batches(resamples, _AT_ONCE // (len(own) * values.shape[1])):
                order = np.tile(np.arange(len(own)), (rows.stop - rows.start, 1))
                drawn = units[own[rng.permuted(order, axis=1)]]
                result[rows][:, there] += np.add.reduceat(drawn, first, axis=1)
        return result


def _added(index: NDArray[np.intp], values: Floats, count: int) -> Floats:
    columns = [np.bincount(index, weights=column, minlength=count) for column in values.T]
    return np.stack(columns, axis=1)


def _weights(count: int, size: int, rng: np.random.Generator) -> Floats:
    drawn = rng.integers(count, size=(size, count)) + np.arange(size)[:, None] * count
    counted = np.bincount(drawn.ravel(), minlength=size * count).reshape(size, count)
    return counted.astype(np.float64)
