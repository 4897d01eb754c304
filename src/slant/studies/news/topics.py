"""The topics of all articles: what sentences are about, and what articles are made up of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.studies.news.sentence_table import split
from slant.topics import Vocabulary, fit_topics, relevant_words, similarity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from slant.studies.news.pairs import Pairs
    from slant.studies.news.sentence_table import SentenceTable
    from slant.studies.news.settings import NewsSettings
    from slant.topics import TopicModel

_SMALL, _LARGE = 1_000, 10_000
_RELEVANT = 15


@dataclass(frozen=True, eq=False)
class Topics:
    """The topics of all articles, references and generated ones of every condition.

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
    """

    vocabulary: Vocabulary
    model: TopicModel
    others: tuple[TopicModel, ...]
    stability: NDArray[np.float64]
    frequency: NDArray[np.float64]

    def relevant(self) -> list[list[str]]:
        """Give the fifteen words most relevant to each topic."""
        places = relevant_words(self.model.words, self.frequency, _RELEVANT)
        return [[self.vocabulary.words[place] for place in row] for row in places]


@dataclass(frozen=True, eq=False)
class Content:
    """What the articles of one condition are about, after one model of topics.

    Attributes
    ----------
    sentence
        The most probable topic of each sentence; −1 for one without a known word.
    articles
        Distributions over topics, shape (pairs, topics): of references, generated articles, the
        first and the second halves of references, and samples of generated articles.
    """

    sentence: NDArray[np.intp]
    articles: tuple[NDArray[np.float64], ...]


def find_topics(every: Sequence[Pairs], settings: NewsSettings, seed: int) -> Topics | None:
    """Fit topics to all articles, each reference once; None if there is nothing to fit."""
    vocabulary = Vocabulary(_texts(every), settings.lemmas)
    if not vocabulary.words:
        return None
    counts = _stacked([vocabulary.counts(texts) for texts in _texts(every)])
    tried = settings.topics or _tried(counts.shape[0])
    model = fit_topics(counts, tried, seed=seed, engine=settings.topic_engine)
    others = tuple(
        fit_topics(counts, [model.topics], seed=seed + step, engine=settings.topic_engine)
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
    )


def content(
    pairs: Pairs, table: SentenceTable, vocabulary: Vocabulary, model: TopicModel
) -> Content:
    """Infer the topics of sentences and articles."""
    parts: list[NDArray[np.intp]] = []
    sides: list[list[NDArray[np.float64]]] = [[] for _ in range(5)]
    start = 0
    for batch in pairs.batches():
        texts, article, generated = split(batch)
        words = vocabulary.counts(pl.Series(texts, dtype=pl.String))
        best = model.distributions(words).argmax(axis=1) if len(texts) else np.empty(0, np.intp)
        known = np.asarray(words.sum(axis=1)).ravel() > 0
        parts.append(np.where(known, best, -1))
        chosen = table.chosen[start : start + len(texts)]
        wheres = (
            ~generated, generated, ~generated & chosen, ~generated & ~chosen, generated & chosen
        )  # fmt: skip
        for side, where in zip(sides, wheres, strict=True):
            side.append(model.distributions(_summed(words, article, where, len(batch))))
        start += len(texts)
    empty = np.empty((0, model.topics))
    return Content(
        np.concatenate(parts or [np.empty(0, np.intp)]),
        tuple(np.concatenate(side) if side else empty for side in sides),
    )


def _tried(texts: int) -> list[int]:
    if texts < _SMALL:
        return [5, 10, 20]
    return [50, 100, 150] if texts < _LARGE else [200, 250, 300]


def _texts(every: Sequence[Pairs]) -> Iterator[pl.Series]:
    seen: set[str] = set()
    for pairs in every:
        for batch in pairs.batches():
            new = [name not in seen for name in batch["id"]]
            seen.update(batch["id"])
            yield batch["reference"].filter(pl.Series(new, dtype=pl.Boolean))
            yield batch["generated"]


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
