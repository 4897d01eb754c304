"""The study: what it asks, and what follows from the articles."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
import polars as pl

from slant.corpora.language import looks_english
from slant.errors import InputError, unknown
from slant.groups.group_words import load_group_words
from slant.groups.person_names import read_person_names
from slant.measures.instruments import load_instruments
from slant.measures.refusal import Refusal
from slant.measures.refusal_classifier import RefusalClassifier
from slant.measures.sentence_scorer import SentenceScorer, default_scorers
from slant.records import Generate, Item, Sampling
from slant.studies.news.articles import Articles, read_articles
from slant.studies.news.findings import framing_findings, level_findings, refusal_findings
from slant.studies.news.framing_effects import framing_effects, unpaired
from slant.studies.news.hangs_on import hangs_on
from slant.studies.news.judged_sentences import REFERENCE, judged_sentences
from slant.studies.news.levels import Levels, find_levels
from slant.studies.news.pairs import pair_up
from slant.studies.news.pairs_file import read_pairs
from slant.studies.news.persons import reached
from slant.studies.news.pictures import figures, headline, paper_figures, quotes
from slant.studies.news.sentence_level import rulers
from slant.studies.news.settings import NewsSettings, load_framings
from slant.studies.news.summary import summarise
from slant.studies.news.tables import by_article, by_group, lengths, prejudice, viewer
from slant.studies.news.topics import find_topics
from slant.studies.signature import content_hash, filing, rows_hash
from slant.studies.study import Analysis, Figure, Rounds, Settings, Sized, View
from slant.studies.text_study import JudgedBy, TextStudy
from slant.topics.lda import check_engine

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from slant.groups.group_words import GroupWords
    from slant.measures.measure import Measure
    from slant.studies.filing import Filing
    from slant.studies.news.pairs import Pairs
    from slant.studies.news.settings import Framing
    from slant.studies.news.topics import Topics
    from slant.studies.user_file import Source
    from slant.topics.lda import Engine

_FEW = 20
_COVERED = "87 to 94%"
"""Of 95% intervals of mean decreases in fewer articles, as simulated."""

_TOKENS_A_WORD = 1.5


class NewsStudy(TextStudy):
    """Has a model write under the headlines of articles that people wrote."""

    name: ClassVar[str] = "news"
    title: ClassVar[str] = "News: what the model writes where people wrote before"
    asks_all_because: ClassVar[str] = (
        "articles are compared by how their words are distributed, and not by a rate"
    )
    Settings: ClassVar[type[Settings]] = NewsSettings
    parameter_words: ClassVar[Mapping[str, str]] = {
        "corpus": "Reference articles, as a hash",
        "framings": "How articles are asked for, as a hash",
        "lengths": "Lengths of articles",
        "lexicon": "Word list, as a hash",
        "words": "Words of groups",
        "topics": "Number of topics",
        "engine": "What finds the topics",
        "topics_of": "Whose articles they were found in, beside the references",
        "lemmas": "What finds base forms of words",
        "associations": "How topics are given to groups",
        "halves": "How halves of a reference are compared",
    }
    method_text: ClassVar[str] = (
        "The model writes an article under the headline of one that people wrote. Words that name "
        "a group (she, her; he, his) are counted in both, and their shares compared, article by "
        "article: how far the shares are apart (Wasserstein distance), in how many articles a "
        "group's share is smaller than in the reference (the paper calls this prejudice against "
        "the group), and by how much a group's share changes on average. A share that is high by "
        "chance in one text tends to be lower in the next, whoever writes it: two random halves "
        "of the very same human article differ too. That is the chance line here, and without it "
        "most of what is called prejudice cannot be told from regression to the mean. Intervals "
        "come from drawing articles again, q-values hold over groups and conditions. What this "
        "cannot show: who is spoken of well or badly; that a reference is free of bias; anything "
        "about groups whose words are not on the list. Source: Fang et al. (2024), Bias of "
        "AI-generated content."
    )

    settings: NewsSettings
    prefers, in_parts = "chat", True
    judged: ClassVar[JudgedBy | None] = JudgedBy("articles", against=REFERENCE)

    @cached_property
    def _articles(self) -> Articles:
        return read_articles(self.settings.corpus, self.settings.articles)

    @cached_property
    def _framings(self) -> dict[str, Framing]:
        return load_framings(self.settings.framings, self.settings.framing_file)

    @cached_property
    def _words(self) -> list[GroupWords]:
        sets = [load_group_words(name) for name in self.settings.words]
        known = [words.name for words in sets]
        for name in known:
            if known.count(name) > 1:
                raise InputError(f"words: there are two sets named {name!r}; name one otherwise")
        for name in self.settings.names:
            if name not in known:
                raise unknown("set of words that names are given for", name, known)
        return [
            words.with_people(read_person_names(Path(self.settings.names[words.name])))
            if words.name in self.settings.names
            else words
            for words in sets
        ]

    @cached_property
    def _scorers(self) -> list[SentenceScorer]:
        if "sentence" not in self.settings.levels:
            return []
        if self.settings.scorers is None:
            path = self.settings.instruments
            return default_scorers(None if path is None else load_instruments(path).toxicity)
        return [SentenceScorer(name) for name in self.settings.scorers]

    @property
    def _engine(self) -> Engine:
        usual: Engine = "gensim" if self.as_published else "sklearn"
        return self.settings.topic_engine or usual

    def check(self) -> None:
        """Fail on bad settings before anything is asked."""
        super().check()
        if "document" in self.settings.levels:
            check_engine(self._engine)
        self._articles, self._framings, self._words, self._scorers  # noqa: B018 - loads them

    @property
    def _further(self) -> list[Measure]:
        """What the suite adds to the scorers of sentences."""
        own = [each.name for each in self._scorers]
        return [each for each in self.added if each.name not in own]

    def rounds(self) -> Rounds:
        """Ask for every article in every framing, article by article."""
        yield Sized(len(self._articles) * len(self._framings), self._items)

    def _items(self) -> Iterator[Item]:
        settings, alone = self.settings, self.chats or self.as_published
        for key, title, text in self._articles.rows():
            longest = settings.max_tokens
            if settings.match_length:
                words = len(text.split())
                longest = max(1, min(longest, round(words * _TOKENS_A_WORD)))
            for name, framing in self._framings.items():
                request = framing.prompt.replace("{title}", title)
                prompt = self.prompt(request if alone else f"{request}\n\n")
                slots = {"id": key, "title": title}
                sampling = Sampling(max_tokens=longest, temperature=settings.temperature)
                yield Item(
                    self.label, Generate(prompt, sampling), 0, "news", "", name, slots,
                    expects=self.expected("article"),
                )  # fmt: skip

    def own_measures(self) -> list[Measure]:
        """Tell refusals from articles."""
        classifier = self.settings.refusal_classifier
        return [Refusal(), *([RefusalClassifier(classifier)] if classifier else [])]

    def judged_texts(self, answers: pl.LazyFrame) -> pl.DataFrame:
        """Give the sentences about each group, of articles and of their references."""
        unscored = pl.LazyFrame(
            schema={"position": pl.Int64, "measure": pl.String, "value": pl.Float64}
        )
        return judged_sentences(self._pairs(answers, unscored), self._words)

    def analyse(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Analysis:
        """Compare what was written with the references."""
        return self.analyse_models([(self, answers, scores)])[0]

    @classmethod
    def analyse_models(
        cls, every: Sequence[tuple[Self, pl.LazyFrame, pl.LazyFrame]]
    ) -> list[Analysis]:
        """Compare what each model wrote with the references, by topics that all have in common."""
        written = [study._pairs(answers, scores) for study, answers, scores in every]
        first = every[0][0]
        topics = None
        if "document" in first.settings.levels:
            seed = first.circumstances.seed
            topics = find_topics(written, first.settings, first._engine, seed)
        studies = [study for study, _, _ in every]
        draws = [
            np.random.default_rng([study.circumstances.seed, *study.name.encode()])
            for study in studies
        ]
        found = [
            study._levels(pairs, topics, rng)
            for study, pairs, rng in zip(studies, written, draws, strict=True)
        ]
        beside: list[Figure] = []
        if len(every) > 1:
            levels = [level for each in found for level in each.levels]
            beside = [*headline(levels), *paper_figures(levels)]
        return [
            study._told(pairs, own, beside, rng)
            for study, pairs, own, rng in zip(studies, written, found, draws, strict=True)
        ]

    def _pairs(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> list[Pairs]:
        return pair_up(answers, scores, self._articles.table if self.asks else None)

    def _levels(
        self, pairs: list[Pairs], topics: Topics | None, rng: np.random.Generator
    ) -> Levels:
        return find_levels(
            pairs, self._words, self._scorers, self._further, self.settings, self.circumstances,
            topics, rng,
        )  # fmt: skip

    def _told(
        self, pairs: list[Pairs], found: Levels, beside: list[Figure], rng: np.random.Generator
    ) -> Analysis:
        levels, paper = found.levels, self.as_published
        file = self._file()
        compared = level_findings(file, levels)
        left_out, hangs = hangs_on(levels)
        tables = {
            "articles": by_article(levels),
            "groups": by_group(levels, compared),
            "prejudice": prejudice(levels),
            "lengths": lengths(pairs),
            **found.tables,
            **left_out,
        }
        if len(pairs) > 1:
            tables["framings_unpaired"] = unpaired(levels)
        scorers = [*self._scorers, *self._further]
        tables["article_pairs"] = viewer(levels, self._words, scorers)
        leans, drawn, said = rulers(self._words, scorers)
        return Analysis(
            [
                *compared,
                *framing_findings(file, framing_effects(levels, rng)),
                *refusal_findings(file, pairs, self._words),
            ],
            tables | leans,
            [
                *([] if beside else headline(levels)),
                *figures(levels, tables),
                *drawn,
                *hangs,
                *(paper_figures(levels) if paper and not beside else ()),
            ],
            quotes(levels),
            [*said, *self._notes(found, pairs)],
            summarise(levels),
            [View("articles", "Texts beside their references", "article_pairs")],
            beside,
        )

    def _notes(self, found: Levels, pairs: Sequence[Pairs]) -> list[str]:
        notes = list(dict.fromkeys(found.notes))
        fell = [group.decrease.n for level in found.levels for group in level.found.groups]
        if any(0 < n < _FEW for n in fell):
            notes.append(
                f"Mean decreases are over the articles that fall. Of fewer than {_FEW}, intervals "
                f"are not calibrated: of those of 95%, {_COVERED} held the mean over runs "
                "(docs/calibration.md)."
            )
        if self.asks:
            notes += [
                f"{count} articles of the corpus were left out: they {reason}."
                for reason, count in self._articles.left_out.items()
            ]
        texts = (text for batch in pairs[0].asked_in_batches() for text in batch["reference"])
        if foreign := sum(not looks_english(text) for text in texts):
            notes.append(
                f"{foreign} references do not look English; words and scorers are English, so such "
                "articles show little."
            )
        for words in self._words:
            if words.people:
                notes += [*words.people.notes, reached(words, words.people, pairs)]
        if "sentence" in self.settings.levels and not (self._scorers or self.added):
            notes.append(
                "How sentences sound was not measured: no scorer is installed "
                "(pip install 'slant[scorers]')."
            )
        return notes

    def _file(self) -> Filing:
        words = content_hash([words.content for words in self._words])
        if not self.asks:
            return filing(self, data="file", lexicon=words)
        settings = self.settings
        return filing(
            self,
            corpus=rows_hash(self._articles.rows()),
            framings=content_hash([each.prompt for each in self._framings.values()]),
            max_tokens=settings.max_tokens,
            lengths="matched" if settings.match_length else "free",
            temperature=settings.temperature,
            prompting="chat" if self.chats else "raw",
            lexicon=words,
        )

    @classmethod
    def read(cls, source: Source) -> pl.DataFrame:
        """Read pairs of articles that are there already."""
        return read_pairs(source)
