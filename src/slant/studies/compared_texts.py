"""Texts of groups that are compared by what measures say of them: as rates, or as means."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from slant.measures.measure import REFUSAL
from slant.records import VS_REST
from slant.studies.copies import copies_note
from slant.studies.mean_findings import Means, mean_findings
from slant.studies.quotes import pick_quotes
from slant.studies.rate_findings import Rates, rate_findings
from slant.studies.rate_tables import (
    disagreements,
    group_table,
    judged,
    matched_words,
    outcome_table,
)
from slant.studies.signature import content_hash, filing
from slant.studies.study import Figure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.measures.measure import Measure
    from slant.records import Finding
    from slant.studies.study import Quote, Study

MEANS = "means"
"""The table of the mean score of every group and prompt."""


@dataclass(frozen=True)
class ComparedTexts:
    """The texts of one study, judged by its measures.

    Attributes
    ----------
    study
        Whose answers they are.
    answers, scores
        As `Study.analyse` is given them.
    measures
        What is compared; a text that the first gives no score is unparseable.
    reference
        Compare every group with this one too, if it is among them.
    parameters
        What else the numbers depend on, for the signature; the groups' names when `None`.
    beside
        Further ways of measuring what the first measures.
    """

    study: Study
    answers: pl.LazyFrame
    scores: pl.LazyFrame
    measures: Sequence[Measure]
    reference: str | None = None
    parameters: Mapping[str, object] | None = None
    beside: Sequence[Measure] = ()

    @cached_property
    def table(self) -> pl.DataFrame:
        """One row an answer; see `judged`, with a column for every measure but the first."""
        first, *others = self.measures
        names = [each.name for each in (*self.beside, *others)]
        table = judged(self.answers, self.scores, first.name, names, self.study)
        for each in self.measures:
            each.check(table[self._column(each)])
        return table

    @cached_property
    def groups(self) -> list[str]:
        """The groups, in the order asked."""
        return self.table["group"].unique(maintain_order=True).to_list()

    @cached_property
    def prompts(self) -> list[str]:
        """What has the same condition is one prompt."""
        return self.table["condition"].unique(maintain_order=True).to_list()

    @cached_property
    def outcomes(self) -> pl.DataFrame:
        """How often each outcome was, by group."""
        return outcome_table(self.table, self.groups)

    @cached_property
    def counts(self) -> pl.DataFrame:
        """Answers, matches of the first measure, and refusals, by group and prompt."""
        return group_table(self.table)

    def findings(self, measure: Measure, metric: str = "") -> list[Finding]:
        """Compare the groups by a measure: their rates, or their means.

        Parameters
        ----------
        measure
            One of `measures`.
        metric
            What the findings are called; what the measure calls them when empty.
        """
        score = pl.col(self._column(measure))
        if measure.scale == "real":
            return self._filed(self._means(measure, score), measure.signature)
        target = 0.0 if measure.direction == "lower_is_better" else None
        rates = Rates(
            metric or measure.metric, measure.name, self.groups, self._cells(score == 1),
            self._cells(score.is_not_null()), self._by_group, self._reference,
            measure.direction, target,
        )  # fmt: skip
        return self._filed(rates, measure.signature)

    def refusals(self) -> list[Finding]:
        """Compare how often the groups' texts are refusals."""
        refused = self._cells(pl.col("outcome") == "refused")
        asked = self._cells(pl.col("outcome").is_in(["answered", "refused"]))
        rates = Rates(
            "refusal_rate", REFUSAL, self.groups, refused, asked, self._by_group,
            self._reference, missing="no reply at all",
        )  # fmt: skip
        signatures = [each.signature for each in self.study.measures() if each.name == REFUSAL]
        # Told by a measure, or only by what the server says.
        return self._filed(rates, signatures[0] if signatures else "outcome")

    def figures(self, measure: Measure, findings: Sequence[Finding]) -> list[Figure]:
        """Ask for pictures of a measure's figures, as far as they are known."""
        what = f"{measure.called[:1].upper()}{measure.called[1:]}, by group"
        own = f"{what}: how many texts show it" if measure.scale == "binary" else what
        apart = f"{what}: the difference from the median of the others"
        titles = {"rate": own, "mean": own, VS_REST: apart}
        return forests(measure.metric, titles, findings)

    def means(self) -> dict[str, pl.DataFrame]:
        """List the mean scores by group and prompt of the measures that are no yes or no."""
        real = [each for each in self.measures if each.scale == "real"]
        if not real:
            return {}
        columns = [pl.col(self._column(each)).mean().alias(each.metric) for each in real]
        grouped = self.table.group_by("group", "condition", maintain_order=True)
        return {MEANS: grouped.agg(columns)}

    def evidence(self) -> dict[str, pl.DataFrame]:
        """List what lies behind the findings: counts, outcomes, means, matches, disagreements."""
        first, found = self.measures[0].name, {"counts": self.counts, "outcomes": self.outcomes}
        found |= self.means()
        found["matched_words"] = matched_words(self.answers, self.scores, first)
        for other in self.beside:
            found["disagreements"] = disagreements(self.table, self.answers, first, other.name)
        return found

    def quotes(self) -> list[Quote]:
        """Show answers of each group."""
        seed = self.study.circumstances.seed
        name = self.measures[0].name
        return pick_quotes(self.table, self.answers, self.scores, name, seed=seed)

    def notes(self, findings: Sequence[Finding]) -> list[str]:
        """Say what must be known before the findings are trusted."""
        notes, prompts = copies_note(self.table), len(self.prompts)
        if prompts > 1 and any(f.is_comparison and f.unit == "answers" for f in findings):
            notes.append(
                f"{prompts} prompts are few: p and q speak about these prompts only, and not about "
                "prompts in general. The intervals resample the prompts and are rough."
            )
        failed = self.table.filter(pl.col("outcome") != "answered").height
        if failed:
            notes.append(
                f"{failed:,} of {self.table.height:,} questions have no completion to measure; "
                "they are counted as outcomes and enter no rate or mean."
            )
        return notes

    def _column(self, measure: Measure) -> str:
        return "value" if measure is self.measures[0] else measure.name

    @property
    def _by_group(self) -> Mapping[str, Mapping[str, int]]:
        return {row["group"]: row for row in self.outcomes.iter_rows(named=True)}

    @property
    def _reference(self) -> str | None:
        return self.reference if self.reference in self.groups else None

    def _means(self, measure: Measure, score: pl.Expr) -> Means:
        scored = (
            self.table.filter("counts")
            .select(
                pl.col("group").replace_strict(self.groups, range(len(self.groups))),
                pl.col("condition").replace_strict(self.prompts, range(len(self.prompts))),
                score.alias("value"),
            )
            .drop_nulls()
        )
        return Means(measure, self.groups, scored, self._by_group, self._reference, MEANS)

    def _filed(self, what: Rates | Means, measured_by: str) -> list[Finding]:
        axis, circumstances = self.table["axis"][0], self.study.circumstances
        file = filing(
            self.study,
            measure=measured_by,
            axis=axis,
            prompts=content_hash(sorted(self.prompts)),
            **(self.parameters or {"groups": content_hash(sorted(self.groups))}),
        )
        rng = np.random.default_rng([circumstances.seed, *what.metric.encode()])
        if isinstance(what, Means):
            return mean_findings(what, file, str(axis or ""), rng)
        return rate_findings(what, file, str(axis or ""), method=circumstances.method, rng=rng)

    def _cells(self, is_so: pl.Expr) -> np.ndarray[Any, np.dtype[np.int64]]:
        """Count rows as (groups, prompts)."""
        cells = np.zeros((len(self.groups), len(self.prompts)), dtype=np.int64)
        counted = self.table.filter("counts", is_so).group_by("group", "condition").len()
        for group, prompt, count in counted.iter_rows():
            cells[self.groups.index(group), self.prompts.index(prompt)] = count
        return cells


def forests(metric: str, titles: Mapping[str, str], findings: Sequence[Finding]) -> list[Figure]:
    """Ask for a picture of each of a metric's contrasts of which something is known."""
    known = {each.contrast for each in findings if each.metric == metric and each.value is not None}
    return [
        Figure("forest", title, options={"metric": metric, "contrast": contrast})
        for contrast, title in titles.items()
        if contrast in known
    ]
