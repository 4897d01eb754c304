"""Which labels stand out in which columns of a grid, where names are what was sampled.

For a grid of names × descriptors whose names belong to groups: does a group differ from the others
on a descriptor by more than its names differ among themselves?
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln, ndtri

from slant.stats.chance import Chance
from slant.stats.grid_bootstrap import bootstrap_contrasts, interval, quantile_levels
from slant.stats.grid_design import grid_design, own_variances
from slant.stats.grid_null import Null
from slant.stats.inference import SINGLE, Estimate, p_value
from slant.stats.tail_counts import TailCounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from slant.by_chance import Histogram
    from slant.stats.arrays import Floats
    from slant.stats.grid_design import GridDesign

_BOOTSTRAP = 2_000
_SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class GridContrasts:
    """What `grid_contrasts` finds; arrays of shape (labels, columns) but for `n`.

    Attributes
    ----------
    value
        The label's mean minus the median of the other labels' means, in the unit of the values.
        Without a difference 0 is expected.
    low, high
        95% interval of the value.
    p
        Two-sided p-value, of each cell alone.
    effect
        Hedges' g: the value in standard deviations of names within labels, corrected for few
        names; NaN where names do not differ at all and the value is not 0.
    chance_low, chance_high
        Where the value would lie in 95% of cases if labels did not matter; it lies outside just
        where p < 0.05.
    n
        Shape (labels,): number of names.
    error
        What the value is divided by to give its t.
    chance_error
        Shape (labels,): standard error of a value if labels do not matter, in standard deviations
        of names within labels.
    own_variance
        Shape (labels,): variance of a label's names as a multiple of that of all names within
        labels, mean over columns.
    nulls
        By label: the t of permuted labels, pooled over columns and over labels of the same sizes.
    """

    value: Floats
    low: Floats
    high: Floats
    p: Floats
    effect: Floats
    chance_low: Floats
    chance_high: Floats
    n: NDArray[np.intp]
    error: Floats
    chance_error: Floats
    own_variance: Floats
    nulls: Sequence[Histogram]


def grid_contrasts(
    values: ArrayLike,
    labels: ArrayLike,
    strata: ArrayLike | None = None,
    *,
    resamples: int = 10_000,
    rng: np.random.Generator,
) -> GridContrasts:
    r"""Compare every label with the median of the others, column by column.

    A label's mean :math:`m_{lc}` is the mean over its strata of the mean over its names; the value
    is :math:`m_{lc} - \mathrm{median}_{k \ne l}\, m_{kc}`. Its statistic is

    .. math:: t_{lc} = \frac{value_{lc}}{\tilde s_c \sqrt{\sum_s 1/(S_l^2 n_{ls})}},

    with :math:`S_l` strata, :math:`n_{ls}` names, and the standard deviation :math:`\tilde s_c` of
    names within labels and strata, moderated as in limma (`prior_variance`).

    **Null.** Labels are permuted among the names of each stratum; a name moves with all its
    columns. Ten thousand permutations alone give no p-value below 0.0001, too few for
    Benjamini-Hochberg over thousands of cells, so the permuted :math:`|t|` are pooled over all
    columns, and over labels of the same sizes: :math:`p = (1 + \#\{|t^*| \ge |t|\})/(1 + draws)`.

    **What is exact.** If labels do not matter, the data's own labels are exchangeable with the
    permuted ones, whatever the names' distribution and however columns depend on each other (that
    a name is rare shows in all its columns), so over the cells of a size the expected share with
    :math:`p \le \alpha` is :math:`\alpha`. **What is approximate.** For one column alone p is
    exact only as far as its t has the same distribution as that of the others; a column with
    heavier tails than most has small p-values too often, at the cost of the rest. Where some
    labels truly differ, the permutations mix their names among all labels. Each permutation is
    judged by its own standard deviation, which keeps this from inflating the null (Xie et al.
    2005 show what happens otherwise).

    **Interval.** A bootstrap over names within label and stratum (2,000 resamples) at expanded
    percentile levels: a bootstrap of n names is too narrow by :math:`\sqrt{(n-1)/n}` and ignores
    that the spread is estimated, so the levels are
    :math:`\Phi(\pm t_{0.975, n-1} \sqrt{n/(n-1)})`.

    Parameters
    ----------
    values
        Shape (names, columns), finite.
    labels
        Shape (names,): 0, 1, … without gaps; at least two labels.
    strata
        Shape (names,): integers; names are compared within a stratum only. One when absent.

    Raises
    ------
    ValueError
        Shapes that do not match, values that are not finite, fewer than two labels, a label
        without names or with a single one in a stratum, or no resamples.

    References
    ----------
    Tusher, Tibshirani and Chu (2001), "Significance analysis of microarrays applied to the
    ionizing radiation response", PNAS 98, and Storey and Tibshirani (2003), "Statistical
    significance for genomewide studies", PNAS 100, for the pooled null. Xie, Pan and Khodursky
    (2005), "A note on using permutation-based false discovery rate estimates to compare different
    analysis methods for microarray data", Bioinformatics 21. Smyth (2004), see `prior_variance`.
    Hesterberg (2015), "What teachers should know about the bootstrap", The American Statistician
    69. Hedges (1981), see `hedges_g`.
    """
    design = _checked(values, labels, strata, resamples)
    null = Null(design)
    found = null.observed()
    kinds, kind = _sizes_alike(design)
    tails = [TailCounts() for _ in kinds]
    for t in null.permuted(resamples, rng):
        for counts, members in zip(tails, kinds, strict=True):
            counts.add(t if len(kinds) == 1 else t[:, members])

    p = np.empty(found.t.shape)
    critical = np.empty(len(kind))
    for counts, members in zip(tails, kinds, strict=True):
        p[members] = counts.p(found.t[members])
        critical[members] = counts.critical(_SIGNIFICANT)
    chance = critical[:, None] * found.error
    nulls = [counts.histogram() for counts in tails]
    low, high = interval(design, _BOOTSTRAP, rng)
    return GridContrasts(
        value=found.value,
        low=np.minimum(low, found.value),
        high=np.maximum(high, found.value),
        p=p,
        effect=_standardised(found.value, found.deviation, design.freedom),
        chance_low=-chance,
        chance_high=chance,
        n=design.sizes.sum(axis=0),
        error=found.error,
        chance_error=critical / ndtri(1 - _SIGNIFICANT / 2) * design.scale,
        own_variance=own_variances(design),
        nulls=[nulls[which] for which in kind],
    )


def group_strength(
    values: ArrayLike,
    labels: ArrayLike,
    strata: ArrayLike | None = None,
    *,
    resamples: int = 10_000,
    rng: np.random.Generator,
) -> Estimate:
    r"""Say how distinct each label is over all columns together, as one number; p is one-sided.

    :math:`r_l = \sqrt{\frac{1}{C} \sum_c t_{lc}^2}` with the t of `grid_contrasts`. Noise makes a
    root mean square large, never small, so r is to be read against its chance line and not against
    0. The null permutes whole names, each label has its own, and p, which
    counts values as large or larger, is exact.

    The interval resamples names within label and stratum (2,000 resamples, the standard deviation
    of names held fixed) at the expanded percentile levels of `grid_contrasts`. A resample adds
    noise to noise: the mean of its :math:`r^2` exceeds that of the data, and this excess is taken
    off before the quantiles are. The interval is one for the value that other names of the same
    number would give on average, noise included.

    Parameters
    ----------
    values, labels, strata, resamples, rng
        As in `grid_contrasts`.

    Raises
    ------
    ValueError
        As in `grid_contrasts`.
    """
    design = _checked(values, labels, strata, resamples)
    null = Null(design)
    found = null.observed()
    squared = (found.t**2).mean(axis=1)
    chance = np.concatenate(
        [np.einsum("wlc,wlc->wl", t, t) / design.columns for t in null.permuted(resamples, rng)]
    ).astype(np.float64)
    p = p_value(chance, squared, "greater", rounding=SINGLE)

    drawn = []
    for contrasts in bootstrap_contrasts(design, _BOOTSTRAP, rng):
        t = np.divide(contrasts, found.error, out=contrasts, where=found.error > 0)
        drawn.append(np.einsum("wlc,wlc->wl", t, t) / design.columns)
    resampled = np.concatenate(drawn).astype(np.float64)
    resampled += squared - resampled.mean(axis=0)
    ends = [
        np.quantile(column, levels)
        for column, levels in zip(resampled.T, quantile_levels(design), strict=True)
    ]
    low, high = np.sqrt(np.maximum(ends, 0)).T
    root = np.sqrt(squared)
    return Estimate(
        value=root,
        low=np.minimum(low, root),
        high=np.maximum(high, root),
        p=p,
        chance=Chance.of(np.sqrt(chance)),
    )


def _checked(
    values: ArrayLike, labels: ArrayLike, strata: ArrayLike | None, resamples: int
) -> GridDesign:
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples}")
    return grid_design(values, labels, strata)


def _sizes_alike(design: GridDesign) -> tuple[list[NDArray[np.intp]], NDArray[np.intp]]:
    """Put labels together that have the same numbers of names, in whatever strata."""
    kinds, kind = np.unique(np.sort(design.sizes, axis=0), axis=1, return_inverse=True)
    return [np.flatnonzero(kind == which) for which in range(kinds.shape[1])], kind


def _standardised(value: Floats, deviation: Floats, freedom: int) -> Floats:
    half = freedom / 2
    correction = np.exp(gammaln(half) - gammaln(half - 0.5)) / np.sqrt(half)
    unknown = np.where(value == 0, 0.0, np.nan)
    return np.asarray(np.divide(value, deviation, out=unknown, where=deviation > 0) * correction)
