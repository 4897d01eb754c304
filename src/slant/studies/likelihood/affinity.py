"""The robust measure: how much more probable a name makes a descriptor, and the contrasts of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.records import Placebo
from slant.stats import median_of_others
from slant.stats.grid_contrasts import grid_contrasts, group_strength
from slant.stats.histogram import scaled
from slant.stats.name_covariates import without_covariates
from slant.studies.filing import family_q
from slant.studies.likelihood.placebo_names import AXIS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.by_chance import Histogram
    from slant.stats.arrays import Floats
    from slant.stats.name_placebo import NamePlacebo
    from slant.studies.likelihood.grid import Grid
    from slant.studies.likelihood.views import Family, View

COLUMNS = ("value", "low", "high", "p", "effect", "chance_low", "chance_high")
_ESTIMATES = ("value", "low", "high", "p")
_BY_CHANCE = {"expected": "expected", "chance_low": "low", "chance_high": "high"}
STRENGTHS = (*_ESTIMATES, *_BY_CHANCE)

_BESIDE = 1_000


@dataclass(frozen=True)
class Against:
    """Where figures stand among those of groups of made-up names; arrays of one shape.

    Attributes
    ----------
    share
        What share of the made-up groups' is smaller.
    q
        The larger of a figure's own p and of one minus the share, adjusted over all.
    n
        With how many they are compared.
    """

    share: Floats
    q: Floats
    n: int

    @classmethod
    def of(cls, share: Floats, p: Floats, n: int) -> Against:
        """Adjust."""
        return cls(share, family_q(np.maximum(p, 1 - share)), n)

    def placebo(self, *place: int) -> Placebo:
        """Tell of one figure."""
        share = float(self.share[place])
        return Placebo(share, (AXIS,), self.n, 1 - share, float(self.q[place]))


@dataclass(frozen=True)
class Contrasts:
    """Groups × descriptors of one view.

    Attributes
    ----------
    view
        Whose groups.
    cells
        Arrays of shape (groups, descriptors) by name: those of `COLUMNS`, and `q`
        (Benjamini-Hochberg over all cells of the view).
    strength
        Arrays of shape (groups,) by name: those of `STRENGTHS`, and `q` over the groups.
    n
        Shape (groups,): how many names.
    error
        Shape (groups, descriptors): what a value is divided by to give its t.
    nulls
        By group: the t of permuted names; `None` where nothing was permuted.
    strength_nulls
        By group: the strengths of permuted names; likewise.
    against, strength_against
        Where the cells, and the groups, stand among groups of made-up names; `None` without any.
    """

    view: View
    cells: dict[str, Floats]
    strength: dict[str, Floats]
    n: Floats
    error: Floats
    nulls: Sequence[Histogram | None]
    strength_nulls: Sequence[Histogram | None]
    against: Against | None = None
    strength_against: Against | None = None

    def row(self, group: str) -> int:
        """Give a group's number."""
        return [each.group for each in self.view.groups].index(group)

    def null(self, group: str, column: int) -> Histogram | None:
        """Give the values of a group's cell that names permuted among the groups would give."""
        row = self.row(group)
        pooled = self.nulls[row]
        return None if pooled is None else scaled(pooled, float(self.error[row, column]))


def log_probability(grid: Grid, *, adjusted: bool) -> Floats:
    """How probable each sentence is: minus the logarithm of its perplexity.

    Parameters
    ----------
    grid
        Without gaps.
    adjusted
        Subtract what a name does to all descriptors alike, template by template: the median over
        descriptors of its differences from the descriptor's median. What is left does not depend
        on how common the name is. APX does the same to groups, by division by the mean; with the
        median, a descriptor that leans strongly does not make all others lean the other way.
        Values that are APX already are left as they are.

    Returns
    -------
    numpy.ndarray
        Shape (names, descriptors, templates), in nats per token.
    """
    plain = -grid.log_perplexity
    if not adjusted or grid.adjusted:
        return plain
    typical = np.median(plain, axis=0, keepdims=True)
    return np.asarray(plain - np.median(plain - typical, axis=1, keepdims=True))


def comparable(grid: Grid, values: Floats) -> tuple[Floats, int]:
    """Take out what names do because of how long and how common they are (`without_covariates`).

    A perplexity is per token: a name of many tokens weakens what the descriptor adds, and so does
    one that is improbable itself.

    Parameters
    ----------
    grid
        Without gaps.
    values
        What `log_probability` gives, adjusted: shape (names, descriptors, templates).

    Returns
    -------
    values : numpy.ndarray
        Same shape.
    count : int
        How many covariates were taken out.
    """
    plain = -grid.log_perplexity
    typical = np.median(plain, axis=0, keepdims=True)
    common = np.median(plain - typical, axis=1).mean(axis=1)
    return without_covariates(values, np.stack([1 / grid.tokens, common], axis=1))


def contrasts_of(
    view: View,
    values: Floats,
    resamples: int,
    rng: np.random.Generator,
    made_up: NamePlacebo | None = None,
) -> Contrasts:
    """Compare every group of a view with the median of the others, descriptor by descriptor.

    Parameters
    ----------
    values
        Shape (names, descriptors).
    resamples
        How often names are permuted among the groups.
    made_up
        What groups of made-up names differ by.
    """
    grids, strengths = [], []
    for family in view.families:
        own = values[family.rows], family.labels, family.strata
        grids.append(grid_contrasts(*own, resamples=resamples, rng=rng))
        strengths.append(group_strength(*own, resamples=resamples, rng=rng))
    cells = {name: np.concatenate([getattr(grid, name) for grid in grids]) for name in COLUMNS}
    strength = {
        name: np.concatenate([getattr(each, name) for each in strengths]) for name in _ESTIMATES
    }
    for name, end in _BY_CHANCE.items():
        strength[name] = np.concatenate([getattr(each.chance, end) for each in strengths])
    against = strength_against = None
    if made_up is not None:
        share = np.concatenate([made_up.cell_share(grid) for grid in grids])
        against = Against.of(share, cells["p"], made_up.columns * len(made_up.excess))
        pairs = zip(strengths, grids, strict=True)
        shares = [made_up.strength_share(each, grid.chance_error) for each, grid in pairs]
        strength_against = Against.of(np.concatenate(shares), strength["p"], len(made_up.excess))
    cells["q"] = family_q(cells["p"])
    strength["q"] = family_q(strength["p"])
    return Contrasts(
        view,
        cells,
        strength,
        np.concatenate([grid.n for grid in grids]),
        np.concatenate([grid.error for grid in grids]),
        [null for grid in grids for null in grid.nulls],
        [null for each in strengths for null in each.chance.histograms],
        against,
        strength_against,
    )


def plain_contrasts(
    view: View, values: Floats, resamples: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Give value and q of the same comparisons for other values; shapes (groups, descriptors).

    They stand beside the others for comparison, so 1,000 permutations must do: over hundreds of
    descriptors even they make p-values below one in a million.
    """
    enough = min(resamples, _BESIDE)
    grids = [
        grid_contrasts(values[each.rows], each.labels, each.strata, resamples=enough, rng=rng)
        for each in view.families
    ]
    p = np.concatenate([grid.p for grid in grids])
    return np.concatenate([grid.value for grid in grids]), family_q(p)


def by_template(view: View, values: Floats) -> Floats:
    """Give each group's difference from the median of the others in every template.

    Parameters
    ----------
    values
        Shape (names, descriptors, templates).

    Returns
    -------
    numpy.ndarray
        Shape (groups, descriptors, templates).
    """
    parts = []
    for family in view.families:
        means = np.tensordot(_averaging(family), values[family.rows], axes=1)
        others = median_of_others(np.moveaxis(means, 0, -1))
        parts.append(means - np.moveaxis(others, -1, 0))
    return np.concatenate(parts)


def _averaging(family: Family) -> Floats:
    """Weights (groups, names) that average names within a stratum, then the strata."""
    strata = np.zeros_like(family.labels) if family.strata is None else family.strata
    weights = np.zeros((len(family.groups), len(family.labels)))
    for label in range(len(family.groups)):
        present = np.unique(strata[family.labels == label])
        for stratum in present:
            members = (family.labels == label) & (strata == stratum)
            weights[label, members] = 1 / members.sum() / len(present)
    return weights
