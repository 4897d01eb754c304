"""How much more often a group gets a word than the rest, shrunk where there is little evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from slant.stats.arrays import tails

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class LogOdds:
    """Log-odds ratios of words; all arrays have shape (groups, words).

    Attributes
    ----------
    value
        Log-odds ratio of the group against the rest, natural logarithm; 0 is no difference.
    error
        Its standard error, of names as they were sampled.
    low, high
        Interval of the value.
    z
        Value over the standard error of Monroe et al. (2008), which takes words for independent.
    p
        Exact two-sided p-value of `names_test`; NaN where no data could have been significant.
    """

    value: Floats
    error: Floats
    low: Floats
    high: Floats
    z: Floats
    p: Floats


def weighted_log_odds(
    counts: ArrayLike, groups: ArrayLike, *, strength: float | None = None, level: float = 0.95
) -> LogOdds:
    r"""Compare each group's words with everybody else's, with an informative Dirichlet prior.

    With :math:`y_w` uses of word :math:`w` among the :math:`n` words of a group, and the prior
    :math:`\alpha_w = \alpha_0 f_w` in proportion to the word's frequency :math:`f_w` over all
    groups,

    .. math:: \hat\delta_w = \log\frac{y_w + \alpha_w}{n + \alpha_0 - y_w - \alpha_w}
        - \log\frac{y'_w + \alpha_w}{n' + \alpha_0 - y'_w - \alpha_w}, \qquad
        \hat\sigma^2_w \approx \frac{1}{y_w + \alpha_w} + \frac{1}{y'_w + \alpha_w},

    where the prime is the rest. Profiles of one name are no independent observations: the interval
    rests on the larger of :math:`\hat\sigma^2` and the variance that the spread between names
    gives (linearised, with n/(n − 1) for the number of names).

    Parameters
    ----------
    counts
        How often each name gets each word: shape (names, words).
    groups
        The group of each name as a code from 0: shape (names,); at least two groups of two names.
    strength
        :math:`\alpha_0`, in words; one for every different word when left out.
    level
        Confidence of the interval.

    Raises
    ------
    ValueError
        Shapes that do not match, a count that is negative or not finite, fewer than two groups,
        or a group of fewer than two names.

    References
    ----------
    Monroe, Colaresi and Quinn (2008), "Fightin' words", Political Analysis 16, equations 15 to 22.
    """
    used, code = _checked(counts, groups)
    member = np.eye(code.max() + 1)[code].T
    own = member @ used
    pooled = used.sum(axis=0)
    rest = pooled - own
    prior = (used.shape[1] if strength is None else strength) * pooled / max(pooled.sum(), 1)
    odds, rest_odds = _log_odds(own, prior), _log_odds(rest, prior)
    value = odds - rest_odds
    variance = 1 / np.maximum(own + prior, 1e-12) + 1 / np.maximum(rest + prior, 1e-12)
    spread = _between_names(used, member, prior) + _between_names(used, 1 - member, prior)
    error = np.sqrt(np.maximum(variance, spread))
    width = ndtri(tails(level)[1]) * error
    return LogOdds(
        value,
        error,
        value - width,
        value + width,
        value / np.sqrt(variance),
        names_test(used, code),
    )


def _checked(counts: ArrayLike, groups: ArrayLike) -> tuple[Floats, NDArray[np.int64]]:
    used, code = np.asarray(counts, dtype=np.float64), np.asarray(groups, dtype=np.int64)
    if used.ndim != 2 or code.shape != used.shape[:1]:
        raise ValueError(f"need (names, words) and (names,), not {used.shape} and {code.shape}")
    if not (np.isfinite(used).all() and (used >= 0).all()):
        raise ValueError("counts must be finite and not negative")
    sizes = np.bincount(code)
    if len(sizes) < 2 or sizes.min() < 2:
        raise ValueError("need at least two groups of at least two names each")
    return used, code


def _log_odds(counts: Floats, prior: Floats) -> Floats:
    inside = np.maximum(counts + prior, 1e-12)
    outside = counts.sum(axis=1, keepdims=True) + prior.sum() - inside
    return np.asarray(np.log(inside) - np.log(np.maximum(outside, 1e-12)))


def _between_names(used: Floats, member: Floats, prior: Floats) -> Floats:
    """Variance of a log-odds by linearisation: the sum over names of their squared influence."""
    counts = member @ used
    total = counts.sum(axis=1, keepdims=True) + prior.sum()
    rate = np.clip((counts + prior) / np.maximum(total, 1e-12), 1e-12, 1 - 1e-12)
    sizes = used.sum(axis=1)
    # Sum over names of (y - rate * n)^2, multiplied out so that no (groups, names, words) is held.
    squares = (
        member @ used**2
        - 2 * rate * (member @ (used * sizes[:, None]))
        + rate**2 * (member @ sizes**2)[:, None]
    )
    names = member.sum(axis=1, keepdims=True)
    scale = names / np.maximum(names - 1, 1) / (total * rate * (1 - rate)) ** 2
    return np.asarray(np.maximum(squares, 0) * scale)


def names_test(counts: ArrayLike, groups: ArrayLike, *, attainable: float = 0.05) -> Floats:
    r"""Test whether names of a group get a word more or less often than other names do.

    Mood's median test with Fisher's exact distribution: a name is *high* if it gets the word more
    often than the median name (or at least as often, if that splits the names more evenly). Were
    names dealt out to groups at random, the number of high names in a group would be
    hypergeometric. Exact for any number of names; what is one name's counts once.

    Parameters
    ----------
    counts
        Shape (names, words).
    groups
        Code of each name's group: shape (names,).
    attainable
        Words of which so few (or so many) names are high that no p-value could be as low as this
        are not tested: that depends on no label, and keeps the family of tests small.

    Returns
    -------
    numpy.ndarray
        p-values in (0, 1], twice the smaller tail; shape (groups, words). NaN: not tested.

    Raises
    ------
    ValueError
        As `weighted_log_odds`.

    References
    ----------
    Mood (1954), Annals of Mathematical Statistics 25. Tarone (1990), Biometrics 46, for leaving
    out tests that cannot be significant.
    """
    used, code = _checked(counts, groups)
    sizes = used.sum(axis=1, keepdims=True)
    rate = np.divide(used, sizes, out=np.zeros_like(used), where=sizes > 0)
    median = np.median(rate, axis=0)
    above, at_least = rate > median, rate >= median
    half = len(rate) / 2
    more_even = np.abs(above.sum(axis=0) - half) <= np.abs(at_least.sum(axis=0) - half)
    high = np.where(more_even, above, at_least)
    member = np.eye(code.max() + 1)[code].T
    observed = member @ high
    size, total = member.sum(axis=1)[:, None], high.sum(axis=0)[None, :]
    p = _two_sided(observed, len(rate), total, size)
    least = np.maximum(0, size + total - len(rate))
    most = np.minimum(size, total)
    best = np.minimum(
        _two_sided(least, len(rate), total, size), _two_sided(most, len(rate), total, size)
    )
    return np.asarray(np.where(best <= attainable, p, np.nan))


def _two_sided(observed: Floats, names: int, high: Floats, size: Floats) -> Floats:
    from scipy.stats import hypergeom

    lower = hypergeom.cdf(observed, names, high, size)
    upper = hypergeom.sf(observed - 1, names, high, size)
    return np.asarray(np.minimum(1, 2 * np.minimum(lower, upper)))
