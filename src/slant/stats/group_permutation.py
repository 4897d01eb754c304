"""Rates that groups would have if it did not matter which group was asked about.

Counts have shape (groups, clusters), as in `cluster_draws`. Labels are exchanged within a cluster
only, so a prompt that draws out high rates from everybody proves nothing.

Two things can be exchanged. *Observations*, the single answers: every cell keeps its number of
trials. This asks whether the groups differ on these very prompts; if each prompt has a whim of its
own about each group, they do. *Cells*: all answers of one group to one prompt move together. This
asks whether the groups differ by more than such whims, hence on other prompts too, and needs
enough prompts to tell. Empty cells stay where they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from slant.stats.arrays import proportion

if TYPE_CHECKING:
    from slant.stats.arrays import Floats

Unit: TypeAlias = Literal["observations", "cells"]

FEWEST_CLUSTERS = 5
FEWEST_ARRANGEMENTS = 1000


def unit_to_permute(trials: Floats, compared: int) -> Unit:
    """Choose what to exchange: cells where there are enough of them, else observations.

    Cells are exchanged if there are at least 5 clusters to do so in, and at least 1000 ways to
    arrange them (compared ** clusters, when none is empty): with fewer, no p-value could be small.
    Cells of different sizes are exchanged as if they were alike; that errs, slightly, for a group
    with far fewer trials than all others (a tenth: false discoveries in 9% of tables, not 5%).

    Parameters
    ----------
    trials
        Counts of shape (groups, clusters).
    compared
        How many groups exchange their labels: all of them, or two.

    Returns
    -------
    str
        `cells` or `observations`.
    """
    cells = (trials > 0).sum(axis=0)
    choices = np.minimum(cells, compared)[cells >= 2]
    enough = np.log(choices).sum() >= np.log(FEWEST_ARRANGEMENTS)
    return "cells" if len(choices) >= FEWEST_CLUSTERS and enough else "observations"


def permute_groups(
    successes: Floats, trials: Floats, unit: Unit, resamples: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Draw the rates of all groups after exchanging labels among all of them.

    Observations: the successes of a cluster fall on the groups by a multivariate hypergeometric
    distribution, which is exactly the permutation of yes/no answers, at a cost that does not
    depend on their number.

    Parameters
    ----------
    successes, trials
        Counts of shape (groups, clusters); every group and every cluster has some trials.
    unit
        What is exchanged.

    Returns
    -------
    rates : numpy.ndarray
        In [0, 1], of shape (resamples, groups).
    mean : numpy.ndarray
        Their exact mean, of shape (groups,): the same for all groups when no cell is empty.
    """
    filled = trials > 0
    cells = proportion(successes, trials)
    total, mean = np.zeros((resamples, len(trials))), np.zeros(len(trials))
    for k, n, rate, where in zip(successes.T, trials.T, cells.T, filled.T, strict=True):
        if unit == "cells":
            exchanged = np.broadcast_to(rate[where], (resamples, where.sum()))
            total[:, where] += rng.permuted(exchanged, axis=1)
            mean[where] += rate[where].mean()
        else:
            own = n[where]
            fallen = rng.multivariate_hypergeometric(
                own.astype(np.int64), int(k.sum()), size=resamples, method="marginals"
            )
            total[:, where] += fallen / own
            mean[where] += k.sum() / n.sum()
    clusters = filled.sum(axis=1)
    return np.asarray(total / clusters), mean / clusters


def permute_pairs(
    successes: Floats,
    trials: Floats,
    reference: int,
    unit: Unit,
    resamples: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Draw each group's difference from a reference after exchanging labels between the two.

    Observations: hypergeometric, as in `permute_groups`. Cells: in each cluster, the two change
    places with probability ½.

    Parameters
    ----------
    successes, trials
        Counts of shape (groups, clusters); every group has some trials.
    reference
        Index of the reference group.
    unit
        What is exchanged.

    Returns
    -------
    differences : numpy.ndarray
        In [−1, 1], of shape (resamples, groups); 0 for the reference itself.
    mean : numpy.ndarray
        Their exact mean, of shape (groups,): 0, but for rounding, when no cell is empty.
    """
    filled = trials > 0
    weight = filled / filled.sum(axis=1, keepdims=True)
    if unit == "cells":
        cells = np.where(filled, proportion(successes, trials), 0)
        # By how much a difference changes when the two change places in a cluster, halved.
        half = (cells - cells[reference]) * (weight + weight[reference]) / 2
        half = np.where(filled & filled[reference], half, 0)
        observed = (cells * weight).sum(axis=1)
        mean = observed - observed[reference] - half.sum(axis=1)
        signs = rng.choice([-1.0, 1.0], size=(resamples, trials.shape[1]))
        return signs @ half.T + mean, mean

    differences = np.zeros((resamples, len(trials)))
    counts = successes.T.astype(np.int64), trials.T.astype(np.int64)
    for k, n, share in zip(*counts, weight.T, strict=True):
        both_k, both_n = k + k[reference], n + n[reference]
        fallen = rng.hypergeometric(both_k, both_n - both_k, n, size=differences.shape)
        differences += fallen / np.maximum(n, 1) * share
        differences -= (both_k - fallen) / max(n[reference], 1) * share[reference]
    differences[:, reference] = 0

    pooled = np.nan_to_num(proportion(successes + successes[reference], trials + trials[reference]))
    return differences, np.asarray((pooled * (weight - weight[reference])).sum(axis=1))
