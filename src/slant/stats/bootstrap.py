"""Intervals for any statistic, by resampling what was sampled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from scipy.special import ndtr, ndtri

from slant.stats.arrays import tails
from slant.stats.inference import batches

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

Method: TypeAlias = Literal["percentile", "bca"]

_VALUES_AT_ONCE = 2**20


def bootstrap_interval(
    values: ArrayLike,
    statistic: Callable[..., Any],
    *,
    clusters: ArrayLike | None = None,
    method: Method = "percentile",
    resamples: int = 10_000,
    level: float = 0.95,
    rng: np.random.Generator,
) -> tuple[float, float]:
    r"""Interval of a statistic from resamples drawn with replacement.

    *Percentile*: the quantiles of the resampled statistics. *BCa*: the same at levels corrected
    for bias and for a spread that depends on the estimate,

    .. math:: \Phi\left(z_0 + \frac{z_0 + z_\alpha}{1 - a (z_0 + z_\alpha)}\right),

    with :math:`z_0 = \Phi^{-1}(P(t^* < t) + P(t^* = t)/2)` and the acceleration :math:`a` from
    the jackknife. Values of one cluster (a prompt, a name, an article) are no independent
    observations: with `clusters`, whole clusters are resampled, and left out by the jackknife.
    With fewer than about twenty clusters these intervals are too narrow.

    Parameters
    ----------
    values
        Shape (n,). For observations that are more than a number, pass `numpy.arange(n)` and let
        the statistic look them up.
    statistic
        `statistic(values, axis=-1)` reduces an array of shape (..., n) to shape (...).
    clusters
        Shape (n,): what each value belongs to; each is on its own when absent.
    method
        `percentile`, or `bca`.
    resamples
        Number of resamples.

    Returns
    -------
    low, high : float
        In the unit of the statistic; NaN when the statistic is NaN in some resample.

    Raises
    ------
    ValueError
        Shapes that do not match, NaN among the values, fewer than two clusters, no resamples, an
        unknown method or an impossible level.

    References
    ----------
    Efron (1987), "Better bootstrap confidence intervals", Journal of the American Statistical
    Association 82. Davison and Hinkley (1997), Bootstrap Methods and their Application, section
    3.8, and Field and Welsh (2007), "Bootstrapping clustered data", Journal of the Royal
    Statistical Society B 69, for clusters.
    """
    data, sizes = _checked(values, clusters, resamples)
    if method not in ("percentile", "bca"):
        raise ValueError(f"method must be 'percentile' or 'bca', not {method!r}")
    quantiles = np.array(tails(level))
    resampled = _resampled(data, sizes, statistic, resamples, rng)
    if not np.isfinite(resampled).all():
        return float("nan"), float("nan")
    if method == "bca":
        quantiles = _bca_levels(data, sizes, statistic, resampled, quantiles)
    low, high = np.quantile(resampled, quantiles)
    return float(low), float(high)


def bootstrap_draws(
    values: ArrayLike,
    statistic: Callable[..., Any],
    *,
    clusters: ArrayLike | None = None,
    resamples: int = 10_000,
    rng: np.random.Generator,
) -> Floats:
    """Give the statistics of the resamples, of which `bootstrap_interval` gives two quantiles.

    Parameters
    ----------
    values, statistic, clusters, resamples, rng
        As in `bootstrap_interval`.

    Returns
    -------
    numpy.ndarray
        Shape (resamples,).

    Raises
    ------
    ValueError
        As in `bootstrap_interval`.
    """
    return _resampled(*_checked(values, clusters, resamples), statistic, resamples, rng)


def _checked(
    values: ArrayLike, clusters: ArrayLike | None, resamples: int
) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Put values in the order of their clusters, and give the clusters' sizes."""
    data = np.asarray(values)
    labels = np.arange(data.size) if clusters is None else np.asarray(clusters)
    if data.ndim != 1 or labels.shape != data.shape:
        raise ValueError(
            f"values and clusters need the same shape (n,), not {data.shape} and {labels.shape}"
        )
    if np.isnan(data).any():
        raise ValueError("values hold NaN: leave out what was not measured")
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1, not {resamples}")
    code = np.unique(labels, return_inverse=True)[1]
    sizes = np.bincount(code)
    if len(sizes) < 2:
        raise ValueError("a bootstrap needs at least two clusters")
    return data[np.argsort(code, kind="stable")], sizes


def _resampled(
    data: NDArray[Any],
    sizes: NDArray[np.intp],
    statistic: Callable[..., Any],
    resamples: int,
    rng: np.random.Generator,
) -> Floats:
    """Compute the statistic of every resample; `data` is ordered by cluster.

    Resamples of clusters of different sizes have different lengths; those of one length are
    computed together.
    """
    starts = np.cumsum(sizes) - sizes
    result = np.empty(resamples)
    for rows in batches(resamples, _VALUES_AT_ONCE // len(data)):
        chosen = rng.integers(len(sizes), size=(rows.stop - rows.start, len(sizes)))
        lengths = sizes[chosen].sum(axis=1)
        for length in np.unique(lengths):
            alike = np.flatnonzero(lengths == length)
            picked = chosen[alike].ravel()
            ends = np.cumsum(sizes[picked])
            shift = starts[picked] - (ends - sizes[picked])
            positions = np.arange(ends[-1]) + np.repeat(shift, sizes[picked])
            sample = data[positions.reshape(len(alike), length)]
            result[rows.start + alike] = statistic(sample, axis=-1)
    return result


def _bca_levels(
    data: NDArray[Any],
    sizes: NDArray[np.intp],
    statistic: Callable[..., Any],
    resampled: Floats,
    levels: Floats,
) -> Floats:
    ends = np.cumsum(sizes)
    left_out = np.array(
        [
            statistic(np.concatenate([data[: end - size], data[end:]]), axis=-1)
            for size, end in zip(sizes, ends, strict=True)
        ]
    )
    influence = left_out.mean() - left_out
    squares = (influence**2).sum()
    acceleration = (influence**3).sum() / (6 * squares**1.5) if squares > 0 else 0.0
    estimate = statistic(data, axis=-1)
    below = (np.mean(resampled < estimate) + np.mean(resampled <= estimate)) / 2
    half_a_resample = 0.5 / len(resampled)
    bias = ndtri(np.clip(below, half_a_resample, 1 - half_a_resample))
    shifted = bias + ndtri(levels)
    return np.asarray(ndtr(bias + shifted / (1 - acceleration * shifted)))
