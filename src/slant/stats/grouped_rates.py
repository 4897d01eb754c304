"""How often each group gets a "yes", and how much that differs from the other groups.

For studies with a yes/no outcome per answer: counts of shape (groups, clusters), one cluster per
prompt. Everything about one such table is computed in one call, `grouped_rates`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from slant.stats import effects
from slant.stats.arrays import tails
from slant.stats.blocked_means import exchange_groups
from slant.stats.chance import Chance
from slant.stats.cluster_draws import cell_counts, draw_rates, effective_trials, rates
from slant.stats.group_permutation import permute_groups, permute_pairs, unit_to_permute
from slant.stats.grouped_results import (
    Contrast,
    GroupedRates,
    RateEstimates,
    incomparable,
    over_groups,
)
from slant.stats.histogram import histograms
from slant.stats.inference import interval, p_value, vs_rest
from slant.stats.median_of_others import median_of_others
from slant.stats.proportions import newcombe, wilson

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats
    from slant.stats.group_permutation import Unit


def grouped_rates(
    successes: ArrayLike,
    trials: ArrayLike,
    *,
    reference: int | None = None,
    resamples: int = 10_000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> GroupedRates:
    r"""Compare the rates of groups that were all asked the same prompts.

    *Rate*: `rates`, the mean over the prompts. Interval: Wilson's with one cluster, else the
    quantiles of `draw_rates`.

    *Contrast with the rest*: rate minus the median rate of the other groups. The median, since a
    single group that differs would shift a mean, and so make all the others look different from
    their rest. Interval: quantiles of the same contrast of the `draw_rates`.

    *Contrast with a reference*: rate minus the reference group's rate. Interval: Newcombe's with
    one cluster, else as above.

    *p-value*: permutation of the group labels within the prompts, of what `unit_to_permute`
    chooses: among all groups for the rest (`permute_groups`; whole cells are compared in units of
    standard errors, `blocked_means.exchange_groups`); for a reference between the two
    (`permute_pairs`), unless only the cells of all groups are enough. With :math:`t` the contrast
    and :math:`t_0` its value at the rates expected under permutation (0 unless cells are empty,
    when groups are compared over different prompts),
    :math:`p = (1 + \#\{|t^* - t_0| \ge |t - t_0|\})/(1 + B)`. Not adjusted: pass the p-values of
    all comparisons shown together to `benjamini_hochberg`.

    *Effect sizes*: Cohen's h of the two rates; the ratio of the two odds, each rate drawn in by
    half a success and half a failure, :math:`(N r + ½)/(N + 1)`, so that it is finite. Interval:
    Woolf's for a reference with one cluster, else quantiles over the draws.

    With two to four clusters the intervals speak about prompts in general, and are wide where the
    prompts disagree, while p speaks about these prompts only: `permuted` says so.

    Parameters
    ----------
    successes, trials
        Whole numbers of shape (groups, clusters). Cells may be empty (0 of 0).
    reference
        Index of the group that the others are compared with.
    resamples
        Number of bootstrap draws, and of permutations.
    level
        Confidence of the intervals, as a share.

    Returns
    -------
    GroupedRates
        Arrays of shape (groups,), in the order of the input.

    Raises
    ------
    ValueError
        Impossible counts or level, not of shape (groups, clusters), not whole numbers, no
        resamples, or a reference that is no group.

    References
    ----------
    Phipson and Smyth (2010) for p; Wilson (1927), Newcombe (1998), Woolf (1955), Cohen (1988):
    see the functions of `proportions` and `effects`; `draw_rates` for the bootstrap.
    """
    all_k, all_n = cell_counts(successes, trials)
    tails(level)  # checks it
    if (all_k % 1).any() or (all_n % 1).any():
        raise ValueError("successes and trials must be whole numbers")
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples}")
    if reference is not None and not 0 <= reference < len(all_n):
        raise ValueError(f"reference must be the index of a group, not {reference}")

    asked = all_n.sum(axis=1) > 0
    used = all_n.sum(axis=0) > 0
    k, n = all_k[np.ix_(asked, used)], all_n[np.ix_(asked, used)]
    draws = draw_rates(k, n, resamples, rng)

    among_all = np.where(asked, np.cumsum(asked) - 1, -1)
    own = over_groups(_own_rates(k, n, draws, level), among_all)
    vs_rest = vs_reference = incomparable(len(asked))
    if len(n) >= 2:
        vs_rest = over_groups(_vs_rest(k, n, draws, level, rng), among_all)
    if len(n) >= 2 and reference is not None and asked[reference]:
        place = int(asked[:reference].sum())
        contrast = _vs_reference(k, n, place, draws, level, rng)
        vs_reference = over_groups(contrast, among_all)
    return GroupedRates(
        rates=replace(own, n=all_n.sum(axis=1)),
        vs_rest=vs_rest,
        vs_reference=None if reference is None else vs_reference,
    )


def _own_rates(k: Floats, n: Floats, draws: Floats, level: float) -> RateEstimates:
    value = rates(k, n)
    if n.shape[1] == 1:
        low, high = wilson(k[:, 0], n[:, 0], level)
    else:
        low, high = interval(draws, value, level)
    return RateEstimates(n=n.sum(axis=1), value=value, low=low, high=high)


def _vs_rest(
    k: Floats, n: Floats, draws: Floats, level: float, rng: np.random.Generator
) -> Contrast:
    unit = unit_to_permute(n, compared=len(n))
    if unit == "cells" and (n > 0).all():
        # Groups whose rates vary more from prompt to prompt are not to be found for that.
        permuted, error, errors = exchange_groups(k / n, len(draws), rng)
        null, offset = vs_rest(permuted) * (error / errors), np.zeros(len(n))
    else:
        permuted, expected = permute_groups(k, n, unit, len(draws), rng)
        null, offset = vs_rest(permuted), vs_rest(expected)
    return _contrast(k, n, draws, median_of_others, null, offset, unit, level)


def _vs_reference(
    k: Floats, n: Floats, reference: int, draws: Floats, level: float, rng: np.random.Generator
) -> Contrast:
    unit = unit_to_permute(n, compared=2)
    if unit == "observations" and unit_to_permute(n, compared=len(n)) == "cells":
        # Two groups have too few arrangements of their cells, all groups have enough.
        unit = "cells"
        permuted, expected = permute_groups(k, n, unit, len(draws), rng)
        null, offset = permuted - permuted[:, [reference]], expected - expected[reference]
    else:
        null, offset = permute_pairs(k, n, reference, unit, len(draws), rng)
    contrast = _contrast(k, n, draws, lambda r: r[..., [reference]], null, offset, unit, level)
    if n.shape[1] == 1:
        pair = (k[:, 0], n[:, 0], k[reference, 0], n[reference, 0])
        low, high = newcombe(*pair, level)
        _, odds_low, odds_high = effects.odds_ratio(*pair, level)
        contrast = replace(contrast, low=low, high=high, odds_low=odds_low, odds_high=odds_high)
    groups = np.arange(len(n))
    return over_groups(contrast, np.where(groups == reference, -1, groups))


def _contrast(
    k: Floats,
    n: Floats,
    draws: Floats,
    against: Callable[[Floats], Floats],
    null: Floats,
    offset: Floats,
    unit: Unit,
    level: float,
) -> Contrast:
    """Compare all rates with what `against` makes of them, over the last axis."""
    rate = rates(k, n)
    other = against(rate)
    value = rate - other
    low, high = interval(draws - against(draws), value, level)

    size = effective_trials(n)
    smoothed = _drawn_in(rate, size)
    ratio = _odds(smoothed) / _odds(against(smoothed))
    odds_low, odds_high = interval(_odds(draws) / _odds(against(draws)), ratio, level)

    def odds_at(difference: Floats) -> Floats:
        """Give the ratio of odds that goes with a difference from where the others are."""
        shifted = _drawn_in(np.clip(other + difference, 0, 1), size)
        return np.asarray(_odds(shifted) / _odds(_drawn_in(other, size)))

    chance = Chance.of(null)
    return Contrast(
        value=value,
        low=low,
        high=high,
        p=p_value(null, value, centre=offset, scale=1.0),
        chance=chance,
        cohen_h=effects.cohen_h(rate, other),
        odds_ratio=ratio,
        odds_low=odds_low,
        odds_high=odds_high,
        odds_chance=Chance(
            np.ones(len(rate)), odds_at(chance.low), odds_at(chance.high), histograms(odds_at(null))
        ),
        permuted=unit,
    )


def _drawn_in(rate: Floats, size: Floats) -> Floats:
    """Draw rates in by half a success and half a failure, so that their odds are finite."""
    return (size * rate + 0.5) / (size + 1)


def _odds(rate: Floats) -> Floats:
    inside = np.clip(rate, np.finfo(float).tiny, np.nextafter(1, 0))
    return inside / (1 - inside)
