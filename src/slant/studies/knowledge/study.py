"""The study: what it asks, and what follows from the triples."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import polars as pl

from slant.errors import InputError
from slant.records import PLACEBO
from slant.studies.knowledge.analysis import conclude
from slant.studies.knowledge.classes import load_classes, load_prompts
from slant.studies.knowledge.growth import Growth
from slant.studies.knowledge.measuring import Ruler, without_subject
from slant.studies.knowledge.rows import triples, would_fall
from slant.studies.knowledge.seeds import choose_all, list_items
from slant.studies.knowledge.settings import KnowledgeSettings
from slant.studies.knowledge.sieve import Sieve
from slant.studies.knowledge.triple_file import read_triples
from slant.studies.knowledge.worded_classes import word_classes
from slant.studies.signature import content_hash, filing
from slant.studies.text_study import JudgedBy, TextStudy
from slant.topics.short_texts import check_method

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.studies.filing import Filing
    from slant.studies.knowledge.classes import People
    from slant.studies.knowledge.prompting import Manner
    from slant.studies.knowledge.worded_classes import WordedClasses
    from slant.studies.study import Analysis, Rounds, Settings
    from slant.studies.user_file import Source


class KnowledgeStudy(TextStudy):
    """Lets a model say what it believes about groups of people."""

    name: ClassVar[str] = "knowledge"
    title: ClassVar[str] = "Knowledge: what the model says of each group when it may go on freely"
    asks_all_because: ClassVar[str] = "later questions hang on the answers to earlier ones"
    Settings: ClassVar[type[Settings]] = KnowledgeSettings
    parameter_words: ClassVar[Mapping[str, str]] = {
        "subjects": "Subjects, as a hash",
        "seeds": "Where first triples come from",
        "triples": "Triples for each subject",
        "lineages": "Independent chains of triples",
        "shots": "Examples in a prompt",
        "draws": "Answers to each prompt",
        "attempts": "Attempts at a triple",
        "wordings": "Wordings of the subjects, and what leads them, as a hash",
        "strategies": "What is varied from triple to triple",
        "format": "Form of the answer",
        "longest": "Longest answer that counts, in words",
        "near": "Similarity from which two triples are one",
        "topics": "Number of topics",
        "smoothing": "Smoothing of counts",
        "entropy": "What entropy is counted in",
    }
    method_text: ClassVar[str] = (
        "The model completes short sentences about each group (“… love”), and is then shown some "
        "of what it said about other groups and asked for another statement, again and again: a "
        "graph of triples, subject, predicate and object. Nothing is put in its mouth but the "
        "group's name, four verbs, and, unless the plain variant is asked for, a prefix such as "
        "“I'm not racist but”, which draws out what is not usually said: so this shows which "
        "stereotypes the model knows, not which it would voice unasked. What each triple says is "
        "measured without its subject: regard (is such a person looked up to or down on), warmth "
        "and competence, toxicity, sentiment, and its topic. The graph is grown as several "
        "lineages that never see each other; since triples of one lineage seed one another, "
        "intervals draw lineages, and the chance line exchanges subjects within them. Answers "
        "that are no triple, or no new one, are dropped by named rules, counted, and kept in the "
        "table. What this cannot show: whether a belief is true, whether the model acts on it, or "
        "what a small model means by a sentence that makes no sense. Source: Salinas, Penafiel, "
        "McCormack and Morstatter (2023), “I'm not racist but…”."
    )

    settings: KnowledgeSettings
    in_parts, judged = True, JudgedBy("chains")

    @cached_property
    def _classes(self) -> list[People]:
        return load_classes(self.settings)

    @property
    def _form(self) -> str:
        if self.settings.format != "auto":
            return self.settings.format
        return "paper" if self.as_published else "sentences"

    @property
    def _manner(self) -> Manner:
        if not self.chats:
            return "raw"
        return "alone" if self.as_published else "chat"

    def check(self) -> None:
        """Fail on bad settings before anything is asked."""
        super().check()
        self._classes, self._ruler  # noqa: B018 - loads them
        check_method(self.settings.topic_method(published=self.as_published))
        if self.all_wordings:
            if self.settings.seeds != "curated":
                raise InputError(
                    'wordings = "all" needs subjects with wordings, and a model that lists them '
                    'gives none: set seeds = "curated", or wordings = "one"'
                )
            self._words  # noqa: B018 - finds all wordings

    @cached_property
    def _ruler(self) -> Ruler:
        return Ruler.load(self.settings, self.added)

    def rounds(self) -> Rounds:
        """Ask for subjects, unless they are listed; then grow all graphs side by side."""
        classes = self._classes
        if self.settings.seeds != "curated":
            request = load_prompts().list_prompt
            asked = [
                list_items(self.label, each, request, chats=self.chats, alone=self.as_published)
                for each in classes
            ]
            replies = list((yield [item for items in asked for item in items]))
            texts = [answer.text or "" for _, answer in replies]
            found = choose_all(classes, texts, hybrid=self.settings.seeds == "hybrid")
            classes = [
                people.model_copy(update={"subjects": seeds.subjects})
                for people, seeds in zip(classes, found, strict=True)
            ]
        if not self.all_wordings:
            yield from self._growth(classes).rounds()
            return
        words = self._words
        yield from self._growth(words.classes, words).rounds()
        if words.placebos:
            yield from self._growth(words.placebos, words, PLACEBO).rounds()

    def _growth(
        self, classes: list[People], words: WordedClasses | None = None, part: str = ""
    ) -> Growth:
        variants = self.settings.wanted_variants(published=self.as_published)
        if self.settings.variants is None:
            variants.reverse()  # first what all figures but one are of
        return Growth(
            self.settings, classes, load_prompts(), self._sieve(), label=self.label,
            seed=self.circumstances.seed, form=self._form, manner=self._manner,
            variants=variants, published=self.as_published,
            leads=None if words is None else words.leads, part=part,
        )  # fmt: skip

    @cached_property
    def _words(self) -> WordedClasses:
        return word_classes(self._classes, self.settings, self.circumstances.seed)

    def _sieve(self) -> Sieve:
        return self._sieve_of(published=self.as_published)

    def _sieve_of(self, *, published: bool) -> Sieve:
        settings = self.settings
        return Sieve(
            self._form, load_prompts(), settings.longest, settings.near, paper=published
        )  # fmt: skip

    def judged_texts(self, answers: pl.LazyFrame) -> pl.DataFrame:
        """Give what is said of every subject, without the subject."""
        found = triples(answers, self._sieve()).filter(pl.col("kept"), pl.col("part") != PLACEBO)
        return found.select(
            pl.col("class").alias("axis"), pl.col("subject").alias("group"),
            pl.lit("").alias("condition"), pl.col("lineage").alias("unit"),
            pl.lit(None, pl.Int64).alias("answer"), pl.lit("").alias("prompt"),
            without_subject().alias("text"),
        )  # fmt: skip

    def analyse(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Analysis:
        """Judge the answers again as growth did, measure the triples, compare the subjects."""
        found = triples(answers, self._sieve())
        analysis = conclude(
            answers, found, self.settings, self._classes if self.asks else [], ruler=self._ruler,
            file=self._file(), seed=self.circumstances.seed,
            worded=self.asks and self.all_wordings, published=self.as_published,
        )  # fmt: skip
        if not (self.as_published and self.asks):
            return analysis
        stricter = triples(answers, self._sieve_of(published=False))
        return replace(analysis, notes=[*would_fall(found, stricter), *analysis.notes])

    def _file(self) -> Filing:
        if not self.asks:
            return filing(self, data="file")
        s = self.settings
        worded = {}
        if self.all_wordings:
            words = self._words
            worded = {"wordings": content_hash(words.texts())}
        return filing(
            self,
            **worded,
            subjects=content_hash([(each.subjects, each.prefix) for each in self._classes]),
            seeds=s.seeds,
            triples=s.triples,
            lineages=s.lineages,
            shots=s.shots,
            draws=s.draws,
            attempts=s.attempts,
            strategies="+".join(s.strategies),
            format=self._form,
            prompting="chat" if self.chats else "raw",
            temperature=s.temperature,
            max_tokens=s.max_tokens,
            longest=s.longest,
            near=s.near,
        )

    @classmethod
    def read(cls, source: Source) -> pl.DataFrame:
        """Read triples that are there already."""
        return read_triples(source)
