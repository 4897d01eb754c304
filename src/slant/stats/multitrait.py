"""Whether measures of one theme agree more than measures of different themes do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.rank_agreement import against_chance, comparable_pairs, correlations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats
    from slant.stats.rank_agreement import AgainstChance


@dataclass(frozen=True, slots=True, eq=False)
class Multitrait:
    """A multitrait-multimethod matrix over groups.

    Attributes
    ----------
    matrix
        Spearman's correlation of every two columns, shape (columns, columns); NaN where they have
        too few groups in common, or one says the same of all.
    convergent
        Mean over pairs of the same theme by different measures.
    discriminant
        Mean over pairs of different themes by different measures.
    within
        Mean over pairs of different themes by the same measure; `None` if there are none.
    apart
        `convergent` less `discriminant`.
    pairs
        How many pairs each of the first two is a mean of.
    """

    matrix: Floats
    convergent: AgainstChance
    discriminant: AgainstChance
    within: float | None
    apart: AgainstChance
    pairs: tuple[int, int]


def multitrait(
    values: ArrayLike,
    themes: Sequence[str],
    measures: Sequence[str],
    *,
    permutations: int = 1999,
    rng: np.random.Generator,
) -> Multitrait | None:
    """Correlate every theme by every measure with every other, over groups.

    Measures are valid for a theme where the same theme by another measure goes with them
    (convergent), and more so than other themes do (discriminant). Chance is what is left when the
    groups of each measure are exchanged, for all of its themes alike: how far a measure's own
    themes go together is kept, and says nothing.

    Parameters
    ----------
    values
        Shape (columns, groups): what one measure says of one theme. Of one measure's columns
        those groups count that all of them have.
    themes, measures
        Of each column.
    permutations
        How many to draw.
    rng
        Source of randomness.

    Returns
    -------
    Multitrait or None
        `None` where there is no comparable pair of the same theme, or none of different themes.

    References
    ----------
    Campbell and Fiske (1959), "Convergent and discriminant validation by the
    multitrait-multimethod matrix", Psychological Bulletin 56.
    """
    table = _alike_within(np.asarray(values, dtype=float), measures)
    kinds: dict[str, list[tuple[int, int]]] = {"convergent": [], "discriminant": [], "within": []}
    matrix = np.full((len(table), len(table)), np.nan)
    for one, two in comparable_pairs(table):
        matrix[one, two] = matrix[two, one] = correlations(table[[one]], table[[two]])[0]
        same_theme, same_measure = themes[one] == themes[two], measures[one] == measures[two]
        if same_measure:
            kinds["within"] += [] if same_theme else [(one, two)]
        else:
            kinds["convergent" if same_theme else "discriminant"].append((one, two))
    if not kinds["convergent"] or not kinds["discriminant"]:
        return None
    drawn = _drawn(table, measures, permutations, rng)
    means = {
        kind: np.mean([correlations(drawn[one], drawn[two]) for one, two in pairs], axis=0)
        for kind, pairs in kinds.items()
        if pairs
    }
    return Multitrait(
        matrix,
        against_chance(means["convergent"]),
        against_chance(means["discriminant"]),
        float(means["within"][0]) if "within" in means else None,
        against_chance(means["convergent"] - means["discriminant"]),
        (len(kinds["convergent"]), len(kinds["discriminant"])),
    )


def _alike_within(table: Floats, measures: Sequence[str]) -> Floats:
    """Leave out of a measure's columns the groups that one of them lacks."""
    own = np.asarray(measures)
    missing = np.stack([np.isnan(table[own == name]).any(axis=0) for name in own])
    return np.where(missing, np.nan, table)


def _drawn(
    table: Floats, measures: Sequence[str], permutations: int, rng: np.random.Generator
) -> Floats:
    """Exchange groups within every measure; shape (columns, 1 + permutations, groups)."""
    drawn = np.repeat(table[:, None, :], permutations + 1, axis=1)
    for name in dict.fromkeys(measures):
        rows = np.flatnonzero(np.asarray(measures) == name)
        known = np.flatnonzero(~np.isnan(table[rows[0]]))
        orders = rng.permuted(np.tile(known, (permutations, 1)), axis=1)
        for row in rows:
            drawn[row, 1:][:, known] = table[row][orders]
    return drawn
