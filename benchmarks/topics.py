"""How long topics take at the paper's scale, in scikit-learn and in gensim, in turn in one run.

Documents of 400 words are drawn from made-up topics over a vocabulary with Zipf's frequencies. Both
engines are given the same counts, priors and chunks. Two passes over 2,048 documents are timed, and
the time for two passes over 60,000, which is what `fit_topics` makes of so many, is projected: it
is in proportion to documents and passes. Whether the engines agree is a matter of tests/topics.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
from scipy.sparse import csr_array

from slant.topics import fit_topics

if TYPE_CHECKING:
    from slant.topics.lda import Engine

AT_MOST: dict[str, float] = {}
AT_LEAST: dict[str, float] = {}

_ALL, _WORDS, _VOCABULARY = 60_000, 400, 20_000


def run(documents: int = 2_048, topics: int = 250, seed: int = 0) -> dict[str, Any]:
    """Measure.

    Parameters
    ----------
    documents
        How many are fitted, in two passes.
    topics
        K.
    seed
        Of the documents and of the engines.

    Returns
    -------
    dict
        By engine `seconds` (wall clock), and `projected_minutes` for 60,000 documents.
    """
    counts = _documents(documents, topics, np.random.default_rng(seed))
    figures: dict[str, Any] = {"documents": documents, "topics": topics}
    engines: tuple[Engine, ...] = ("sklearn", "gensim")
    for engine in engines:
        began = time.perf_counter()
        with patch("slant.topics.lda._passes", lambda texts: 2):
            fit_topics(counts, [topics], seed=seed, engine=engine)
        spent = time.perf_counter() - began
        figures[f"{engine}_seconds"] = round(spent, 1)
        figures[f"{engine}_projected_minutes"] = round(spent / 60 * _ALL / documents, 1)
    return figures


def _documents(documents: int, topics: int, rng: np.random.Generator) -> Any:
    base = 1 / np.arange(1, _VOCABULARY + 1)
    words = rng.dirichlet(base / base.sum() * 200, size=topics)
    rows, columns = [], []
    for number in range(documents):
        mixture = rng.dirichlet(np.full(topics, 0.02))
        drawn = rng.multinomial(_WORDS, mixture)
        own = [rng.choice(_VOCABULARY, n, p=words[k]) for k, n in enumerate(drawn) if n]
        columns.append(np.concatenate(own))
        rows.append(np.full(_WORDS, number))
    places: Any = (np.ones(documents * _WORDS), (np.concatenate(rows), np.concatenate(columns)))
    shape: Any = (documents, _VOCABULARY)
    counts = csr_array(places, shape=shape)
    counts.sum_duplicates()
    return counts
