"""How far each subject's distribution over topics lies from that of all others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.chance import Chance
from slant.stats.inference import Estimate, interval, p_value

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats
    from slant.stats.chains import Chains


@dataclass(frozen=True, slots=True, eq=False)
class RelativeEntropy:
    """What `relative_entropy` finds; arrays of shape (subjects,), shares (subjects, topics).

    Attributes
    ----------
    divergence
        Relative entropy in bits; p is one-sided.
    shares, shares_low, shares_high
        P(topic | subject), not smoothed, with 95% intervals.
    """

    divergence: Estimate
    shares: Floats
    shares_low: Floats
    shares_high: Floats


def divergence_from_rest(counts: Floats, smoothing: float) -> Floats:
    r"""Relative entropy of each subject's topics against those of all others, in bits.

    :math:`D_s = \sum_t p_{st} \log_2 (p_{st} / r_{st})` with
    :math:`p_{st} = (n_{st} + a)/(n_s + aK)`, and :math:`r_{st}` likewise from the counts of all
    other subjects together.

    Parameters
    ----------
    counts
        Shape (..., subjects, topics).
    smoothing
        The *a* that is added to every count, above 0.

    Returns
    -------
    numpy.ndarray
        Shape (..., subjects), at least 0.

    References
    ----------
    Kullback and Leibler (1951), "On information and sufficiency", Annals of Mathematical Statistics
    22. Salinas and others (2023), section A.3.3; their smoothing is unstated.
    """
    own = counts + smoothing
    rest = counts.sum(axis=-2, keepdims=True) - counts + smoothing
    p, r = own / own.sum(axis=-1, keepdims=True), rest / rest.sum(axis=-1, keepdims=True)
    return np.asarray(np.maximum((p * np.log2(p / r)).sum(axis=-1), 0.0))


def relative_entropy(
    topics: ArrayLike,
    lineages: Chains,
    kinds: int,
    rng: np.random.Generator,
    *,
    smoothing: float = 0.5,
    resamples: int = 2000,
) -> RelativeEntropy:
    """Compare each subject's topics with all others'.

    With few observations relative entropy is far above 0 even if all subjects are alike: only what
    exceeds chance counts, and chance is subjects exchanged, as `Chains.permuted` does; with too
    few lineages (`Chains.few`) there is no p. A
    bootstrap adds the same bias once more, so the interval is the basic one, which reflects the
    resamples at the estimate: :math:`[2D - D^*_{0.975}, 2D - D^*_{0.025}]`, never below 0.

    Parameters
    ----------
    topics
        Shape (n,): index of each observation's topic.
    lineages
        What each observation belongs to; at least two subjects.
    kinds
        Number of topics.
    smoothing
        As in `divergence_from_rest`.
    resamples
        Of bootstrap and permutation.

    References
    ----------
    Davison and Hinkley (1997), Bootstrap Methods and their Application, section 5.2, for the basic
    interval.
    """
    hot = np.eye(kinds)[np.asarray(topics, dtype=np.intp)]
    counts = lineages.sums(hot)
    value = divergence_from_rest(counts, smoothing)
    drawn = lineages.resampled(hot, resamples, rng)
    low, high = interval(2 * value - divergence_from_rest(drawn, smoothing), value)
    null = divergence_from_rest(lineages.permuted(hot, resamples, rng), smoothing)
    p = np.where(lineages.few, np.nan, p_value(null, value, "greater"))
    shares = counts / counts.sum(axis=1, keepdims=True)
    size = drawn.sum(axis=2, keepdims=True)
    other = np.divide(drawn, size, out=np.broadcast_to(shares, drawn.shape).copy(), where=size > 0)
    spread = (other - shares) * lineages.stretch(resamples, rng)[..., None]
    s_low, s_high = interval(np.clip(shares + spread, 0, 1), shares)
    return RelativeEntropy(
        Estimate(value, np.maximum(low, 0.0), high, p, Chance.of(null)), shares, s_low, s_high,
    )  # fmt: skip
