"""Whether several measures put the same groups in the same order."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.inference import p_value

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats

FEWEST_GROUPS = 5
"""Of fewer groups no order is beyond chance: four have 24 orders."""


@dataclass(frozen=True, slots=True)
class AgainstChance:
    """A statistic beside what it is when groups are exchanged within every measure.

    Attributes
    ----------
    value
        The statistic.
    low, high
        95% range of what chance alone gives.
    p
        Two-sided p-value, at least 1/(1 + permutations).
    """

    value: float
    low: float
    high: float
    p: float


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """How far measures agree about groups.

    Attributes
    ----------
    rank
        Mean of Spearman's correlations over pairs of measures, each weighted with its number of
        common groups less one; of complete measures, Kendall's W is (1 + (m - 1) times it) / m.
    sign
        Share of a pair's groups that both put on the same side of zero, over all pairs.
    measures, groups, pairs
        How many measures had a partner, how many groups both of a pair had (the most), and how
        many pairs there were.
    """

    rank: AgainstChance
    sign: AgainstChance
    measures: int
    groups: int
    pairs: int


def rank_agreement(
    values: ArrayLike, *, permutations: int = 1999, rng: np.random.Generator
) -> RankAgreement | None:
    r"""Say whether measures agree about groups, more or less than chance would.

    Under the null the groups of each measure are exchangeable: what it says of one it might as
    well have said of another. Groups are exchanged among those that the measure has, so that what
    is missing stays missing.

    Parameters
    ----------
    values
        Shape (measures, groups); NaN where a measure says nothing of a group. A measure's scale
        does not matter.
    permutations
        How many to draw.
    rng
        Source of randomness.

    Returns
    -------
    RankAgreement or None
        `None` where no two measures have `FEWEST_GROUPS` groups in common of which they do not
        say the same.

    References
    ----------
    Kendall and Babington Smith (1939), "The problem of m rankings", Annals of Mathematical
    Statistics 10. Phipson and Smyth (2010), "Permutation p-values should never be zero",
    Statistical Applications in Genetics and Molecular Biology 9.
    """
    table = np.asarray(values, dtype=float)
    pairs = comparable_pairs(table)
    if not pairs:
        return None
    drawn = [permuted_rows(row, permutations, rng) for row in table]
    ranks, signs, weights = [], [], []
    for one, two in pairs:
        both = ~(np.isnan(table[one]) | np.isnan(table[two]))
        weights.append(both.sum() - 1)
        observed = correlations(table[one][None], table[two][None])
        ranks.append(np.append(observed, correlations(drawn[one], drawn[two])))
        same = _same_side(table[one][None], table[two][None])
        signs.append(np.append(same, _same_side(drawn[one], drawn[two])))
    return RankAgreement(
        against_chance(np.average(ranks, axis=0, weights=weights)),
        against_chance(np.average(signs, axis=0, weights=weights)),
        len({each for pair in pairs for each in pair}),
        int(max(weights)) + 1,
        len(pairs),
    )


def comparable_pairs(table: Floats) -> list[tuple[int, int]]:
    """List the pairs of rows with enough columns in common, in which neither is constant."""
    found = []
    for one, two in combinations(range(len(table)), 2):
        both = ~(np.isnan(table[one]) | np.isnan(table[two]))
        if both.sum() >= FEWEST_GROUPS and all(
            np.ptp(table[each][both]) > 0 for each in (one, two)
        ):
            found.append((one, two))
    return found


def permuted_rows(row: Floats, permutations: int, rng: np.random.Generator) -> Floats:
    """Exchange the known values of a row among their places, once for each permutation."""
    known = ~np.isnan(row)
    drawn = np.tile(row, (permutations, 1))
    drawn[:, known] = rng.permuted(drawn[:, known], axis=1)
    return drawn


def correlations(one: Floats, two: Floats) -> Floats:
    """Give Spearman's correlation of each row of one table with that of the other; 0 if constant.

    Those columns count that both have, which must be the same in every row.
    """
    from scipy.stats import rankdata  # half a second to import

    both = ~(np.isnan(one[0]) | np.isnan(two[0]))
    ranks = [rankdata(each[:, both], axis=1) for each in (one, two)]
    centred = [each - each.mean(axis=1, keepdims=True) for each in ranks]
    across = (centred[0] * centred[1]).sum(axis=1)
    sizes = np.sqrt((centred[0] ** 2).sum(axis=1) * (centred[1] ** 2).sum(axis=1))
    found: Floats = np.divide(across, sizes, out=np.zeros_like(across), where=sizes > 0)
    return found


def against_chance(statistics: Floats) -> AgainstChance:
    """Compare a statistic, the first, with the others, which chance gave.

    It is as extreme as it is far from what chance gives on average: a share of equal signs is not
    around zero.
    """
    value, drawn = statistics[0], statistics[1:]
    low, high = np.quantile(drawn, [0.025, 0.975])
    p = p_value(drawn, value, centre=drawn.mean())
    return AgainstChance(float(value), float(low), float(high), float(p))


def _same_side(one: Floats, two: Floats) -> Floats:
    """Give the share of common columns in which two rows have the same sign; a zero has none."""
    both = ~(np.isnan(one[0]) | np.isnan(two[0]))
    shares: Floats = (one[:, both] * two[:, both] > 0).mean(axis=1)
    return shares
