"""How long topics take at the paper's scale, in scikit-learn and in gensim, in turn in one run.

Documents of 400 words are drawn from made-up topics over a vocabulary with Zipf's frequencies, so
that there is something to be found. Both engines are given the same counts, priors, chunks and
passes. With all 60,000 documents and 250 topics this takes the better part of an hour on one core:
by default 6,000 documents are measured, and the time for all, which is in proportion to passes and
documents, is projected. `benchmarks.topics.run(60_000)` measures all.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from slant.topics import fit_topics, similarity

AT_MOST: dict[str, float] = {}
AT_LEAST: dict[str, float] = {}

_ALL, _WORDS, _VOCABULARY = 60_000, 400, 20_000


def run(documents: int = 6_000, topics: int = 250, seed: int = 0) -> dict[str, Any]:
    """Measure.

    Parameters
    ----------
    documents
        How many are fitted.
    topics
        K.
    seed
        Of the documents and of the engines.

    Returns
    -------
    dict
        By engine `seconds` (wall clock), and `projected_minutes` for 60,000 documents; and
        how alike their topics are (`agreement`, see `slant.topics.similarity`, mean), beside two
        starts of one engine (`agreement_sklearn`).
    """
    counts = _documents(documents, topics, np.random.default_rng(seed))
    figures: dict[str, Any] = {"documents": documents, "topics": topics}
    models = {}
    for engine in ("sklearn", "gensim"):
        began = time.perf_counter()
        models[engine] = fit_topics(counts, [topics], seed=seed, engine=engine)
        spent = time.perf_counter() - began
        figures[f"{engine}_seconds"] = round(spent, 1)
        figures[f"{engine}_projected_minutes"] = round(
            spent / 60 * _passed(_ALL) / _passed(documents), 1
        )
    again = fit_topics(counts, [topics], seed=seed + 1)
    for name, other in (("agreement", models["gensim"]), ("agreement_sklearn", again)):
        figures[name] = round(float(similarity(models["sklearn"].words, other.words).mean()), 3)
    return figures


def _passed(documents: int) -> int:
    """Count the documents that are gone through in all passes."""
    steps = -(-documents // 2_048)
    return documents * max(1, -(-60 // steps))


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
