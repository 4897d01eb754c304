"""Comparing stories about attributes over their wordings and scenes, beside things of no matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.studies.crossed_findings import crossed_findings
from slant.studies.filing import Quantity, outcomes_by_group
from slant.studies.rate_tables import judged
from slant.studies.signature import filing
from slant.studies.story.compare import Section
from slant.studies.story.scoring import score_stories
from slant.studies.story.shown import TABLE, caption_table, story_table
from slant.studies.study import Analysis
from slant.studies.worded import Held, lay_out
from slant.studies.worded_rates import analyse_worded_rates, with_wordings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.measures.measure import Measure
    from slant.studies.filing import Filing
    from slant.studies.story.compare import Scored
    from slant.studies.story.settings import StorySettings
    from slant.studies.story.worded_captions import WordedScenes
    from slant.studies.text_study import MeasuredStudy

RATE = "story_violence_rate"


@dataclass(frozen=True)
class WordedStories:
    """Stories with what they are about.

    Attributes
    ----------
    table
        One row a question, as `judged` gives them, with `part`, `kind` and `wording`.
    file
        What findings are filed under.
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


def _with_captions(answers: pl.LazyFrame) -> pl.LazyFrame:
    """Take what stood in each scene for the prompt of its story."""
    wording = pl.col("slots").str.json_path_match("$.wording")
    caption = pl.col("condition").str.replace("{group}", wording, literal=True)
    return answers.with_columns(caption.alias("prompt"), pl.col("condition").alias("frame"))


def analyse_worded_stories(
    study: MeasuredStudy,
    answers: pl.LazyFrame,
    scores: pl.LazyFrame,
    scenes: WordedScenes,
    settings: StorySettings,
    *,
    counted: Measure,
    parameters: Mapping[str, object],
    aside: Sequence[str],
) -> Analysis:
    """Compare the stories over wordings and scenes, and with those about placebos.

    Parameters
    ----------
    study, answers, scores
        As `Study.analyse` has them.
    scenes, settings
        What stories were told about, and how they are scored.
    counted
        What the rate is of.
    parameters
        What the numbers depend on, for signatures.
    aside
        Which kinds of wordings were not asked with, in words.
    """
    told, seed = _with_captions(answers), study.circumstances.seed
    rates = analyse_worded_rates(
        study, told, scores, metric=RATE, counted=counted, others=[], reference=scenes.reference,
        added=[each for each in study.added if each.scale == "binary"], parameters=parameters,
    )  # fmt: skip
    if not rates.findings:
        return rates
    axis = scenes.axis
    table = with_wordings(told, judged(told, scores, counted.name, [], study))
    file = filing(study, axis=axis.name, **parameters)
    texts = (
        table.filter(pl.col("outcome") == "answered")
        .select("position", "group", "axis")
        .join(told.select("position", "frame", "prompt", "text").collect(), on="position",
              how="left", maintain_order="left")
        .rename({"prompt": "caption"})
    )  # fmt: skip
    groups, outcomes = [each.name for each in axis.groups], outcomes_by_group(table)
    section = Section(file, axis.name, outcomes, groups, scenes.reference, paired=True)
    scored, missing, notes = score_stories(texts["text"], section, settings, study.added)
    compared = WordedStories(table, file, seed, scenes.reference).compare(scored)
    notes = [*aside, *notes]
    if scenes.aside:
        notes.append(f"Without wordings, and not asked about: {', '.join(scenes.aside)}.")
    tables = dict(rates.tables)
    for each in compared:
        tables |= each.tables
    own = texts.filter(pl.col("axis") == axis.name)
    return Analysis(
        [*rates.findings, *(f for each in compared for f in each.findings), *missing],
        {**tables, TABLE: story_table(rates.quotes, {}), "captions": caption_table(own)},
        [*rates.figures[:-1], *(f for each in compared for f in each.figures), *rates.figures[-1:]],
        rates.quotes,
        [*notes, *rates.notes, *(note for each in compared for note in each.notes)],
    )
