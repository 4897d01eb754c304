"""Sorting short texts into topics, and the words that stand for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

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
    count = min(count, len(texts) // _FEWEST_A_TOPIC, len(set(texts)))
    if count < 2:
        return None
    raw = {"kmeans": _kmeans, "lda": _lda, "bertopic": _bertopic}[method](
        texts, vectors, count, seed
    )
    if raw is None:
        return None
    numbers, sizes = np.unique(raw, return_counts=True)
    order = numbers[np.lexsort((numbers, -sizes))]
    place = {int(number): new for new, number in enumerate(order)}
    of_text = np.array([place[int(number)] for number in raw], dtype=np.intp)
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
    counts, names = _word_counts(texts)
    if counts is None:
        return ((),) * count
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
        return None, []
    return counts.tocsr(), vectorizer.get_feature_names_out()


def _kmeans(
    texts: Sequence[str], vectors: NDArray[np.float32], count: int, seed: int
) -> NDArray[np.intp]:
    from sklearn.cluster import KMeans

    return np.asarray(KMeans(count, n_init=4, random_state=seed).fit_predict(vectors))


def _lda(
    texts: Sequence[str], vectors: NDArray[np.float32], count: int, seed: int
) -> NDArray[np.intp] | None:
    from sklearn.decomposition import LatentDirichletAllocation

    counts, _ = _word_counts(texts)
    if counts is None:
        return None
    model = LatentDirichletAllocation(count, random_state=seed, learning_method="batch")
    return np.asarray(model.fit_transform(counts).argmax(axis=1))


def _bertopic(
    texts: Sequence[str], vectors: NDArray[np.float32], count: int, seed: int
) -> NDArray[np.intp]:
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
            n_neighbors=near, n_components=5, min_dist=0.0, metric="cosine", random_state=seed,
            n_jobs=1, init="random",
        ),
        hdbscan_model=HDBSCAN(min_cluster_size=max(3, len(texts) // 100), copy=True),
        nr_topics=count,
    )  # fmt: skip
    topics, _ = model.fit_transform(list(texts), embeddings=vectors)
    return np.asarray(topics, dtype=np.intp)
