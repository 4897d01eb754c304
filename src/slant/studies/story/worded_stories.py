"""Comparing stories about attributes over their wordings and scenes, beside things of no matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.studies.crossed_findings import crossed_findings
from slant.studies.filing import Quantity
from slant.studies.worded import Held, lay_out
from slant.studies.worded_rates import with_wordings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.studies.filing import Filing
    from slant.studies.story.compare import Scored
    from slant.studies.study import Analysis


@dataclass(frozen=True)
class WordedStories:
    """Stories with what they are about.

    Attributes
    ----------
    table
        One row a question, as `judged` gives them, with `part`, `kind` and `wording`.
    file
        What findings are filed under.
    seed
        Of the run.
    reference
        Compare with this attribute, too.
    """

    table: pl.DataFrame
    file: Filing
    seed: int
    reference: str | None

    @property
    def told(self) -> pl.Series:
        """Which rows are stories, in the order that scores have."""
        return self.table["outcome"] == "answered"

    def compare(self, scores: Sequence[Scored]) -> list[Analysis]:
        """Compare by every score; those of one metric, each of another topic, are one family."""
        metrics: dict[str, list[Scored]] = {}
        for each in scores:
            metrics.setdefault(each.metric, []).append(each)
        return [self._metric(several) for several in metrics.values()]

    def _metric(self, scores: Sequence[Scored]) -> Analysis:
        first = scores[0]
        own = Quantity(
            first.metric, "mean", "mean", first.direction, scale=first.scale,
            measure=first.measure, how={first.scored_by: first.signature},
        )  # fmt: skip
        every = [self._held(each) for each in scores]
        return crossed_findings(self.file, own, every, seed=self.seed, reference=self.reference)

    def _held(self, score: Scored) -> Held:
        values = np.full(self.table.height, np.nan)
        values[self.told.to_numpy()] = score.values
        table = self.table.with_columns(pl.Series("value", values).fill_nan(None))
        shares = score.scale == "share"
        real, *controls = (
            lay_out(part, part, shares=shares)
            for _, part in table.group_by("part", "axis", maintain_order=True)
        )
        return Held(real, controls, score.condition)


def with_captions(answers: pl.LazyFrame) -> pl.LazyFrame:
    """Take what stood in each scene for the prompt of its story."""
    wording = pl.col("slots").str.json_path_match("$.wording")
    caption = pl.col("condition").str.replace("{group}", wording, literal=True)
    return answers.with_columns(caption.alias("prompt"), pl.col("condition").alias("frame"))


def stories_of(
    table: pl.DataFrame, answers: pl.LazyFrame, file: Filing, seed: int, reference: str | None
) -> WordedStories:
    """Join wordings to judged answers, those about placebos among them."""
    return WordedStories(with_wordings(answers, table), file, seed, reference)
