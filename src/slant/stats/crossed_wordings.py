r"""Means of groups that are each worded in several ways and asked in several prompts.

A group's value is the mean over the cells wording × prompt. Every group has one wording of every
kind (noun, place …), and every wording stands in every prompt, so that kinds and prompts are
crossed and a wording is one group in one kind. Both are samples: of all ways to name the group,
and of all prompts like these. What is said of a group must hold for other wordings and prompts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtrit

from slant.stats.arrays import taken
from slant.stats.chance import Chance
from slant.stats.exchanges import exchanged_sums, exchanges
from slant.stats.filled_cells import filled_cells
from slant.stats.inference import ROUNDING, Estimate, unseen_error
from slant.stats.median_of_others import median_of_others
from slant.stats.rare_p import rare_p
from slant.stats.two_way_errors import Errors, Sums, errors_of, summed, two_way_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from slant.stats.arrays import Floats

FEWEST = 5
"""With fewer wordings or prompts nothing is said of wordings or prompts in general: no p."""


@dataclass(frozen=True, slots=True, eq=False)
class CrossedMeans:
    """What follows from a table of groups × kinds × prompts; arrays have shape (groups,).

    Attributes
    ----------
    own
        Each group's mean; p is NaN, for it is compared with nothing.
    vs_rest
        Its difference from the median of the other groups' means.
    vs_reference
        Its difference from the reference group; NaN for that; `None` without a reference.
    effect
        `vs_rest` divided by the standard deviation that one cell's difference has.
    rest_error, reference_error
        Standard errors of `vs_rest` and `vs_reference`.
    rest_noise, reference_noise
        Their squares without bias (`Errors.unbiased`): for what is averaged over groups.
    cells
        How many cells wording × prompt every group's mean rests on.
    """

    own: Estimate
    vs_rest: Estimate
    vs_reference: Estimate | None
    effect: Floats
    rest_error: Floats
    reference_error: Floats | None
    rest_noise: Floats
    reference_noise: Floats | None
    cells: int


def crossed_wordings(
    values: ArrayLike,
    *,
    reference: int | None = None,
    least: ArrayLike = 0.0,
    resamples: int = 10_000,
    rng: np.random.Generator,
) -> CrossedMeans:
    r"""Compare groups over wordings and prompts.

    *Intervals*: Student's t with the standard error and the degrees of freedom of
    `two_way_errors`, which count wordings and prompts, and not answers. For a contrast they are
    those of what is left when what all groups have in common in a cell is taken off. (Owen's
    bootstrap of both factors counts the rest between cells three times, and covers too much where
    cells are single answers; the components do not.)

    *p-value*: the contrast divided by its standard error, against the same when whole wordings
    change places between groups within their kind, with all their prompts; and when whole prompts
    do, with all their wordings. The larger of the two: the first alone takes what a group has in
    one prompt only for the group's, the second what it has in one wording only. Divided by errors
    of their own the statistics are comparable where groups spread unequally (Janssen 1997). Where
    there are no more arrangements than `resamples`, all are gone through. NaN with fewer than
    five kinds or prompts.

    Parameters
    ----------
    values
        Shape (groups, kinds, prompts). NaN where there is no value: `filled_cells` fills it, or
        leaves the cell out for all.
    reference
        Index of the group that others are compared with, too.
    least
        The least standard error of each group's mean, a number or shape (groups,): what counting
        alone gives, for a table of zeros has no spread. Where all cells are alike it is
        `unseen_error` at least.
    resamples
        Number of exchanges, at first.

    Raises
    ------
    ValueError
        Not of three dimensions, fewer than two groups, or fewer than two kinds or prompts left.

    References
    ----------
    Clark (1973), "The language-as-fixed-effect fallacy", Journal of Verbal Learning and Verbal
    Behavior 12. Baayen, Davidson and Bates (2008), "Mixed-effects modeling with crossed random
    effects for subjects and items", Journal of Memory and Language 59. Owen (2007), "The
    pigeonhole bootstrap", Annals of Applied Statistics 1. Janssen (1997), "Studentized
    permutation tests for non-i.i.d. hypotheses", Statistics and Probability Letters 36.
    """
    data, known = whole_cells(values)
    groups = len(data)
    # Filled cells do not take a mean beyond what was seen of the group.
    low, high = _ends(values)
    means = np.clip(_means(data, known), low, high)
    # Where all cells show the same, one more might not.
    still = high - low < ROUNDING * np.abs(means)
    unseen = np.where(still, unseen_error(means, known.sum()), 0.0)
    floor = np.maximum(np.asarray(least, dtype=np.float64), unseen) ** 2
    own = two_way_errors(data, known, floor)
    table = _Table(data - data.mean(axis=0), known, floor)
    enough = min(known.any(axis=1).sum(), known.any(axis=0).sum()) >= FEWEST
    draws = resamples if enough else 0
    rest, rest_error, rest_noise = table.contrast(None, draws, rng)
    against = None if reference is None else table.contrast(reference, draws, rng)
    spread = rest_error * np.sqrt(known.sum())
    return CrossedMeans(
        own=_estimate(means, own, np.full(groups, np.nan), _unknown(groups)),
        vs_rest=rest,
        vs_reference=None if against is None else against[0],
        effect=np.divide(rest.value, spread, out=np.zeros(groups), where=spread > 0),
        rest_error=rest_error,
        reference_error=None if against is None else against[1],
        rest_noise=rest_noise,
        reference_noise=None if against is None else against[2],
        cells=int(known.sum()),
    )


def whole_cells(values: ArrayLike) -> tuple[Floats, NDArray[np.bool_]]:
    """Keep the cells that `filled_cells` leaves: data with 0 elsewhere, and which they are.

    Returns
    -------
    data
        Shape (groups, kinds, prompts).
    known
        Shape (kinds, prompts).

    Raises
    ------
    ValueError
        As `crossed_wordings` says.
    """
    data = np.asarray(values, dtype=np.float64)
    if data.ndim != 3 or len(data) < 2:
        raise ValueError(f"values need two groups, kinds and prompts, not {data.shape}")
    data = filled_cells(data)
    known: NDArray[np.bool_] = np.asarray(np.isfinite(data).all(axis=0))
    if known.any(axis=1).sum() < 2 or known.any(axis=0).sum() < 2:
        raise ValueError("need two kinds of wordings and two prompts in which groups have values")
    kinds, prompts = np.flatnonzero(known.any(axis=1)), np.flatnonzero(known.any(axis=0))
    known = known[np.ix_(kinds, prompts)]
    return np.where(known, data[np.ix_(np.arange(len(data)), kinds, prompts)], 0.0), known


def _ends(values: ArrayLike) -> tuple[Floats, Floats]:
    """Give the smallest and the largest value of each group."""
    flat = np.asarray(values, dtype=np.float64).reshape(len(np.asarray(values)), -1)
    return np.nanmin(flat, axis=1), np.nanmax(flat, axis=1)


def _means(data: Floats, known: NDArray[np.bool_]) -> Floats:
    return np.asarray(data.sum(axis=(-2, -1)) / known.sum())


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Deviations from the mean of all groups in each cell, and how to compare groups by them."""

    apart: Floats
    known: NDArray[np.bool_]
    floor: Floats

    def contrast(
        self, reference: int | None, draws: int, rng: np.random.Generator
    ) -> tuple[Estimate, Floats, Floats]:
        """Compare with the rest, or with one group; give errors, and unbiased variances, too."""
        value = _differences(_means(self.apart, self.known), reference)
        value[np.abs(value) < ROUNDING * np.abs(self.apart).max()] = 0.0
        errors = self._errors(self.apart, self.floor, reference)
        # Exchanged groups have no floors of their own: in the statistic all have the same.
        common = float(self.floor.mean())
        statistic = _ratio(value, self._errors(self.apart, common, reference))
        p, chance = np.full(len(value), np.nan), _unknown(len(value))
        if draws:
            nulls = [self._null(axis, common, reference, statistic, draws, rng) for axis in (1, 2)]
            p = np.max([each for each, _ in nulls], axis=0)
            # The wider: what neither other wordings nor other prompts would give.
            chance = Chance.of(max((each for _, each in nulls), key=np.std), 0.0)
        error, noise = np.sqrt(errors.variance), errors.unbiased
        if reference is not None:
            groups = np.arange(len(value))
            places = np.where(groups == reference, -1, groups)
            chance = chance.at(places)
            value, error, noise, p = (taken(each, places) for each in (value, error, noise, p))
        return _estimate(value, errors, p, chance), error, noise

    def _null(
        self, axis: int, floor: float, reference: int | None, statistic: Floats, draws: int,
        rng: np.random.Generator,
    ) -> tuple[Floats, Floats]:  # fmt: skip
        """Exchange wordings within kinds (1) or prompts (2): p, and the exchanged values."""
        values: list[Floats] = []

        def drawn(some: int) -> Floats:
            # Whether more is drawn of one thing does not change what is drawn of the next.
            source = rng.spawn(1)[0] if values else rng
            parts = list(self._exchanged(axis, floor, reference, some, source))
            if not values:
                values.extend(value for value, _ in parts)
            return np.concatenate([_ratio(*part) for part in parts])

        smallest = float(len(self.apart)) ** -min(self.known.shape)
        return rare_p(drawn, statistic, draws, smallest=smallest), np.concatenate(values)

    def _exchanged(
        self, axis: int, floor: float, reference: int | None, draws: int, rng: np.random.Generator
    ) -> Iterator[tuple[Floats, Errors]]:
        """Give the differences of exchanged tables, with how sure they are."""
        if reference is None:
            for sums in exchanged_sums(self.apart, axis, draws, rng):
                means = sums.rows.sum(axis=-1) / self.known.sum()
                yield _differences(means, None), self._rest_errors(sums, floor)
            return
        for batch in exchanges(self.apart, axis, draws, rng):
            value = _differences(_means(batch, self.known), reference)
            yield value, self._errors(batch, floor, reference)

    def _errors(self, apart: Floats, floor: Floats | float, reference: int | None) -> Errors:
        """Say how sure a difference is: from the rest, or from one group."""
        if reference is None:
            return self._rest_errors(Sums.of(apart), floor)
        one = np.broadcast_to(np.asarray(floor), apart.shape[-3:-2])
        pair = apart - apart[..., [reference], :, :]
        return two_way_errors(pair, self.known, one + one[reference])

    def _rest_errors(self, apart: Sums, floor: Floats | float) -> Errors:
        """Say how sure a difference from the rest is.

        Each group's own error comes from its deviations from the mean of all groups, which vary by
        1 − 1/G less than it does; the median of n others has about π/(2n + π − 2) of the variance
        of one of them. Where these vary unequally that one has the mean of their standard errors,
        for a group that varies much lies far from the median and moves it little.
        """
        groups = apart.squares.shape[-1]
        own = errors_of(apart.times(np.sqrt(groups / (groups - 1))), self.known, floor)
        if groups == 2:  # the two deviate alike: theirs is one difference
            return Errors(
                own.variance + own.variance[..., ::-1],
                own.freedom,
                own.unbiased + own.unbiased[..., ::-1],
                own.steady + own.steady[..., ::-1],
            )
        others = groups - 1
        share = np.pi / (2 * others + np.pi - 2) / others
        every = np.ones((groups, groups)) - np.eye(groups)
        middle = summed(own, every, share)
        usual = np.sqrt(own.variance) @ every / others
        return Errors.added(own, replace(middle, variance=usual**2 * share * others))


def _differences(means: Floats, reference: int | None) -> Floats:
    return means - (median_of_others(means) if reference is None else means[..., [reference]])


def _ratio(value: Floats, errors: Errors) -> Floats:
    error = np.sqrt(errors.steady)
    return np.divide(value, error, out=np.zeros(value.shape), where=error > 0)


def _estimate(value: Floats, errors: Errors, p: Floats, chance: Chance) -> Estimate:
    half = stdtrit(errors.freedom, 0.975) * np.sqrt(errors.variance)
    freedom = np.broadcast_to(errors.freedom, value.shape)
    return Estimate(value, value - half, value + half, p, chance, freedom)


def _unknown(groups: int) -> Chance:
    nothing = np.full(groups, np.nan)
    return Chance(nothing, nothing, nothing, [None] * groups)
