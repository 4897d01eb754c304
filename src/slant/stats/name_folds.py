"""Folds for cross-validation that never part a name's profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


def name_folds(groups: ArrayLike, folds: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Deal names out to folds, the names of each group as evenly as can be.

    Parameters
    ----------
    groups
        Code of each name's group: shape (names,).
    folds
        How many folds; no fold is empty if there are as many names.
    rng
        Source of randomness: which names of a group share a fold.

    Returns
    -------
    numpy.ndarray
        Fold of each name, from 0: shape (names,).

    Raises
    ------
    ValueError
        Fewer than two folds, or fewer names than folds.
    """
    code = np.asarray(groups)
    if not 2 <= folds <= len(code):
        raise ValueError(f"{len(code)} names cannot be dealt out to {folds} folds")
    fold = np.empty(len(code), dtype=np.int64)
    dealt = 0
    for group in np.unique(code):
        members = rng.permutation(np.flatnonzero(code == group))
        # Going on where the last group ended keeps the folds of one size.
        fold[members] = (dealt + np.arange(len(members))) % folds
        dealt += len(members)
    return fold
