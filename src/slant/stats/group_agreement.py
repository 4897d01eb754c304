"""Whether a yes/no scorer agrees with people worse on some groups than on others.

Counts have shape (groups, 2, 2): how many judged answers of each group the scorer scored 0 or 1
(second axis) and people ruled 0 or 1 (third axis). Judged are samples drawn within each group and
score; sizes, of shape (groups, 2), tell of how many they were drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from slant.stats.chance import Chance
from slant.stats.cohen_kappa import PRIOR, kappa_of_shares, why_not
from slant.stats.inference import interval, p_value
from slant.stats.median_of_others import median_of_others

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

Flags: TypeAlias = "NDArray[np.bool_]"
AgreementMetric: TypeAlias = Literal["kappa", "error_rate", "false_alarms", "misses"]
AGREEMENT_METRICS: tuple[AgreementMetric, ...] = get_args(AgreementMetric)


@dataclass(frozen=True, slots=True, eq=False)
class GroupAgreement:
    """One way of saying how far a scorer and people agree.

    Attributes
    ----------
    value, low, high
        Of each group, and in the last place of all groups together: shape (groups + 1,). NaN
        where it cannot be known.
    difference, difference_low, difference_high
        From the median of the other groups of which it is known: shape (groups,), NaN where
        there is none.
    p
        Whether the difference is more than chance, two-sided.
    chance
        The difference if it did not matter to how people rule on a score whom the answer is
        about.
    """

    value: Floats
    low: Floats
    high: Floats
    difference: Floats
    difference_low: Floats
    difference_high: Floats
    p: Floats
    chance: Chance


def group_agreement(
    judged: ArrayLike,
    sizes: ArrayLike,
    *,
    resamples: int = 10_000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> Mapping[AgreementMetric, GroupAgreement]:
    r"""Compare a scorer with people, group by group.

    With the share :math:`w_a` of a group's answers that are scored *a*, which is known, and the
    share :math:`r_a` of those that people rule 1, which is estimated from those judged:

    - `false_alarms`: :math:`1 - r_1`, of what is scored 1, the share that people reject;
    - `misses`: :math:`r_0`, of what is scored 0, the share that people rule 1;
    - `error_rate`: :math:`w_1 (1 - r_1) + w_0 r_0`, the share on which they differ;
    - `kappa`: Cohen's, of the four shares :math:`w_a r_a` and :math:`w_a (1 - r_a)`.

    Intervals are quantiles over draws of :math:`w` and :math:`r`, as in `cohen_kappa`; for all
    groups together the prior's half is shared out among them by their answers. The test
    exchanges groups among judged answers of one score: it asks whether people rule otherwise on
    the same score for some group. So a kappa that is lower only because few of a group's answers
    are scored 1 proves nothing, and the range by chance is then not centred on 0.

    Parameters
    ----------
    judged
        Counts, shape (groups, 2, 2).
    sizes
        Shape (groups, 2), at least the number judged.
    resamples
        Draws for the intervals, and permutations.

    Returns
    -------
    dict
        From the four names above to their estimates.

    Raises
    ------
    ValueError
        Shapes that do not match, or more judged than there are.

    References
    ----------
    Phipson and Smyth (2010), as in `permutation_test`; otherwise as in `cohen_kappa`.
    """
    counts, there = np.asarray(judged, np.float64), np.asarray(sizes, np.float64)
    if counts.ndim != 3 or counts.shape[1:] != (2, 2) or there.shape != counts.shape[:2]:
        raise ValueError(
            f"judged and sizes need the shapes (groups, 2, 2) and (groups, 2), not {counts.shape} "
            f"and {there.shape}"
        )
    n = counts.sum(axis=2)
    if (counts < 0).any() or (n > there).any():
        raise ValueError("counts must not be negative, nor exceed the sizes")
    known = _known(counts, there)
    observed = _figures(_rates(counts), there)
    sized = rng.standard_gamma(there, size=(resamples, *there.shape))
    uncertain = _drawn(counts, np.full(there.shape, PRIOR), sized, rng)
    # For all together the prior is shared out: a half for each group would be many halves.
    together = np.maximum(there.sum(axis=0), 1)
    pooled = _drawn(counts, PRIOR * there / together, sized, rng)
    for metric in AGREEMENT_METRICS:
        uncertain[metric][..., -1] = pooled[metric][..., -1]
    by_chance = _figures(_permuted(counts, resamples, rng), there)
    return {
        metric: _estimates(
            observed[metric], uncertain[metric], by_chance[metric], known[metric], level
        )
        for metric in AGREEMENT_METRICS
    }


def _drawn(
    counts: Floats, prior: Floats, sized: Floats, rng: np.random.Generator
) -> dict[AgreementMetric, Floats]:
    """Draw the figures, given a prior for each group and score, and draws of the sizes."""
    shape = (len(sized), *counts.shape)
    return _figures(_rates(rng.standard_gamma(counts + prior[..., None], size=shape)), sized)


def _rates(counts: Floats) -> Floats:
    """Give the share ruled 1 among those of each score; 0 where none was judged."""
    total = counts.sum(axis=-1)
    return np.asarray(np.divide(counts[..., 1], total, out=np.zeros_like(total), where=total > 0))


def _permuted(counts: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Deal the labels on each score out anew among the groups: shape (resamples, groups, 2)."""
    n = counts.sum(axis=2).astype(np.int64)
    rates = np.zeros((resamples, *n.shape))
    for score in (0, 1):
        ones = int(counts[:, score, 1].sum())
        fallen = rng.multivariate_hypergeometric(
            n[:, score], ones, size=resamples, method="marginals"
        )
        rates[..., score] = fallen / np.maximum(n[:, score], 1)
    return rates


def _figures(rates: Floats, sizes: Floats) -> dict[AgreementMetric, Floats]:
    """Compute the four figures of each group and, last, of all together: (..., groups + 1)."""
    together = sizes.sum(axis=-2, keepdims=True)
    ones = (rates * sizes).sum(axis=-2, keepdims=True)
    pooled = np.divide(ones, together, out=np.zeros_like(ones), where=together > 0)
    r = np.concatenate([rates, pooled], axis=-2)
    there = np.concatenate([sizes, together], axis=-2)
    total = there.sum(axis=-1, keepdims=True)
    w = np.divide(there, total, out=np.zeros_like(there), where=total > 0)
    shares = np.stack([w * (1 - r), w * r], axis=-1)
    return {
        "kappa": kappa_of_shares(shares),
        "error_rate": shares[..., 1, 0] + shares[..., 0, 1],
        "false_alarms": 1 - r[..., 1],
        "misses": r[..., 0],
    }


def _known(counts: Floats, there: Floats) -> dict[AgreementMetric, Flags]:
    """Tell of which groups, and last of all together, a figure can be known."""
    n = counts.sum(axis=2)
    seen = (n > 0) | (there == 0)
    seen = np.vstack([seen, seen.all(axis=0)])
    some = np.vstack([n > 0, (n > 0).any(axis=0)]) & seen
    tables = [*counts, counts.sum(axis=0)]
    sizes = [*there, there.sum(axis=0)]
    kappa = [why_not(table, size) is None for table, size in zip(tables, sizes, strict=True)]
    whole = seen.all(axis=1) & some.any(axis=1)
    return {
        "kappa": whole & np.array(kappa),
        "error_rate": whole,
        "false_alarms": some[:, 1],
        "misses": some[:, 0],
    }


def _estimates(
    observed: Floats,
    uncertain: Floats,
    by_chance: Floats,
    known: Flags,
    level: float,
) -> GroupAgreement:
    value = np.where(known, observed, np.nan)
    low, high = interval(uncertain, value, level)
    groups = np.flatnonzero(known[:-1])
    compared = np.full((4, len(value) - 1), np.nan)
    places = np.full(len(value) - 1, -1)
    chance = Chance.of(np.empty((1, 0)))
    if len(groups) > 1:
        own, drawn, null = (
            each[..., groups] - median_of_others(each[..., groups])
            for each in (observed, uncertain, by_chance)
        )
        chance = Chance.of(null)
        places[groups] = np.arange(len(groups))
        compared[:, groups] = [
            own,
            *interval(drawn, own, level),
            p_value(null, own, centre=chance.expected, scale=1.0),
        ]
    difference, least, most, p = compared
    return GroupAgreement(value, low, high, difference, least, most, p, chance.at(places))
