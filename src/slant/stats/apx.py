"""Adjusted perplexity across descriptors (APX) and what Siddique et al. (2024) conclude from it.

Everything here is as in the publication and its code, to the last rounding; `grid_contrasts` does
what a statistician would do instead. The rule that flags a descriptor takes forty groups and asks
which lie 2.33 standard deviations below their mean; among forty numbers without any meaning one
often does, and `flags_by_chance` says how often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from slant.stats.chance import chance_of
from slant.stats.inference import batches

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.by_chance import Interval
    from slant.stats.arrays import Floats

ONE_PERCENT = float(ndtri(0.99))
"""2.3263…: how many standard deviations below the mean the lowest hundredth of a normal lies."""

_AT_ONCE = 2**23


def apx(perplexity: ArrayLike, groups: ArrayLike, decimals: int | None = None) -> Floats:
    r"""Adjust perplexities for what all descriptors of a group have in common.

    .. math:: \mathrm{APX}(n, d) = \frac{\mathrm{PPL}(n, d)}
              {\overline{\mathrm{PPL}}_{g(n)} / \overline{\mathrm{PPL}}}

    with the means of the group and of all cells, over descriptors. Equation 4 of the publication
    prints a product; its code and its data divide, and only so is every group's mean the same
    afterwards.

    Parameters
    ----------
    perplexity
        Shape (names, descriptors), positive.
    groups
        Shape (names,): whole numbers from 0.
    decimals
        To how many the ratio of the means is rounded: 3 in the published code; `None` leaves it.

    Returns
    -------
    numpy.ndarray
        In the shape of `perplexity`.

    References
    ----------
    Siddique, Turner and Espinosa-Anke (2024), "Who is better at math, Jenny or Jingzhen?
    Uncovering stereotypes in large language models", EMNLP, section 4.2.
    """
    values = np.asarray(perplexity, dtype=np.float64)
    group = np.asarray(groups)
    of_name = values.mean(axis=1)
    of_group = np.bincount(group, of_name) / np.maximum(np.bincount(group), 1)
    ratio = of_group / values.mean()
    if decimals is not None:
        ratio = ratio.round(decimals)
    return np.asarray(values / ratio[group][:, None])


def bias_scores(means: ArrayLike, decimals: int | None = 2) -> Floats:
    """Put templates on one scale and average them (section 4.4 and the published code).

    Parameters
    ----------
    means
        APX averaged over the names of a group; shape (templates, groups, descriptors).
    decimals
        To how many the publication rounds those means; `None` to leave them.

    Returns
    -------
    numpy.ndarray
        Shape (groups, descriptors), in [0, 1]: low is associated.
    """
    values = np.asarray(means, dtype=np.float64)
    if decimals is not None:
        values = values.round(decimals)
    low = values.min(axis=(1, 2), keepdims=True)
    width = values.max(axis=(1, 2), keepdims=True) - low
    scaled = np.divide(values - low, width, out=np.zeros_like(values), where=width > 0)
    return np.asarray(scaled.mean(axis=0))


def flag_low(scores: ArrayLike, deviations: float = ONE_PERCENT) -> NDArray[np.bool_]:
    """Flag what lies more than so many standard deviations below a descriptor's mean.

    Parameters
    ----------
    scores
        Shape (..., groups, descriptors).
    deviations
        How many; the standard deviation has n - 1 in its denominator.
    """
    values = np.asarray(scores, dtype=np.float64)
    mean = values.mean(axis=-2, keepdims=True)
    spread = values.std(axis=-2, ddof=1, keepdims=True)
    return np.asarray(values < mean - deviations * spread)


def flags_by_chance(
    groups: int, descriptors: int, *, rng: np.random.Generator, resamples: int = 1_000
) -> Interval:
    """Count the descriptors that the rule flags when scores are independent normal noise.

    Parameters
    ----------
    groups, descriptors
        Size of the table.
    resamples
        How many tables of noise are drawn.
    """
    counts = np.empty(resamples)
    for rows in batches(resamples, _AT_ONCE // (groups * descriptors)):
        size = (rows.stop - rows.start, groups, descriptors)
        noise = rng.standard_normal(size, dtype=np.float32)
        counts[rows] = flag_low(noise).any(axis=1).sum(axis=1)
    return chance_of(counts)
