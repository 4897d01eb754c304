r"""Rates by a scorer that errs, corrected by a sample on which people have ruled.

A scorer with sensitivity :math:`Se` and specificity :math:`Sp` gives a group of true rate
:math:`\pi` the apparent rate :math:`w = \pi Se + (1 - \pi)(1 - Sp)`. Where they differ between
groups, apparent rates differ though true ones do not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.stats.arrays import critical_value
from slant.stats.chance import Chance
from slant.stats.inference import interval, vs_rest

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from slant.stats.arrays import Floats

_PRIOR = 0.5
"""Jeffreys' prior for a share: an interval has a width where no error was found, too."""


@dataclass(frozen=True, slots=True, eq=False)
class Corrected:
    """A figure of every group, corrected; arrays have shape (groups,), as shares.

    Attributes
    ----------
    value, low, high
        The figure with its interval.
    p
        Whether it is more than chance, two-sided; NaN of what is no comparison.
    chance
        The figure by chance, if there were no difference; of what is no comparison, nothing.
    """

    value: Floats
    low: Floats
    high: Floats
    p: Floats
    chance: Chance | None = None


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRates:
    """Corrected rates of groups, as point estimates and as draws.

    Attributes
    ----------
    rate, sensitivity, specificity
        Shape (groups,); NaN where nothing tells.
    drawn_rate, drawn_sensitivity, drawn_specificity
        Shape (draws, groups).
    """

    rate: Floats
    sensitivity: Floats
    specificity: Floats
    drawn_rate: Floats
    drawn_sensitivity: Floats
    drawn_specificity: Floats

    def rates(self, level: float = 0.95) -> Corrected:
        """Give every group's rate."""
        return self._alone(self.drawn_rate, self.rate, level)

    def sensitivities(self, level: float = 0.95) -> Corrected:
        """Of what is of the kind, the share that the scorer counts."""
        return self._alone(self.drawn_sensitivity, self.sensitivity, level)

    def specificities(self, level: float = 0.95) -> Corrected:
        """Of what is not of the kind, the share that the scorer does not count."""
        return self._alone(self.drawn_specificity, self.specificity, level)

    def against_rest(self, level: float = 0.95) -> Corrected:
        """Subtract from each group's rate the median of the others'; at least two groups."""
        return self._compared(vs_rest(self.rate), vs_rest(self.drawn_rate), vs_rest, level)

    def against(self, reference: int, level: float = 0.95) -> Corrected:
        """Subtract from each group's rate that of one group, whose own difference is NaN."""

        def less(rates: Floats) -> Floats:
            return np.asarray(rates - rates[..., [reference]])

        found = self._compared(less(self.rate), less(self.drawn_rate), less, level)
        for each in (found.value, found.low, found.high, found.p):
            each[reference] = np.nan
        return found

    @staticmethod
    def _alone(drawn: Floats, value: Floats, level: float) -> Corrected:
        low, high = interval(drawn, value, level)
        return Corrected(value, low, high, np.full(len(value), np.nan))

    def _compared(self, value: Floats, drawn: Floats, figure: object, level: float) -> Corrected:
        assert callable(figure)  # noqa: S101 - for the type checker
        low, high = interval(drawn, value, level)
        # What the figure would be by error alone, if all groups had the same rate.
        null = figure(self.drawn_rate - self.drawn_rate.mean(axis=0))
        sides = np.minimum((drawn <= 0).sum(axis=0), (drawn >= 0).sum(axis=0))
        p = np.minimum((1.0 + 2 * sides) / (1 + len(drawn)), 1.0)
        return Corrected(value.copy(), low, high, p, Chance.of(null, 0.0))


def judged_rates(
    apparent: ArrayLike,
    units: ArrayLike,
    judged: ArrayLike,
    *,
    resamples: int = 10_000,
    rng: np.random.Generator,
) -> JudgedRates:
    r"""Correct apparent rates by people's rulings on a sample of each group and score.

    Of a group's texts the share :math:`w` is scored 1; of those scored *a*, people rule the share
    :math:`r_a` to be of the kind. Then :math:`Se = w r_1 / (w r_1 + (1 - w) r_0)`,
    :math:`Sp = (1 - w)(1 - r_0) / (1 - w r_1 - (1 - w) r_0)`, and the estimate of Rogan and Gladen

    .. math:: \hat\pi = \frac{w + Sp - 1}{Se + Sp - 1} = w r_1 + (1 - w) r_0 .

    The right-hand side (Tenenbein's double sampling) is the same number without a difference in
    the denominator that may be near 0. Intervals are quantiles over draws of :math:`w` and
    :math:`r_a` from beta distributions with Jeffreys' prior, so that they carry what is not known
    of sensitivity and specificity; p is the level at which the interval of a difference would just
    hold 0.

    Parameters
    ----------
    apparent
        Share scored 1 of each group, shape (groups,), in [0, 1].
    units
        Independent texts on which the share rests (`effective_units`), shape (groups,).
    judged
        Counts of texts drawn at random from each group and score, by score and by what people
        rule: shape (groups, 2, 2).
    resamples
        Draws.

    Returns
    -------
    JudgedRates
        Of groups of which some score (that occurs) has no ruling, NaN.

    Raises
    ------
    ValueError
        Shapes that do not match, or negative counts.

    References
    ----------
    Rogan and Gladen (1978), American Journal of Epidemiology 107; Tenenbein (1970), Journal of the
    American Statistical Association 65; Lang and Reiczigel (2014), Preventive Veterinary Medicine
    113, on intervals that carry the uncertainty of sensitivity and specificity.
    """
    w, n, counts = (np.asarray(each, np.float64) for each in (apparent, units, judged))
    if counts.ndim != 3 or counts.shape[1:] != (2, 2) or not w.shape == n.shape == counts.shape[:1]:
        raise ValueError("apparent and units need the shape (groups,), judged (groups, 2, 2)")
    if (counts < 0).any() or (n < 0).any():
        raise ValueError("counts must not be negative")
    ruled = counts.sum(axis=2)
    some = np.stack([w < 1, w > 0], axis=1)  # which scores occur
    known = ~np.isnan(w) & ((ruled > 0) | ~some).all(axis=1)
    r = np.divide(counts[..., 1], ruled, out=np.zeros_like(ruled), where=ruled > 0)
    point = _figures(w, r)
    shape = (resamples, len(w))
    share = np.nan_to_num(w)
    drawn_w = rng.beta(share * n + _PRIOR, (1 - share) * n + _PRIOR, size=shape)
    drawn_r = rng.beta(counts[..., 1] + _PRIOR, counts[..., 0] + _PRIOR, size=(*shape, 2))
    drawn = _figures(drawn_w, drawn_r)
    rate, sensitivity, specificity = (np.where(known, each, np.nan) for each in point)
    return JudgedRates(rate, sensitivity, specificity, *drawn)


def _figures(w: Floats, r: Floats) -> tuple[Floats, Floats, Floats]:
    """Give rate, sensitivity and specificity; NaN where nothing is of the kind, or all is."""
    found, missed = w * r[..., 1], (1 - w) * r[..., 0]
    rate = found + missed
    with np.errstate(invalid="ignore"):
        return rate, found / rate, (1 - w) * (1 - r[..., 0]) / (1 - rate)


def effective_units(rate: ArrayLike, low: ArrayLike, high: ArrayLike, units: ArrayLike) -> Floats:
    """Say on how many independent texts a rate rests, by the width of its interval.

    A rate whose interval counts prompts or wordings is known less well than so many texts would
    tell: it counts for as many as would give a score interval of the same width, at least one and
    no more than there are.

    Parameters
    ----------
    rate, low, high
        With the 95% interval, shape (groups,).
    units
        How many texts there are.
    """
    p, n = np.asarray(rate, np.float64), np.asarray(units, np.float64)
    half = np.maximum((np.asarray(high, np.float64) - np.asarray(low, np.float64)) / 2, 1e-9)
    z = critical_value(0.95)
    # half² (1 + z²/n)² = z² (p(1 − p)/n + z²/4n²) in 1/n is quadratic; its positive root:
    a = half**2 * z**4 - z**4 / 4
    b = 2 * half**2 * z**2 - z**2 * p * (1 - p)
    c = half**2
    root = np.sqrt(np.maximum(b**2 - 4 * a * c, 0))
    inverse = np.where(np.abs(a) < 1e-12, -c / np.where(b == 0, -1e-12, b),
                       (-b - root) / np.where(a == 0, 1, 2 * a))  # fmt: skip
    with np.errstate(divide="ignore"):
        return np.clip(np.where(inverse > 0, 1 / inverse, 1.0), 1.0, np.maximum(n, 1.0))
