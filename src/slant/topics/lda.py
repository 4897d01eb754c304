"""Latent Dirichlet allocation, with the number of topics chosen by held-out perplexity."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np

from slant.errors import missing_extra

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Engine: TypeAlias = Literal["sklearn", "gensim"]

_HELD_OUT = 0.1
_BATCH = 2_048
_LEAST_STEPS = 60
"""A small corpus is gone through again and again until so many batches have been seen."""


class _Fitted(Protocol):
    """What an engine makes."""

    def distributions(self, counts: Any) -> NDArray[np.float64]: ...

    def words(self) -> NDArray[np.float64]: ...

    def perplexity(self, counts: Any) -> float: ...


@dataclass(frozen=True, eq=False)
class TopicModel:
    """Topics of a corpus.

    Attributes
    ----------
    words
        Probability of each word in each topic, shape (topics, words).
    perplexities
        Held-out perplexity by number of topics, for those that were tried.
    """

    words: NDArray[np.float64]
    perplexities: dict[int, float]
    _fitted: _Fitted = field(repr=False)

    @property
    def topics(self) -> int:
        """How many topics there are."""
        return len(self.words)

    def distributions(self, counts: Any) -> NDArray[np.float64]:
        """Infer how texts are made up of topics, shape (texts, topics); rows sum to 1.

        A text without a known word is made up of all topics alike.
        """
        return self._fitted.distributions(counts)


def without_prior(shares: NDArray[np.float64], counts: Any) -> NDArray[np.float64]:
    r"""Say how many words of texts are of each topic, shape (texts, topics).

    :math:`\gamma_k - 1/K`, where :math:`\gamma_k = 1/K + \sum_n \phi_{nk}`: the prior gives every
    topic its part of a distribution, the more the shorter the text is.

    Parameters
    ----------
    shares
        What `TopicModel.distributions` says of the texts.
    counts
        Their words, shape (texts, words), sparse.

    References
    ----------
    Blei, Ng and Jordan (2003), Latent Dirichlet allocation, JMLR 3, equation 7.
    """
    length = np.asarray(counts.sum(axis=1), dtype=np.float64).reshape(-1, 1)
    kept: NDArray[np.float64] = np.maximum(shares * (length + 1) - 1 / shares.shape[1], 0)
    return kept


def fit_topics(
    counts: Any, tried: Sequence[int], *, seed: int, engine: Engine = "sklearn"
) -> TopicModel:
    """Fit topics to texts.

    Online variational Bayes with symmetric priors of 1/K on both sides, in either engine: the
    algorithm and the defaults are the same, the code is not. With several numbers of topics, each
    is fitted on nine tenths of the texts, the one with the lowest perplexity on the others is
    chosen, and fitted on all.

    Parameters
    ----------
    counts
        Words, shape (texts, words), sparse.
    tried
        Numbers of topics.
    seed
        Of the engine's random start and of the split.
    engine
        `sklearn`, or `gensim` (the paper's; extra `topics`).

    Raises
    ------
    InputError
        gensim is asked for and not installed.

    References
    ----------
    Blei, Ng and Jordan (2003), Latent Dirichlet allocation, JMLR 3, section 7.1 for perplexity.
    Hoffman, Bach and Blei (2010), Online learning for latent Dirichlet allocation, NeurIPS.
    """
    perplexities: dict[int, float] = {}
    best = tried[0]
    if len(tried) > 1:
        order = np.random.default_rng(seed).permutation(counts.shape[0])
        cut = max(1, round(len(order) * _HELD_OUT))
        held, rest = counts[np.sort(order[:cut])], counts[np.sort(order[cut:])]
        for number in tried:
            perplexities[number] = _ENGINES[engine](rest, number, seed).perplexity(held)
        best = min(perplexities, key=lambda number: (perplexities[number], number))
    fitted = _ENGINES[engine](counts, best, seed)
    return TopicModel(fitted.words(), perplexities, fitted)


def check_engine(engine: Engine) -> None:
    """See that an engine is installed.

    Raises
    ------
    InputError
        It is gensim, and is not.
    """
    if engine == "gensim":
        try:
            import gensim  # noqa: F401 - only to see whether it is there
        except ImportError as error:
            raise missing_extra("topics", error) from error


def _passes(texts: int) -> int:
    steps = -(-texts // _BATCH)
    return max(1, -(-_LEAST_STEPS // steps))


class _Sklearn:
    def __init__(self, counts: Any, topics: int, seed: int):
        from sklearn.decomposition import LatentDirichletAllocation

        self._model: Any = LatentDirichletAllocation(
            topics,
            learning_method="online",
            learning_offset=1.0,
            learning_decay=0.5,
            batch_size=_BATCH,
            max_iter=_passes(counts.shape[0]),
            max_doc_update_iter=50,
            mean_change_tol=1e-3,
            random_state=seed,
        ).fit(counts)

    def distributions(self, counts: Any) -> NDArray[np.float64]:
        return np.asarray(self._model.transform(counts), dtype=np.float64)

    def words(self) -> NDArray[np.float64]:
        weights = np.asarray(self._model.components_, dtype=np.float64)
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))

    def perplexity(self, counts: Any) -> float:
        return float(self._model.perplexity(counts))


class _Gensim:
    def __init__(self, counts: Any, topics: int, seed: int):
        try:
            from gensim.models import LdaModel
        except ImportError as error:
            raise missing_extra("topics", error) from error
        self._model: Any = LdaModel(
            corpus=_corpus(counts),
            id2word={number: str(number) for number in range(counts.shape[1])},
            num_topics=topics,
            chunksize=_BATCH,
            passes=_passes(counts.shape[0]),
            minimum_probability=0.0,
            random_state=seed,
            dtype=np.float64,
        )

    def distributions(self, counts: Any) -> NDArray[np.float64]:
        weights, _ = self._model.inference(_corpus(counts))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)

    def words(self) -> NDArray[np.float64]:
        return np.asarray(self._model.get_topics(), dtype=np.float64)

    def perplexity(self, counts: Any) -> float:
        bound = self._model.bound(_corpus(counts))
        return float(np.exp(-bound / counts.sum()))


def _corpus(counts: Any) -> list[list[tuple[int, float]]]:
    """Write counts as gensim reads them."""
    rows = counts.tocsr()
    return [
        list(zip(rows.indices[start:end].tolist(), rows.data[start:end].tolist(), strict=True))
        for start, end in zip(rows.indptr[:-1], rows.indptr[1:], strict=True)
    ]


_ENGINES: dict[Engine, type[_Sklearn] | type[_Gensim]] = {"sklearn": _Sklearn, "gensim": _Gensim}
