"""Rates of groups that were all asked the same prompts, and how uncertain they are.

Counts have shape (groups, clusters); a cluster is a prompt, and its cell holds the answers of one
group to it. The design is crossed: a prompt that draws out high rates does so for all groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from slant.stats.arrays import counts, proportion
from slant.stats.inference import batches, times

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

_VALUES_AT_ONCE = 2**22


def rates(successes: ArrayLike, trials: ArrayLike) -> Floats:
    r"""Rate of every group: the mean of its cells' rates, so that all prompts count alike.

    :math:`r_g = \frac{1}{C_g} \sum_c k_{gc}/n_{gc}` over the :math:`C_g` cells that have trials;
    with one cluster simply :math:`k_g/n_g`.

    Parameters
    ----------
    successes, trials
        Counts of shape (groups, clusters).

    Returns
    -------
    numpy.ndarray
        Shares in [0, 1], of shape (groups,); NaN for a group without any trials.

    Raises
    ------
    ValueError
        Impossible counts, or not of shape (groups, clusters).
    """
    k, n = cell_counts(successes, trials)
    filled = n > 0
    return proportion(np.where(filled, proportion(k, n), 0).sum(axis=1), filled.sum(axis=1) * 1.0)


def cell_counts(successes: ArrayLike, trials: ArrayLike) -> tuple[Floats, Floats]:
    """Check counts of shape (groups, clusters).

    Raises
    ------
    ValueError
        Impossible counts, or not of that shape.
    """
    if np.ndim(trials) != 2 or np.shape(successes) != np.shape(trials):
        raise ValueError(
            "successes and trials need the same shape (groups, clusters), not "
            f"{np.shape(successes)} and {np.shape(trials)}"
        )
    return counts(successes, trials)


def effective_trials(trials: Floats) -> Floats:
    r"""Count the answers that would give a plain share the precision of the mean cell rate.

    :math:`N_g = C_g^2 / \sum_c 1/n_{gc}`: all the trials when the cells are equally large.

    Parameters
    ----------
    trials
        Counts of shape (groups, clusters); every group has some.

    Returns
    -------
    numpy.ndarray
        Shape (groups,).
    """
    filled = trials > 0
    inverse = np.divide(1, trials, out=np.zeros(trials.shape), where=filled)
    return np.asarray(filled.sum(axis=1) ** 2 / inverse.sum(axis=1))


def draw_rates(
    successes: Floats, trials: Floats, resamples: int, rng: np.random.Generator
) -> Floats:
    r"""Draw rates that the groups might as well have, by a bootstrap in two stages.

    1. *Other prompts.* Clusters are drawn with replacement, the same ones for all groups. A
       cell's deviation from its group's rate is split into what the prompt does to all groups
       alike and what it does to this group; each part is shrunk until its variance is what
       exceeds chance within the cells (none, if nothing does), and then multiplied by
       :math:`\sqrt{(C-1)/\chi^2_{C-1}}`, as in Student's t, since the spread of few prompts is
       itself uncertain. This gives :math:`m^*`.
    2. *Other answers.* The rate is drawn from
       :math:`\mathrm{Beta}(N m^* + ½, N (1 - m^*) + ½)` with the `effective_trials` :math:`N`:
       Jeffreys' posterior, so that no successes do not mean no uncertainty.

    Without the shrinking, the bootstrap in two stages would count the chance within the cells
    twice. Jeffreys' ½ enters once a group and not once a cell: otherwise many small cells would
    draw every rate towards one half. With one cluster, only the second stage is left. A group
    that was asked a single one of several prompts does not show how much prompts matter to it,
    and gets the second stage only.

    Parameters
    ----------
    successes, trials
        Counts of shape (groups, clusters); every group and every cluster has some trials.

    Returns
    -------
    numpy.ndarray
        Rates in [0, 1], of shape (resamples, groups).

    References
    ----------
    Davison and Hinkley (1997), Bootstrap Methods and their Application, section 3.8, for shrinking
    before the second stage. Brown, Cai and DasGupta (2001), "Interval estimation for a binomial
    proportion", Statistical Science 16, for Jeffreys' interval.
    """
    rate, size = rates(successes, trials), effective_trials(trials)
    filled = trials > 0
    chance = rate * (1 - rate) * filled.sum(axis=1) / size
    cells = proportion(successes, trials)
    others = draw_deviations(cells, filled, chance[:, None], resamples, rng)
    middle = np.clip(rate + others, 0, 1)
    return rng.beta(size * middle + 0.5, size * (1 - middle) + 0.5)


def draw_deviations(
    cells: Floats, filled: NDArray[np.bool_], chance: Floats, resamples: int,
    rng: np.random.Generator,
) -> Floats:  # fmt: skip
    """Draw what other prompts would change in the groups' figures: shape (resamples, groups).

    Parameters
    ----------
    cells, filled
        Shape (groups, clusters): the figure of each cell, and whether it has any trials.
    chance
        Shape (groups, 1): the variance that chance alone gives the figure of a cell.
    """
    groups, clusters = cells.shape
    if clusters <= 1:
        return np.zeros((resamples, groups))
    deviations = _between_clusters(cells, filled, chance)
    stretch = np.sqrt((clusters - 1) / rng.chisquare(clusters - 1, size=(resamples, 1)))
    result = np.empty((resamples, groups))
    for rows in batches(resamples, _VALUES_AT_ONCE // clusters):
        taken = times(clusters, rows.stop - rows.start, rng)
        # A resample may hold none of a group's clusters: no deviation then.
        drawn = np.maximum(taken @ filled.T, 1)
        result[rows] = stretch[rows] * (taken @ deviations.T) / drawn
    return result


def _between_clusters(table: Floats, filled: NDArray[np.bool_], chance: Floats) -> Floats:
    """Estimate how far each cell's true figure lies from its group's: shape (groups, clusters)."""
    cells = filled.sum(axis=1, keepdims=True)
    own_mean = np.where(filled, table, 0).sum(axis=1, keepdims=True) / cells
    deviation = np.where(filled, table - own_mean, 0)
    groups, typical = len(table), chance.mean()

    common = deviation.sum(axis=0) / filled.sum(axis=0)
    own = np.where(filled, deviation - common, 0)
    common = _shrunk(common[None, :], table.shape[1], typical / groups)
    own = _shrunk(own, cells, chance * (1 - 2 / groups) + typical / groups)
    total = np.where(filled, common + own, 0)
    return np.where(filled, total - total.sum(axis=1, keepdims=True) / cells, 0)


def _shrunk(deviation: Floats, cells: ArrayLike, chance: ArrayLike) -> Floats:
    """Scale the deviations in each row so that their variance is what exceeds chance."""
    freedom = np.maximum(np.asarray(cells) - 1, 1)
    squares = (deviation**2).sum(axis=1, keepdims=True)
    variance = squares / freedom
    share = np.divide(variance - chance, variance, out=np.zeros(variance.shape), where=variance > 0)
    # Resampling C deviations gives (C - 1)/C of their variance.
    return np.asarray(deviation * np.sqrt(np.maximum(share, 0) * (freedom + 1) / freedom))
