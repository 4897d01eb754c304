"""What stories are scored by: sentiment, topics, regard, and what the suite adds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.errors import InputError
from slant.measures.sentence_scorer import SentenceScorer, scorer_name
from slant.studies.filing import Measured, Quantity, Subject
from slant.studies.story.compare import Scored, Section
from slant.studies.story.themes import ThemeScores, load_themes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.measures.measure import Measure
    from slant.records import Finding
    from slant.studies.story.settings import StorySettings

REGARD, TOPIC = "story_regard", "story_topic_share"


def score_stories(
    stories: pl.Series, section: Section, settings: StorySettings, added: Sequence[Measure]
) -> tuple[list[Scored], list[Finding], list[str]]:
    """Score sentiment, topics and regard; say what could not be."""
    scores: list[Scored] = []
    missing: list[Finding] = []
    notes = []
    for name in settings.sentiment:
        try:
            measure = SentenceScorer(name)
        except InputError as error:
            missing += _not_measured(section, f"story_{scorer_name(name)}", str(error))
            continue
        what = f"{measure.kind} ({name})"
        scores.append(_scored_by(measure, f"story_{measure.name}", stories, what))
    if settings.themes is not None and len(stories):
        found = ThemeScores(load_themes(settings.themes), stories, settings.embedder)
        regard = Scored(
            REGARD, found.regard, "themes", found.signature, "themes", "higher_is_better",
            what="regard",
        )  # fmt: skip
        scores.append(regard)
        about = replace(regard, metric=TOPIC, direction="closer_to_target", scale="share", what="")
        scores += [
            replace(about, values=(found.topic == place) * 1.0, condition=topic)
            for place, topic in enumerate(found.topics)
            if (found.topic == place).any()
        ]
    elif settings.themes is None:
        notes.append('Topics and regard were not asked for: set themes = "themes".')
    for further in (each for each in added if each.scale == "real"):
        scores.append(_scored_by(further, further.metric, stories, further.called))
    return scores, missing, notes


def _scored_by(measure: Measure, metric: str, stories: pl.Series, what: str) -> Scored:
    values = measure.score(stories)["value"]
    measure.check(values)
    found = values.cast(pl.Float64).fill_null(np.nan).to_numpy()
    return Scored(
        metric, found, measure.name, measure.signature, direction=measure.direction, what=what
    )


def _not_measured(section: Section, metric: str, reason: str) -> list[Finding]:
    """Say of every group that no scorer could be had."""
    what = Quantity(metric, "mean", "mean", "closer_to_target")
    nothing = Measured(reason=reason)
    return [
        section.file(what, Subject(section.axis, group, section.outcomes.get(group, {})), nothing)
        for group in section.groups
    ]
