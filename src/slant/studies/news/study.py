"""The study: what it asks, and what follows from the articles."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import polars as pl

from slant.corpora import read_corpus
from slant.corpora.language import looks_english
from slant.errors import InputError, unknown
from slant.expectation import VERBATIM, Expectation
from slant.groups.group_words import load_group_words
from slant.groups.person_names import read_person_names
from slant.measures.refusal import Refusal
from slant.measures.refusal_classifier import RefusalClassifier
from slant.measures.sentence_scorer import SentenceScorer, default_scorers
from slant.records import Generate, Item, Message, Sampling
from slant.studies.news.findings import framing_findings, level_findings, refusal_findings
from slant.studies.news.framing_effects import framing_effects
from slant.studies.news.levels import Levels, find_levels
from slant.studies.news.pairs import pair_up
from slant.studies.news.pairs_file import read_pairs
from slant.studies.news.pictures import figures, quotes
from slant.studies.news.sentence_level import ruler
from slant.studies.news.settings import NewsSettings, load_framings
from slant.studies.news.summary import summarise
from slant.studies.news.tables import by_article, by_group, viewer
from slant.studies.signature import content_hash, filing
from slant.studies.study import Analysis, Rounds, Settings, Sized, Study

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from slant.corpora import Article
    from slant.groups.group_words import GroupWords
    from slant.measures.measure import Measure
    from slant.records import Ability, Prompt
    from slant.studies.filing import Filing
    from slant.studies.news.pairs import Pairs
    from slant.studies.news.settings import Framing
    from slant.studies.user_file import Source

_TOKENS_A_WORD = 1.5


class NewsStudy(Study):
    """Has a model write under the headlines of articles that people wrote."""

    name: ClassVar[str] = "news"
    title: ClassVar[str] = "News: what the model writes where people wrote before"
    Settings: ClassVar[type[Settings]] = NewsSettings
    parameter_words: ClassVar[Mapping[str, str]] = {
        "corpus": "Reference articles, as a hash",
        "framings": "How articles are asked for, as a hash",
        "lengths": "Lengths of articles",
        "lexicon": "Word list, as a hash",
        "words": "Words of groups",
        "topics": "Number of topics",
        "engine": "What finds the topics",
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

    @property
    def _articles(self) -> list[Article]:
        return self._read[0]

    @cached_property
    def _read(self) -> tuple[list[Article], Counter[str]]:
        """Read the articles, and count why others were left out."""
        left_out: Counter[str] = Counter()
        articles = read_corpus(self.settings.corpus).articles(lambda why: left_out.update([why]))
        found = list(islice(articles, self.settings.articles))
        if len(found) < 2:
            raise InputError(
                f"corpus {self.settings.corpus!r} has {len(found)} articles that can be used; at "
                "least two are compared"
            )
        return found, left_out

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
            return default_scorers()
        return [SentenceScorer(name) for name in self.settings.scorers]

    @property
    def _chats(self) -> bool:
        if self.settings.prompting == "auto":
            return "chat" in self.circumstances.abilities
        return self.settings.prompting == "chat"

    def needs(self) -> frozenset[Ability]:
        """Chat where the model can, else raw text."""
        self._articles, self._framings, self._words, self._scorers  # noqa: B018 - loads them
        return frozenset({"chat" if self._chats else "raw"})

    def rounds(self) -> Rounds:
        """Ask for every article in every framing, article by article."""
        yield Sized(len(self._articles) * len(self._framings), self._items)

    def _items(self) -> Iterator[Item]:
        settings = self.settings
        for article in self._articles:
            longest = settings.max_tokens
            if settings.match_length:
                words = len(article.text.split())
                longest = max(1, min(longest, round(words * _TOKENS_A_WORD)))
            for name, framing in self._framings.items():
                request = framing.prompt.replace("{title}", article.title)
                prompt: Prompt = (Message("user", request),) if self._chats else f"{request}\n\n"
                slots = {"id": article.id, "title": article.title}
                sampling = Sampling(max_tokens=longest, temperature=settings.temperature)
                yield Item(
                    self.label, Generate(prompt, sampling), 0, "news", "", name, slots,
                    expects=Expectation("article") if self._chats else VERBATIM,
                )  # fmt: skip

    def measures(self) -> list[Measure]:
        """Tell refusals from articles."""
        classifier = self.settings.refusal_classifier
        return [Refusal(), *([RefusalClassifier(classifier)] if classifier else [])]

    def analyse(self, answers: pl.LazyFrame, scores: pl.LazyFrame) -> Analysis:
        """Compare what was written with the references."""
        references = {each.id: each.text for each in self._articles} if self._asks else {}
        pairs = pair_up(answers, scores, references)
        rng = np.random.default_rng([self.circumstances.seed, *self.name.encode()])
        found = find_levels(
            pairs, self._words, self._scorers, self.settings, self.circumstances, rng
        )
        levels = found.levels
        file = self._file()
        compared = level_findings(file, levels)
        tables = {
            "articles": by_article(levels),
            "groups": by_group(levels, compared),
            **found.tables,
        }
        tables["article_pairs"] = viewer(levels, self._words, self._scorers)
        if self._scorers:
            rulers = [ruler(words, each) for each in self._scorers for words in self._words]
            tables["ruler"] = pl.concat(rulers)
        return Analysis(
            [
                *compared,
                *framing_findings(file, framing_effects(levels, rng)),
                *refusal_findings(file, pairs, self._words),
            ],
            tables,
            figures(levels, tables),
            quotes(levels),
            self._notes(found, pairs),
            summarise(levels),
        )

    @property
    def _asks(self) -> bool:
        """Whether a model was asked; else a file was measured."""
        return bool(self.circumstances.abilities)

    def _notes(self, found: Levels, pairs: Sequence[Pairs]) -> list[str]:
        notes = list(dict.fromkeys(found.notes))
        if self._asks:
            notes += [
                f"{count} articles of the corpus were left out: they {reason}."
                for reason, count in self._read[1].items()
            ]
        texts = (text for batch in pairs[0].asked_in_batches() for text in batch["reference"])
        if foreign := sum(not looks_english(text) for text in texts):
            notes.append(
                f"{foreign} references do not look English; words and scorers are English, so such "
                "articles show little."
            )
        for words in self._words:
            notes += words.people.notes if words.people else ()
        if "sentence" in self.settings.levels and not self._scorers:
            notes.append(
                "How sentences sound was not measured: no scorer is installed "
                "(pip install 'slant[scorers]')."
            )
        return notes

    def _file(self) -> Filing:
        words = content_hash([words.content for words in self._words])
        if not self._asks:
            return filing(self, data="file", lexicon=words)
        settings = self.settings
        return filing(
            self,
            corpus=content_hash([(each.id, each.title, each.text) for each in self._articles]),
            framings=content_hash([each.prompt for each in self._framings.values()]),
            max_tokens=settings.max_tokens,
            lengths="matched" if settings.match_length else "free",
            temperature=settings.temperature,
            prompting="chat" if self._chats else "raw",
            lexicon=words,
        )

    @classmethod
    def read(cls, source: Source) -> pl.DataFrame:
        """Read pairs of articles that are there already."""
        return read_pairs(source)
