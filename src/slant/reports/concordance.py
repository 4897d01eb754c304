"""Whether measures agree about all groups of an axis: beyond chance, and theme by theme."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from slant.records import SURE
from slant.stats.multiple import benjamini_hochberg
from slant.stats.multitrait import Multitrait, multitrait
from slant.stats.rank_agreement import RankAgreement, rank_agreement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.reports.associations import Reading, Topic
    from slant.stats.arrays import Floats

Answer: TypeAlias = Literal["agree", "disagree", "unknown"]


@dataclass(frozen=True)
class ThemeAgreement:
    """Whether measures put the groups of an axis in the same order, by one theme.

    Attributes
    ----------
    model, axis, topic, measures
        Whose, on which axis, about what, by which questions.
    found
        The agreement beside chance; `None` where there are too few groups or measures.
    q
        Its p-value, adjusted for all themes, axes and models that are told together.
    """

    model: str
    axis: str
    topic: Topic
    measures: tuple[str, ...]
    found: RankAgreement | None
    q: float | None

    @property
    def answer(self) -> Answer:
        """Whether they agree; `unknown` where chance would do."""
        if self.found is None or self.q is None or self.q >= SURE:
            return "unknown"
        return "agree" if self.found.rank.value > 0 else "disagree"


@dataclass(frozen=True, eq=False)
class ThemeMatrix:
    """A multitrait-multimethod matrix of one model and axis.

    Attributes
    ----------
    model, axis, groups
        Whose, on which axis, and over how many groups.
    columns
        Theme and measure of every row and column.
    found
        The correlations, and what they come to.
    """

    model: str
    axis: str
    groups: int
    columns: tuple[tuple[Topic, str], ...]
    found: Multitrait


def theme_agreements(every: Sequence[Reading]) -> list[ThemeAgreement]:
    """Say for every theme that several measures have whether they agree about the groups.

    Parameters
    ----------
    every
        Of any models.
    """
    together: dict[tuple[str, str, Topic], list[Reading]] = defaultdict(list)
    for each in every:
        together[each.model, each.axis, each.topic].append(each)
    found = []
    for (model, axis, topic), own in together.items():
        measures = tuple(dict.fromkeys(each.measure for each in own))
        if len(measures) > 1:
            table = _table(own, [(topic, measure) for measure in measures])
            agreement = rank_agreement(table, rng=np.random.default_rng(0))
            found.append((model, axis, topic, measures, agreement))
    p = [np.nan if each[-1] is None else each[-1].rank.p for each in found]
    q = benjamini_hochberg(p) if p else np.array([])
    return [
        ThemeAgreement(*each, None if np.isnan(adjusted) else float(adjusted))
        for each, adjusted in zip(found, q, strict=True)
    ]


def theme_matrices(every: Sequence[Reading]) -> list[ThemeMatrix]:
    """Correlate all themes by all measures, for every model and axis with enough of them."""
    together: dict[tuple[str, str], list[Reading]] = defaultdict(list)
    for each in every:
        if each.topic.valued:
            together[each.model, each.axis].append(each)
    found = []
    for (model, axis), own in together.items():
        columns = _partnered(own)
        table = _table(own, columns)
        matrix = multitrait(
            table,
            [topic.theme for topic, _ in columns],
            [measure for _, measure in columns],
            rng=np.random.default_rng(0),
        ) if columns else None  # fmt: skip
        if matrix is not None:
            found.append(ThemeMatrix(model, axis, table.shape[1], tuple(columns), matrix))
    return found


def _partnered(own: Iterable[Reading]) -> list[tuple[Topic, str]]:
    """List theme and measure of what there is, the same themes side by side."""
    columns = dict.fromkeys((each.topic, each.measure) for each in own)
    return sorted(columns, key=lambda each: each[0].theme)


def _table(own: Sequence[Reading], columns: Sequence[tuple[Topic, str]]) -> Floats:
    """Give the strengths by column and group; NaN where there is none."""
    groups = list(dict.fromkeys(each.group for each in own))
    table = np.full((len(columns), len(groups)), np.nan)
    places = {column: place for place, column in enumerate(columns)}
    for each in own:
        if each.strength is not None:
            place = places[each.topic, each.measure]
            table[place, groups.index(each.group)] = each.strength
    return table
