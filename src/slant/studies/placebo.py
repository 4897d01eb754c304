"""Placebo groups beside the real ones: which are asked about, and where findings stand among them.

Months and invented peoples cannot differ in what is measured. What they differ by all the same is
what a model makes of mere words, and a difference between real groups must be larger.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from slant.groups.axes import placebo_names
from slant.groups.axis_file import load_axis
from slant.groups.wordings import shared_kinds
from slant.records import PLACEBO, SURE, Placebo
from slant.stats.placebo import placebo_spread
from slant.studies.filing import Measured, Quantity, Subject, q_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slant.groups.axes import Axis, Group
    from slant.records import Finding
    from slant.stats.placebo import PlaceboSpread
    from slant.studies.filing import Filing


@dataclass(frozen=True)
class PlaceboPlan:
    """Which placebo groups are asked about, and how often.

    Attributes
    ----------
    axes
        Axes of placebo groups; none where they are turned off or nothing fits.
    each
        Questions about each of their groups, in the unit that the real groups are counted in.
    """

    axes: tuple[Axis, ...]
    each: int


FEWEST = 3
"""Groups of a placebo axis, at least: each is compared with the others of its axis."""

ENOUGH = 6
"""Placebo groups, or sentences that say nothing, that are asked about in all, at least: with three
even the largest difference between rates is not beyond what words may do."""

NEAREST = ("clubs", "invented-peoples", "invented-religions")
"""Makes whose groups are called by names that nobody knows, as groups of people are: models make
more of these than of months and numbers, and they are asked about before others."""


def several_makes(axes: Sequence[Axis], groups: int, seed: int, of: str) -> list[Axis]:
    """Draw some groups of as many axes as can be had.

    What a model makes of words differs more from make to make (months, invented religions) than
    within one, so that few groups of each of many say more than all groups of one. Those that are
    most like groups of people come first (`NEAREST`).

    Parameters
    ----------
    axes
        Which there are.
    groups
        How many groups in all, about; never fewer than six, of two makes.
    seed, of
        What the draw hangs on.
    """
    rng = np.random.default_rng([seed, *of.encode()])
    groups = max(ENOUGH, groups)
    count = min(len(axes), groups // FEWEST)
    order = sorted(rng.permutation(len(axes)), key=lambda place: axes[place].name not in NEAREST)
    chosen = sorted(order[:count])
    found = []
    for place in chosen:
        axis = axes[place]
        some = min(len(axis.groups), max(FEWEST, groups // count))
        drawn = sorted(rng.permutation(len(axis.groups))[:some])
        found.append(replace(axis, groups=tuple(axis.groups[each] for each in drawn)))
    return found


def plan_placebos(
    axis: Axis,
    groups: Sequence[Group],
    each: int,
    share: float,
    templates: Sequence[str],
    *,
    least: int,
    seed: int,
) -> PlaceboPlan:
    """Choose placebo groups so that they take a share of all questions.

    As many groups as can be had with so many questions each, of several makes (`several_makes`),
    and what is left over goes to more questions. Which groups is drawn from the seed.

    Parameters
    ----------
    axis, groups
        What is really asked about.
    each
        Questions about each group, of any unit: answers to a prompt, pairs in a cell.
    share
        Of all questions, those about placebo groups; six groups at least are asked about, each at
        least once.
    templates
        The prompts, in which the placebo groups must have a name, too.
    least
        Questions that a placebo group needs at least to stand for its wordings.
    """
    known = [load_axis(name) for name in placebo_names() if name != axis.name]
    fit = [
        each for each in known
        if each.language == axis.language and len(shared_kinds(each.groups, templates)) > 1
    ]  # fmt: skip
    if not fit or share == 0:
        return PlaceboPlan((), 0)
    budget = len(groups) * each * share / (1 - share)
    chosen = several_makes(fit, int(budget // least), seed, axis.name)
    count = sum(len(each.groups) for each in chosen)
    return PlaceboPlan(tuple(chosen), max(1, int(budget // count)))


@dataclass(frozen=True)
class Placebos:
    """What the placebo axes of one metric and contrast show.

    Attributes
    ----------
    axes
        Names of those that were asked about.
    spread
        What their groups' differences come to; `None` where none were measured.
    """

    axes: tuple[str, ...]
    spread: PlaceboSpread | None

    def against(self, value: float, error: float, tests: int = 0) -> Placebo | None:
        """Say where a difference stands among them; `None` where nothing was asked about any.

        Where they were asked about and too little was answered, no difference is larger.

        Parameters
        ----------
        value, error
            The difference and its standard error.
        tests
            How many are compared in its family, to say from which size on one would stand out.
        """
        if not self.axes or not np.isfinite([value, error]).all():
            return None
        if self.spread is None:
            return Placebo(0.0, self.axes, 0)
        p = float(self.spread.p_value(value, error))
        needed = None
        if tests:
            level = SURE / tests
            needed = (
                self.spread.smallest(error, level), self.spread.smallest(error, level / 100)
            )  # fmt: skip
        return Placebo(1 - p, self.axes, self.spread.differences, p, needed=needed)


def placebos_of(
    axes: Sequence[str],
    values: NDArray[np.float64],
    errors: NDArray[np.float64],
    noise: NDArray[np.float64] | None = None,
    pooled: float = 0.0,
) -> Placebos:
    """Put differences between placebo groups together.

    Parameters
    ----------
    axes
        Names of their axes.
    values, errors
        Shape (differences,): the differences and their standard errors; NaN where there is none.
    noise
        Squares of the errors without bias, where they are known (`placebo_spread`).
    pooled
        What they come to in all tables of the family (`PlaceboSpread.pooled`).
    """
    known = np.isfinite(values) & np.isfinite(errors)
    if known.sum() < 2:
        return Placebos(tuple(axes), None)
    spread = placebo_spread(values[known], errors[known], None if noise is None else noise[known])
    return Placebos(tuple(axes), replace(spread, pooled=pooled))


def beyond_placebos(findings: Sequence[Finding]) -> list[Finding]:
    """Adjust the p-values of a family for a difference beyond both chance and mere words.

    A finding's is the larger of its own and that of a group like the placebo groups; it stays its
    own where no placebo is known.
    """
    p = [math.nan if each.p is None else max(each.p, _placebo_p(each)) for each in findings]
    return [
        finding
        if finding.placebo is None
        else replace(finding, placebo=replace(finding.placebo, q=q))
        for finding, q in zip(findings, q_values(p), strict=True)
    ]


def _placebo_p(finding: Finding) -> float:
    return 0.0 if finding.placebo is None else finding.placebo.p or 0.0


def placebo_finding(
    file: Filing, own: Quantity, spread: PlaceboSpread | None, subject: Subject, n: int
) -> list[Finding]:
    """Say what mere words come to: how far placebo groups differ, without the noise."""
    if spread is None:
        return []
    what = Quantity(
        f"{own.metric}_placebo", "strength", "strength", "lower_is_better", scale=own.scale,
        measure=own.measure, unit="placebo groups", part=PLACEBO,
        how={**own.how, "ci": "chi-squared(placebo groups)"},
    )  # fmt: skip
    measured = Measured(spread.value, spread.low, spread.high, n=n, unit_count=spread.differences)
    return [file(what, subject, measured)]
