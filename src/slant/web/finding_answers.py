"""The answers that a number rests on: found by whom and what they are about, a page at a time.

Tables are scanned, never read whole: only the narrow columns of one group are collected, and the
texts of no more answers than are shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.measures.measure import REFUSAL
from slant.web.answer_rows import answer_rows
from slant.web.asked import answers_of, asked, measure_of, measures_of, recent, scores_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from slant.records import Finding
    from slant.web.answer_rows import AnswerRow
    from slant.web.open_run import OpenRun


@dataclass(frozen=True)
class Behind:
    """Answers of one model to one study, about one group and in some condition.

    Attributes
    ----------
    run, model, study, axis, group
        Whose answers, and about whom.
    condition
        Only this one; empty for all.
    measure
        What scored them; empty for nothing.
    part
        Which sub-experiment asked; empty for the main one.
    slots
        Slots that tell the answers, with their values, where group and condition do not.
    """

    run: OpenRun
    model: str
    study: str
    axis: str
    group: str
    condition: str = ""
    measure: str = ""
    part: str = ""
    slots: tuple[tuple[str, str], ...] = ()

    def table(self) -> pl.DataFrame:
        """Collect what is needed to choose among the answers, without their texts.

        Returns
        -------
        polars.DataFrame
            `position`, `sample`, `condition`, `outcome` (a text that reads as a refusal is
            refused) and `value` of the measure (null unless answered).
        """
        return recent(self.run, "tables").kept(self._key, self._table)

    @property
    def _key(self) -> tuple[object, ...]:
        about = (self.model, self.study, self.axis, self.group, self.condition)
        return (*about, self.measure, self.part, *self.slots)

    def _table(self) -> pl.DataFrame:
        import polars as pl

        table = self.narrowed().select("position", "sample", "condition", "outcome").collect()
        for name in dict.fromkeys([self.measure, REFUSAL]):
            values = self._scores([name]).select("position", pl.col("value").alias(f"by {name}"))
            table = table.join(values.collect(), on="position", how="left", maintain_order="left")
        answered = pl.col("outcome") == "answered"
        refused = answered & (pl.col(f"by {REFUSAL}") == 1)
        value = pl.col(f"by {self.measure}")
        if self.measure != REFUSAL:
            value = pl.when(answered & ~refused.fill_null(value=False)).then(value)
        return table.select(
            "position",
            "sample",
            "condition",
            pl.when(refused).then(pl.lit("refused")).otherwise("outcome").alias("outcome"),
            value.alias("value"),
        )

    def narrowed(self) -> pl.LazyFrame:
        """Scan the answers of this group and condition, all columns."""
        import polars as pl

        own = answers_of(self.run).filter(model=self.model, study=self.study, part=self.part)
        for name, value in self.slots:
            # A run may come from anyone: only a plain name is looked up.
            held = pl.col("slots").str.json_path_match(f"$.{name}") == value
            own = own.filter(held if name.isidentifier() else pl.lit(value=False))
        about = asked(self.run).filter(
            model=self.model, study=self.study, axis=self.axis, group=self.group
        )
        if not about.is_empty():  # else its slots tell of the group
            own = own.filter(axis=self.axis, group=self.group)
        if self.condition and self.condition in about["condition"]:
            own = own.filter(condition=self.condition)
        return own

    def _scores(self, measures: Sequence[str]) -> pl.LazyFrame:
        import polars as pl

        scores = scores_of(self.run).filter(model=self.model, study=self.study)
        return scores.filter(pl.col("measure").is_in(list(measures)))

    def rows(self, positions: Sequence[int]) -> list[AnswerRow]:
        """Read some answers whole, in the order asked for."""
        return answer_rows(self.run, self.model, self.study, self.measure, positions)

    def words(self) -> pl.DataFrame:
        """List the words that caused scores: columns `word` and `position`, each pair once."""
        return recent(self.run, "words").kept(self._key, self._words)

    def _words(self) -> pl.DataFrame:
        import polars as pl

        scored = self.table().filter(pl.col("value") > 0).select("position")
        spans = (
            self._scores([self.measure])
            .select("position", "spans")
            .join(scored.lazy(), on="position", how="semi")
        )
        texts = (
            answers_of(self.run)
            .filter(model=self.model, study=self.study)
            .select("position", "text")
            .join(scored.lazy(), on="position", how="semi")
        )
        start = pl.col("spans").list.get(0)
        return (
            spans.explode("spans", empty_as_null=True, keep_nulls=True)
            .drop_nulls("spans")
            .join(texts, on="position")
            .select(
                "position",
                pl.col("text")
                .str.slice(start, pl.col("spans").list.get(1) - start)
                .str.to_lowercase()
                .alias("word"),
            )
            .unique()
            .collect()
        )


def behind(run: OpenRun, finding: Finding, measure: str | None = None) -> Behind | None:
    """Find the answers that a finding rests on.

    Parameters
    ----------
    run, finding
        Where, and which.
    measure
        Score them by this one instead of the finding's own.

    Returns
    -------
    Behind or None
        `None` when no answer can be told to be about the finding's group: a group that was found
        in the answers, not asked for, or all groups together.
    """
    about = asked(run).filter(model=finding.model, study=finding.study)
    if about.is_empty() or not finding.group:
        return None
    measures = measures_of(run, finding.model, finding.study)
    chosen = measure if measure in measures else measure_of(finding, measures)
    if about.filter(axis=finding.axis, group=finding.group).is_empty() and not finding.slots:
        return None
    place = (run, finding.model, finding.study, finding.axis, finding.group)
    slots = tuple(finding.slots.items())
    return Behind(*place, finding.condition, chosen or "", finding.part, slots)
