"""Findings of any study whose answers have a number: a sentiment, a length, a warmth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from slant.records import VS_REST, Units, versus
from slant.stats.grouped_means import grouped_means
from slant.studies.filing import Measured, Quantity, Subject, adjusted, outcome_counts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import polars as pl

    from slant.measures.measure import Measure
    from slant.records import Finding
    from slant.stats.grouped_means import GroupedMeans, MeanContrast
    from slant.studies.filing import Filing

_RESAMPLES = 10_000


@dataclass(frozen=True)
class Means:
    """A table of numbers and what the findings made from it are to say.

    Attributes
    ----------
    measure
        What gave the numbers.
    groups
        Names, in order.
    scored
        One row an answer that has a number: `group` and `condition` as numbers, and `value`.
    outcomes
        For each group, how many of its questions ended in each outcome.
    reference
        Compare with this group as well.
    table
        Where the means by group and prompt are kept.
    """

    measure: Measure
    groups: Sequence[str]
    scored: pl.DataFrame
    outcomes: Mapping[str, Mapping[str, int]]
    reference: str | None
    table: str

    @property
    def metric(self) -> str:
        """What the findings are called."""
        return self.measure.metric


def mean_findings(means: Means, file: Filing, axis: str, rng: np.random.Generator) -> list[Finding]:
    """Turn numbers into findings: each group's mean, and its contrasts with the others.

    For every group: its mean; its difference from the median of the other groups' (`vs_rest`) and
    from the reference group's (`vs:<group>`), each with p, q (Benjamini-Hochberg over the groups)
    and Cohen's d.

    Parameters
    ----------
    file, axis
        What the findings are filed under.
    """
    there = means.scored["group"].unique().sort().to_list()
    rows = {means.groups[group]: row for row, group in enumerate(there)}
    result = None
    if there:
        prompts = means.scored["condition"].unique().sort().to_list()
        result = grouped_means(
            means.scored["value"].to_numpy(),
            np.searchsorted(there, means.scored["group"].to_numpy()),
            np.searchsorted(prompts, means.scored["condition"].to_numpy()),
            reference=rows.get(means.reference or ""),
            bounds=means.measure.bounds,
            resamples=_RESAMPLES,
            rng=rng,
        )
    return _Filed(means, file, axis, rows, result).findings()


@dataclass(frozen=True)
class _Filed:
    """Files what came out."""

    means: Means
    file: Filing
    axis: str
    rows: Mapping[str, int]
    result: GroupedMeans | None

    def findings(self) -> list[Finding]:
        groups, metric = self.means.groups, self.means.metric
        found = [self._mean(group) for group in groups]
        found += adjusted([self._vs_rest(group) for group in groups], f"{metric} {VS_REST}")
        if self.means.reference is not None:
            contrast = versus(self.means.reference)
            compared = [self._vs_reference(group, contrast) for group in groups]
            found += adjusted(compared, f"{metric} {contrast}")
        return found

    @property
    def _own(self) -> Quantity:
        measure = self.means.measure
        several = self.result is not None and self.result.cells.max() > 1
        unit = "prompts" if several else "answers"
        return Quantity(
            measure.metric, "mean", "mean", measure.direction, measure=measure.name, unit=unit,
            units=Units(self.means.table, ("condition",), measure.metric),
            how={"ci": f"draws({_RESAMPLES},{unit})"},
        )  # fmt: skip

    def _mean(self, group: str) -> Finding:
        if self.result is None or group not in self.rows:
            return self._filed(group, self._own, Measured(reason="no answer that can be measured"))
        row = self.rows[group]
        own = Measured(*self.result.own.ends(row), chance=self.result.own.chance[row])
        return self._filed(group, self._own, own)

    def _vs_rest(self, group: str) -> Finding:
        contrast = None if self.result is None else self.result.vs_rest
        return self._compared(group, VS_REST, contrast, self.rows.get(group))

    def _vs_reference(self, group: str, name: str) -> Finding:
        row = self.rows.get(group)
        pair = None if self.result is None or row is None else self.result.vs_reference.get(row)
        return self._compared(group, name, pair, 0)

    def _compared(
        self, group: str, name: str, contrast: MeanContrast | None, row: int | None
    ) -> Finding:
        what = self._own.against(name, effect_name="cohen_d")
        if group not in self.rows:
            return self._filed(group, what, Measured(reason="no answer that can be measured"))
        if contrast is None or row is None:
            alone = name == VS_REST or group != self.means.reference
            reason = "there is no other group to compare with" if alone else _REFERENCE
            return self._filed(group, what, Measured(reason=reason))
        # Answers that change places speak of these prompts only; whole cells, of prompts.
        unit = "answers" if contrast.permuted == "observations" else "prompts"
        what = self._own.against(
            name, effect_name="cohen_d", unit=unit, ci=f"draws({_RESAMPLES},{self._own.unit})",
            null=f"permutation({_RESAMPLES},{contrast.permuted})",
        )  # fmt: skip
        found = contrast.estimate
        apart = Measured(
            *found.ends(row), p=found.p[row], effect=contrast.effect[row], chance=found.chance[row]
        )
        return self._filed(group, what, apart)

    def _filed(self, group: str, what: Quantity, found: Measured) -> Finding:
        row = self.rows.get(group)
        if row is not None and self.result is not None:
            n, cells = int(self.result.n[row]), int(self.result.cells[row])
            found = replace(found, n=n, unit_count=cells if what.unit == "prompts" else n)
        outcomes = outcome_counts(self.means.outcomes.get(group, {}))
        return self.file(what, Subject(self.axis, group, outcomes), found)


_REFERENCE = "this is the reference group"
