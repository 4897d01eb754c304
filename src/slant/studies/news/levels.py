"""All levels of all conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.studies.filing import known
from slant.studies.news.document_level import document_level, groups_of_topics, topic_table
from slant.studies.news.sentence_level import sentence_level
from slant.studies.news.sentence_table import sentence_table
from slant.studies.news.topics import FITTED, content, sentence_topics
from slant.studies.news.word_level import word_level

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.groups.group_words import GroupWords
    from slant.measures.measure import Measure
    from slant.measures.sentence_scorer import SentenceScorer
    from slant.signature import Value
    from slant.studies.news.level import Level
    from slant.studies.news.pairs import Pairs
    from slant.studies.news.sentence_table import SentenceTable
    from slant.studies.news.settings import NewsSettings
    from slant.studies.news.topics import Topics
    from slant.studies.study import Circumstances


@dataclass(frozen=True)
class Levels:
    """What `find_levels` finds: levels, tables of topics, and what the reader must know."""

    levels: list[Level]
    tables: dict[str, pl.DataFrame]
    notes: list[str]


def find_levels(
    every: Sequence[Pairs],
    words: Sequence[GroupWords],
    scorers: Sequence[SentenceScorer],
    added: Sequence[Measure],
    settings: NewsSettings,
    circumstances: Circumstances,
    topics: Topics | None,
    rng: np.random.Generator,
) -> Levels:
    """Compare the pairs of every condition, at every level that is asked for."""
    tables = [sentence_table(pairs, words, [*scorers, *added], rng) for pairs in every]
    levels: list[Level] = []
    if "word" in settings.levels:
        levels += [
            word_level(pairs, table, own, rng)
            for own in words
            for pairs, table in zip(every, tables, strict=True)
        ]
    kinds: list[str] = []
    for scorer in scorers:
        # The first scorer of a kind is the kind's figure, further ones stand beside it.
        name = f"{scorer.kind}.{scorer.name}" if scorer.kind in kinds else scorer.kind
        kinds.append(scorer.kind)
        levels += [
            sentence_level(pairs, table, own, scorer, f"sentence.{own.name}.{name}", rng)
            for own in words
            for pairs, table in zip(every, tables, strict=True)
        ]
    documents = Levels([], {}, [])
    if topics is not None:
        documents = _documents(every, tables, words, topics, circumstances, rng)
    levels += documents.levels
    for measure in added:
        drawn = np.random.default_rng([circumstances.seed, *measure.name.encode()])
        levels += [
            sentence_level(pairs, table, own, measure, f"sentence.{own.name}.{measure.name}", drawn)
            for own in words
            for pairs, table in zip(every, tables, strict=True)
        ]
    notes = [*(note for level in levels for note in level.notes), *documents.notes]
    return Levels(levels, documents.tables, notes)


def _documents(
    every: Sequence[Pairs],
    tables: Sequence[SentenceTable],
    words: Sequence[GroupWords],
    topics: Topics,
    circumstances: Circumstances,
    rng: np.random.Generator,
) -> Levels:
    vocabulary, model = topics.vocabulary, topics.model
    told = f"{model.topics}(of:{FITTED})" if topics.sampled else model.topics
    how: dict[str, Value] = {
        "topics": told, "engine": topics.engine, "lemmas": vocabulary.signature
    }  # fmt: skip
    if topics.models > 1:
        how["topics_of"] = f"{topics.models} models"
    levels, listed, seeds = [], [], []
    written = [(pairs, table) for pairs, table in zip(every, tables, strict=True) if len(pairs)]
    for pairs, table in written:
        for number, each in enumerate((model, *topics.others)):
            sentence = sentence_topics(pairs, vocabulary, each)
            whose = {
                own.name: groups_of_topics(table, sentence, each.topics, own, circumstances.method)
                for own in words
            }
            inside = content(pairs, table, vocabulary, each, whose, circumstances.method)
            for own in words:
                groups = whose[own.name][1]
                level = document_level(
                    pairs, inside, whose[own.name], own, circumstances.method, how, rng
                )
                alike = None if number == 0 else float(topics.stability[number - 1].mean())
                value = level.found.distance
                seeds.append(
                    (own.name, pairs.condition, number, alike, known(value.value),
                     int((groups.group >= 0).sum()))
                )  # fmt: skip
                if number == 0:
                    levels.append(level)
                    listed.append(topic_table(topics, groups, inside, own, pairs.condition))
    stability = pl.DataFrame(
        seeds,
        schema={
            "words": pl.String, "condition": pl.String, "seed": pl.Int64,
            "similarity": pl.Float64, "wasserstein": pl.Float64, "topics_of_groups": pl.Int64,
        },
        orient="row",
    )  # fmt: skip
    found = {"topic_stability": stability, "topics": pl.concat(listed, how="diagonal")}
    if model.perplexities:
        found["perplexity"] = pl.DataFrame(
            {"topics": list(model.perplexities), "perplexity": list(model.perplexities.values())}
        )
    return Levels(levels, found, _notes(topics, stability))


def _notes(topics: Topics, stability: pl.DataFrame) -> list[str]:
    notes = []
    if topics.models > 1:
        notes.append(
            f"Topics were found in the references and what all {topics.models} models wrote, so "
            "that they are the same for each; whose topics they are is told model by model."
        )
    if topics.sampled:
        notes.append(
            f"Topics were found in {FITTED:,} articles drawn at random; all {topics.articles:,} "
            "were then measured by them."
        )
    if topics.vocabulary.lemmas == "none":
        notes.append(
            "Words of topics were not brought to their lemmas: that needs "
            "pip install 'slant[text]'."
        )
    alike = stability["similarity"].drop_nulls().to_numpy()
    if len(alike):
        notes.append(
            f"There are {topics.model.topics} topics. Fitted again from another random start, a "
            f"topic is {alike.mean():.2f} like its partner (1: the same, 0: no common word); the "
            "table topic_stability has the document level of every start."
        )
    return notes
