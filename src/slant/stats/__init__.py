"""Statistics: pure functions on numpy arrays, which read and write nothing.

Each says what it computes, by which formula and on whose authority. Everywhere `rng` is the source
of randomness, `resamples` how many draws (bootstrap resamples, permutations) are made of it, and
`level` the confidence of an interval, as a share. What draws come to (intervals, p-values, chance
lines) stands in `inference`. `grouped_rates` is for studies with a yes/no outcome per answer;
`bootstrap_interval` and `permutation_test` are for any other statistic; `grid_contrasts` and
`group_strength` are for numbers per name and descriptor, where names are what was sampled;
`benjamini_hochberg` is for every table of p-values that is shown.
"""

from __future__ import annotations

from slant.stats.bootstrap import bootstrap_interval
from slant.stats.cluster_draws import rates
from slant.stats.effects import (
    cliffs_delta,
    cohen_d,
    cohen_h,
    hedges_g,
    odds_ratio,
    risk_difference,
)
from slant.stats.grid_contrasts import GridContrasts, grid_contrasts, group_strength
from slant.stats.grouped_rates import grouped_rates
from slant.stats.grouped_results import Contrast, GroupedRates, RateEstimates
from slant.stats.inference import Estimate
from slant.stats.median_of_others import median_of_others
from slant.stats.multiple import benjamini_hochberg
from slant.stats.permutation import PermutationResult, permutation_test
from slant.stats.power import smallest_detectable_difference
from slant.stats.proportions import newcombe, wilson

__all__ = [
    "Contrast",
    "Estimate",
    "GridContrasts",
    "GroupedRates",
    "PermutationResult",
    "RateEstimates",
    "benjamini_hochberg",
    "bootstrap_interval",
    "cliffs_delta",
    "cohen_d",
    "cohen_h",
    "grid_contrasts",
    "group_strength",
    "grouped_rates",
    "hedges_g",
    "median_of_others",
    "newcombe",
    "odds_ratio",
    "permutation_test",
    "rates",
    "risk_difference",
    "smallest_detectable_difference",
    "wilson",
]
