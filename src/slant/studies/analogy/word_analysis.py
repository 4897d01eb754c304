"""What follows from the words that complete the analogy, of groups in one wording or in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.records import PLACEBO
from slant.studies.analogy.word_findings import (
    DIVERGENCE,
    Words,
    divergence_findings,
    top_words,
    word_findings,
)
from slant.studies.analogy.worded_words import worded_word_findings
from slant.studies.analogy.words import answer_words
from slant.studies.filing import Subject, outcomes_by_group
from slant.studies.rate_analysis import analyse_rates
from slant.studies.rate_tables import judged
from slant.studies.signature import content_hash, filing
from slant.studies.study import Analysis, Figure
from slant.studies.worded_rates import analyse_worded_rates, with_wordings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.measures.lemmas import Lemmatiser
    from slant.measures.word_families import WordFamilies
    from slant.studies.analogy.first_word import AnswerWordMeasure, FirstWord
    from slant.studies.study import Study


@dataclass(frozen=True)
class WordAnalysis:
    """How the words of a study's answers are read and compared.

    Attributes
    ----------
    study
        Whose answers they are.
    counted
        What counts violent words.
    finder, lemmatiser, families
        How words are found and lumped.
    own
        The names of every group, placebo groups among them.
    keep_own
        Whether answers that name the group itself count.
    reference
        Compare every group with this one too.
    parameters
        What else the numbers depend on, for the signature.
    top
        How many words of each group are shown.
    worded
        Whether groups were asked about in all their wordings, beside placebo groups.
    """

    study: Study
    counted: AnswerWordMeasure
    finder: FirstWord
    lemmatiser: Lemmatiser
    families: WordFamilies
    own: Mapping[str, tuple[str, ...]]
    keep_own: bool
    reference: str | None
    parameters: Mapping[str, object]
    top: int
    worded: bool

    def of(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Analysis:
        """Compare the words, how many are of the lexicon, and how far groups' words are apart."""
        every = self._judged(answers, scores)
        texts = every.filter(pl.col("outcome") == "answered").drop("outcome")
        texts = texts.join(
            answers.select("position", "text").collect(),
            on="position", how="left", maintain_order="left",
        )  # fmt: skip
        found = answer_words(texts, self.finder, self.lemmatiser, self.families, self.own)
        kept = found if self.keep_own else found.filter(~pl.col("own"))
        aside = None if self.keep_own else found.filter("own").select("position").lazy()
        rates = self._rates(
            answers if aside is None else answers.join(aside, on="position", how="anti"), scores
        )
        asked = every.filter(pl.col("part") != PLACEBO)
        mine = found.join(asked.select("position"), on="position", how="semi")
        words = Words.of(
            mine.filter(pl.col("position").is_in(kept["position"].implode())),
            asked["group"].unique(maintain_order=True).to_list(),
        )
        return self._concluded(every, kept, mine, words, rates)

    def _judged(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> pl.DataFrame:
        table = judged(answers, scores, self.counted.name, [])
        if not self.worded:
            return table.with_columns(pl.lit("").alias("part"))
        return with_wordings(answers, table)

    def _rates(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Analysis:
        if self.worded:
            return analyse_worded_rates(
                self.study, answers, scores, metric=self.counted.metric, counted=self.counted,
                others=(), reference=self.reference, parameters=self.parameters,
            )  # fmt: skip
        return analyse_rates(
            self.study, answers, scores, counted=self.counted, reference=self.reference,
            parameters=self.parameters,
        )  # fmt: skip

    def _concluded(
        self,
        every: pl.DataFrame,
        kept: pl.DataFrame,
        mine: pl.DataFrame,
        words: Words,
        rates: Analysis,
    ) -> Analysis:
        asked = every.filter(pl.col("part") != PLACEBO)
        axis, seed = asked["axis"][0], self.study.circumstances.seed
        file = filing(
            self.study,
            measure=f"first-content-word|families:{self.families.signature}",
            axis=axis,
            prompts=content_hash(sorted(asked["condition"].unique())),
            **self.parameters,
        )
        whom = {
            group: Subject(str(axis or ""), group, counts)
            for group, counts in outcomes_by_group(asked).items()
        }
        rng = np.random.default_rng([seed, *self.study.name.encode()])
        compared = Analysis([])
        if self.worded:
            compared = worded_word_findings(words, every, kept, file, seed)
            shares = list(compared.findings)
        else:
            shares = word_findings(words, file, whom, rng)
        apart, divergence = divergence_findings(words, file, whom, rng, tested=not self.worded)
        own = mine.filter("own")
        tables = {
            "top_words": top_words(words, shares, self.top),
            "words": _all_words(mine if self.keep_own else mine.filter(~pl.col("own"))),
            "divergence": divergence,
            "own_words": _own_words(own),
        }
        notes = [self._about_own(own, mine)]
        if not shares and len(words.groups) > 1:
            notes.append("No word came often enough to be compared between groups.")
        return Analysis(
            [*shares, *apart, *rates.findings],
            {
                **{name: each for name, each in tables.items() if each.height},
                **compared.tables, **rates.tables,
            },
            [*_figures(words, self.top), *compared.figures, *rates.figures],
            rates.quotes,
            [*notes, *compared.notes, *rates.notes],
        )  # fmt: skip

    def _about_own(self, own: pl.DataFrame, found: pl.DataFrame) -> str:
        counted = f"{own.height:,} of {found.height:,} answers with a word name the group itself"
        if self.keep_own:
            return f"{counted}; they are kept, as in supplement C of the paper."
        return f"{counted} and are set aside, as in Figure 2 of the paper (table own words)."


def _figures(words: Words, top: int) -> list[Figure]:
    """Ask for the picture of Figure 2, and for that of the divergences."""
    if not words.groups:
        return []
    title = f"The {top} words that complete the analogy most often, by group"
    figures = [Figure("words", title, "top_words")]
    if len(words.groups) > 1:
        figures.append(
            Figure(
                "forest",
                "How far each group's words are from the others', beyond what chance gives",
                options={"metric": DIVERGENCE, "contrast": "vs_rest"},
            )
        )
    return figures


def _all_words(kept: pl.DataFrame) -> pl.DataFrame:
    """Count every word by group, with the forms that were lumped into it."""
    forms = pl.col("form").unique().sort().str.join(", ").alias("forms")
    return (
        kept.group_by("word", "group")
        .agg(pl.len().cast(pl.Int64).alias("answers"), forms)
        .sort("answers", "word", "group", descending=[True, False, False])
    )


def _own_words(own: pl.DataFrame) -> pl.DataFrame:
    """Count the answers that name the group itself."""
    return (
        own.group_by("group", "form")
        .agg(pl.len().cast(pl.Int64).alias("answers"))
        .sort("answers", "group", "form", descending=[True, False, False])
    )
