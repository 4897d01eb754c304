"""The topics of all articles: what sentences are about, and what articles are made up of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.studies.news.sentence_table import split
from slant.topics import Vocabulary, fit_topics, relevant_words, similarity, without_prior

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from slant.stats.topic_groups import TopicGroups
    from slant.studies.news.pairs import Pairs
    from slant.studies.news.sentence_table import SentenceTable
    from slant.studies.news.settings import NewsSettings
    from slant.studies.study import Method
    from slant.topics import TopicModel
    from slant.topics.lda import Engine

_SMALL, _LARGE = 1_000, 10_000
_RELEVANT = 15
_AT_ONCE = 8_192

FITTED = 70_000
"""Of more articles than this, topics are found in so many drawn at random."""


@dataclass(frozen=True, eq=False)
class Topics:
    """The topics of all articles: references, and generated ones of every model and condition.

    Attributes
    ----------
    vocabulary, model
        Lemmas, and the topics of the first seed.
    others
        Models of further seeds.
    stability
        By seed after the first, how alike each topic is to its partner there; (seeds, topics).
    frequency
        Probability of each lemma in the corpus.
    articles
        How many there are.
    engine
        What found them.
    models
        How many models wrote the generated ones.
    """

    vocabulary: Vocabulary
    model: TopicModel
    others: tuple[TopicModel, ...]
    stability: NDArray[np.float64]
    frequency: NDArray[np.float64]
    articles: int
    engine: Engine
    models: int

    @property
    def sampled(self) -> bool:
        """Whether topics were found in some articles only."""
        return self.articles > FITTED

    def relevant(self) -> list[list[str]]:
        """Give the fifteen words most relevant to each topic, without stop words.

        These stay in the model, where they do no harm (Schofield et al. 2017), but tell nobody what
        a topic is about.
        """
        from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

        words = self.vocabulary.words
        telling = [word not in ENGLISH_STOP_WORDS for word in words]
        places = relevant_words(self.model.words, self.frequency, _RELEVANT, telling=telling)
        return [[words[place] for place in row] for row in places]


@dataclass(frozen=True, eq=False)
class Content:
    """What the articles of one condition are about, after one model of topics.

    Attributes
    ----------
    shares
        Mean share of each topic in references and in generated articles, shape (2, topics).
    masses
        By set of words, how much of each article is about the topics of each group, shape (pairs,
        groups): of references, generated articles, the first and the second halves of references,
        and samples of generated articles.
    """

    shares: NDArray[np.float64]
    masses: Mapping[str, tuple[NDArray[np.float64], ...]]


def find_topics(
    models: Sequence[Sequence[Pairs]], settings: NewsSettings, engine: Engine, seed: int
) -> Topics | None:
    """Fit topics to all articles, each reference once; None if there is nothing to fit.

    Parameters
    ----------
    models
        Of every model, its pairs by condition.
    settings, engine, seed
        How.
    """
    every = [pairs for own in models for pairs in own]
    wanted = _wanted(every, seed)
    vocabulary = Vocabulary(_texts(every, wanted), settings.lemmas)
    if not vocabulary.words:
        return None
    counts = _stacked([vocabulary.counts(texts) for texts in _texts(every, wanted)])
    tried = settings.topics or _tried(counts.shape[0])
    model = fit_topics(counts, tried, seed=seed, engine=engine)
    others = tuple(
        fit_topics(counts, [model.topics], seed=seed + step, engine=engine)
        for step in range(1, settings.topic_seeds)
    )
    frequency = np.asarray(counts.sum(axis=0)).ravel()
    alike = [similarity(model.words, other.words) for other in others]
    return Topics(
        vocabulary,
        model,
        others,
        np.array(alike).reshape(len(alike), model.topics),
        frequency / frequency.sum(),
        int((wanted >= 0).sum()),
        engine,
        len(models),
    )


def sentence_topics(pairs: Pairs, vocabulary: Vocabulary, model: TopicModel) -> NDArray[np.int32]:
    """Find the most probable topic of each sentence; −1 for one without a known word."""
    parts = [np.empty(0, np.int32)]
    for batch in pairs.batches():
        words = vocabulary.counts(pl.Series(split(batch)[0], dtype=pl.String))
        for start in range(0, words.shape[0], _AT_ONCE):
            some = words[start : start + _AT_ONCE]
            best = model.distributions(some).argmax(axis=1)
            known = np.asarray(some.sum(axis=1)).ravel() > 0
            parts.append(np.where(known, best, -1).astype(np.int32))
    return np.concatenate(parts)


def content(
    pairs: Pairs,
    table: SentenceTable,
    vocabulary: Vocabulary,
    model: TopicModel,
    groups: Mapping[str, tuple[TopicGroups, TopicGroups]],
    method: Method,
) -> Content:
    """Infer what articles are made up of, and keep of it only how much is about whom.

    Parameters
    ----------
    pairs, table, vocabulary, model
        What is read, and by what.
    groups
        By set of words, which topics are whose in references and in generated articles.
    method
        `paper` takes distributions as they are; `robust` counts words, and of a text with less than
        one that is of any group's topics it takes nothing. In a text about none of them a
        distribution has what the prior gives every topic, the more the shorter it is.
    """
    masses: dict[str, list[list[NDArray[np.float64]]]] = {
        name: [[] for _ in range(5)] for name in groups
    }
    totals = np.zeros((2, model.topics))
    start = 0
    for batch in pairs.batches():
        texts, article, generated = split(batch)
        words = vocabulary.counts(pl.Series(texts, dtype=pl.String))
        chosen = table.chosen[start : start + len(texts)]
        wheres = (
            ~generated, generated, ~generated & chosen, ~generated & ~chosen, generated & chosen
        )  # fmt: skip
        for side, where in enumerate(wheres):
            counts = _summed(words, article, where, len(batch))
            shares = model.distributions(counts)
            if side < len(totals):
                totals[side] += shares.sum(axis=0)
            told = shares if method == "paper" else without_prior(shares, counts)
            for name, (own, models) in groups.items():
                held = (own if side in (0, 2, 3) else models).masses(told)
                if method == "robust":
                    held[held.sum(axis=1) < 1] = 0
                masses[name][side].append(held)
        start += len(texts)
    return Content(
        totals / max(len(pairs), 1),
        {name: tuple(np.concatenate(side) for side in sides) for name, sides in masses.items()},
    )


def _tried(texts: int) -> list[int]:
    if texts < _SMALL:
        return [5, 10, 20]
    return [50, 100, 150] if texts < _LARGE else [200, 250, 300]


_NOT_NEW, _LEFT, _WANTED = -1, 0, 1


def _wanted(every: Sequence[Pairs], seed: int) -> NDArray[np.int8]:
    """Say in which articles topics are found, shape (pairs, 2): references, generated ones.

    A reference that was there before, in another condition or beside another model, counts once.
    """
    ids = pl.concat([pairs.ids for pairs in every])
    wanted = np.full((len(ids), 2), _WANTED, np.int8)
    wanted[~ids.is_first_distinct().to_numpy(), 0] = _NOT_NEW
    places = np.flatnonzero(wanted == _WANTED)
    if len(places) > FITTED:
        rng = np.random.default_rng([seed, *b"topics"])
        wanted.ravel()[places] = _LEFT
        wanted.ravel()[rng.choice(places, FITTED, replace=False)] = _WANTED
    return wanted


def _texts(every: Sequence[Pairs], wanted: NDArray[np.int8]) -> Iterator[pl.Series]:
    start = 0
    for pairs in every:
        for batch in pairs.batches():
            own = wanted[start : start + len(batch)] == _WANTED
            yield batch["reference"].filter(pl.Series(own[:, 0]))
            yield batch["generated"].filter(pl.Series(own[:, 1]))
            start += len(batch)


def _stacked(parts: list[csr_array[Any, Any]]) -> Any:
    from scipy.sparse import vstack

    return vstack(parts, format="csr")


def _summed(
    words: csr_array[Any, Any], article: NDArray[np.intp], where: NDArray[np.bool_], articles: int
) -> Any:
    """Add up the words of an article's sentences."""
    from scipy.sparse import csr_array

    places = np.flatnonzero(where)
    cells = (np.ones(len(places)), (article[places], places))
    return csr_array(csr_array(cells, shape=(articles, words.shape[0])) @ words)
