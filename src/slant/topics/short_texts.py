"""Sorting short texts into topics, and the words that stand for each."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np

from slant.errors import missing_extra

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

TopicMethod: TypeAlias = Literal["kmeans", "lda", "bertopic"]

NONE = "no topic"
_WORDS = 5
_LETTERS = r"(?u)\b[^\W\d_][^\W\d_]+\b"
_FEWEST_A_TOPIC = 3


@dataclass(frozen=True, eq=False)
class Topics:
    """Topics of texts.

    Attributes
    ----------
    of_text
        Shape (n,): index of each text's topic.
    words
        The most representative words of each topic, best first.
    labels
        What each topic is called: its number and words, all different.
    """

    of_text: NDArray[np.intp]
    words: tuple[tuple[str, ...], ...]
    labels: tuple[str, ...]


FITTED = 20_000
"""Of more texts than this, topics are found in so many, and all are sorted into these."""


def check_method(method: TopicMethod) -> None:
    """See that what finds topics is installed.

    Raises
    ------
    InputError
        It is BERTopic, and is not.
    """
    if method == "bertopic" and find_spec("bertopic") is None:
        raise missing_extra("topics", ImportError(name="bertopic"))


class Sorter(Protocol):
    """Topics that were found in some texts."""

    fitted: NDArray[np.intp]
    """Shape (n,): number of each of these texts' topic, −1 for none."""

    def sort(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.intp]:
        """Give the number of the topic that each of some other texts belongs to."""
        ...


def find_topics(
    texts: Sequence[str],
    vectors: NDArray[np.float32],
    method: TopicMethod = "kmeans",
    count: int = 8,
    seed: int = 0,
) -> Topics | None:
    """Sort texts into topics, the largest first.

    Parameters
    ----------
    texts
        Short texts.
    vectors
        Their embeddings, of length 1, shape (n, d).
    method
        - `kmeans` on the embeddings: every text has a topic;
        - `lda`, latent Dirichlet allocation of the words (Blei, Ng and Jordan 2003): a text's topic
          is its likeliest;
        - `bertopic` (Grootendorst 2022) on the embeddings: texts that fit nowhere have none, which
          counts as a topic of its own.
    count
        Number of topics; of `bertopic` the most there may be.
    seed
        Of the method's random choices.

    Returns
    -------
    Topics or None
        `None` if there are too few texts: fewer than three a topic, even with two topics; or, for
        `lda`, no words.

    Raises
    ------
    InputError
        The extra `topics` is missing, for `bertopic`.
    """
    sorter = fit_topics(texts, vectors, method, count, seed)
    return None if sorter is None else name_topics(texts, sorter.fitted)


def fit_topics(
    texts: Sequence[str],
    vectors: NDArray[np.float32],
    method: TopicMethod = "kmeans",
    count: int = 8,
    seed: int = 0,
) -> Sorter | None:
    """Find topics in texts, of which further texts can be sorted into them.

    Parameters, `None` and errors as in `find_topics`.
    """
    count = min(count, len(texts) // _FEWEST_A_TOPIC, len(set(texts)))
    if count < 2:
        return None
    return {"kmeans": _KMeans, "lda": _LDA.of, "bertopic": _BERTopic}[method](
        texts, vectors, count, seed
    )


def name_topics(texts: Sequence[str], raw: NDArray[np.intp]) -> Topics:
    """Order topics by size, and name them by their words."""
    numbers, sizes = np.unique(raw, return_counts=True)
    order = numbers[np.lexsort((numbers, -sizes))]
    place = np.empty(int(numbers.max()) + 2, dtype=np.intp)  # the last is for −1
    place[order] = np.arange(len(order))
    of_text = place[raw]
    words = representative_words(texts, of_text, len(order))
    labels = tuple(
        NONE if number < 0 else f"{new}: {', '.join(words[new]) or '…'}"
        for new, number in enumerate(order)
    )
    return Topics(of_text, words, labels)


def representative_words(
    texts: Sequence[str], of_text: NDArray[np.intp], count: int
) -> tuple[tuple[str, ...], ...]:
    r"""Give the words that are typical of each topic, by class-based TF-IDF.

    :math:`W_{wc} = f_{wc} \log(1 + A / f_w)`, with the frequency of word *w* in topic *c*, its
    frequency in all topics, and the mean number of words a topic.

    References
    ----------
    Grootendorst (2022), "BERTopic", arXiv:2203.05794, equation 2.
    """
    vectorizer, counts = _word_counts(texts)
    if counts is None:
        return ((),) * count
    names = vectorizer.get_feature_names_out()
    frequency = np.zeros((count, len(names)))
    for topic in range(count):
        frequency[topic] = np.asarray(counts[np.flatnonzero(of_text == topic)].sum(axis=0)).ravel()
    average = frequency.sum() / count
    weight = frequency * np.log(1 + average / np.maximum(frequency.sum(axis=0), 1))
    best = np.argsort(-weight, axis=1, kind="stable")[:, :_WORDS]
    return tuple(
        tuple(str(names[place]) for place in row if weight[topic, place] > 0)
        for topic, row in enumerate(best)
    )


def _word_counts(texts: Sequence[str]) -> tuple[Any, Any]:
    from sklearn.feature_extraction.text import CountVectorizer

    vectorizer = CountVectorizer(stop_words="english", token_pattern=_LETTERS)
    try:
        counts = vectorizer.fit_transform(texts)
    except ValueError:  # nothing but stop words
        return vectorizer, None
    return vectorizer, counts.tocsr()


class _KMeans:
    def __init__(self, texts: Sequence[str], vectors: NDArray[np.float32], count: int, seed: int):
        from sklearn.cluster import KMeans

        self._model = KMeans(count, n_init=4, random_state=seed)
        self.fitted = np.asarray(self._model.fit_predict(vectors), dtype=np.intp)

    def sort(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.intp]:
        return np.asarray(self._model.predict(vectors), dtype=np.intp)


class _LDA:
    def __init__(self, vectorizer: Any, counts: Any, count: int, seed: int):
        from sklearn.decomposition import LatentDirichletAllocation

        self._vectorizer = vectorizer
        self._model = LatentDirichletAllocation(count, random_state=seed, learning_method="batch")
        self.fitted = np.asarray(self._model.fit_transform(counts).argmax(axis=1))

    @classmethod
    def of(
        cls, texts: Sequence[str], vectors: NDArray[np.float32], count: int, seed: int
    ) -> _LDA | None:
        vectorizer, counts = _word_counts(texts)
        return None if counts is None else cls(vectorizer, counts, count, seed)

    def sort(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.intp]:
        return np.asarray(self._model.transform(self._vectorizer.transform(texts)).argmax(axis=1))


class _BERTopic:
    def __init__(self, texts: Sequence[str], vectors: NDArray[np.float32], count: int, seed: int):
        try:
            from bertopic import BERTopic
            from sklearn.cluster import HDBSCAN
            from umap import UMAP
        except ImportError as error:
            raise missing_extra("topics", error) from error
        near = min(15, len(texts) - 2)
        model = BERTopic(
            embedding_model=None,
            umap_model=UMAP(
                n_neighbors=near, n_components=5, min_dist=0.0, metric="cosine",
                random_state=seed, n_jobs=1, init="random",
            ),
            hdbscan_model=HDBSCAN(min_cluster_size=max(3, len(texts) // 100), copy=True),
            nr_topics=count,
        )  # fmt: skip
        topics, _ = model.fit_transform(list(texts), embeddings=vectors)
        self.fitted = np.asarray(topics, dtype=np.intp)
        self._numbers = np.unique(self.fitted)
        self._means = np.stack([vectors[self.fitted == each].mean(axis=0)
                                for each in self._numbers])  # fmt: skip

    def sort(self, texts: Sequence[str], vectors: NDArray[np.float32]) -> NDArray[np.intp]:
        """Give the topic whose mean is nearest: HDBSCAN itself cannot place what is new."""
        far = (self._means**2).sum(axis=1) - 2 * vectors @ self._means.T
        return np.asarray(self._numbers[far.argmin(axis=1)])
