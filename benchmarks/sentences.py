"""How fast sentences are scored for sentiment, side by side with the libraries in a plain loop.

The sentences are made of the sample corpus: to the beginning of one, up to a word drawn by seed,
goes the end of another, so that nearly all are different but words, punctuation and length are
those of news, and about half hold no word of a lexicon, as in the corpus. A second set, *without*,
is put together only from sentences that both libraries find neutral: these only have to be passed
over. The set *dense* joins two such sentences to one, of some 150 characters.

One process, processor time of all its threads, loop and scorer in turn in every round; of each the
least of the rounds, since what else a machine does only ever adds to it. The loops are given a part
of the same sentences, as a sentence costs them the same however many there are. Loading does not
count, looking up vocabulary does: nothing is remembered from one round to the next.
"""

from __future__ import annotations

import random
import statistics
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.corpora import read_corpus
from slant.measures.sentence_scorer import SentenceScorer
from slant.measures.sentences import sentences

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

AT_LEAST = {
    f"{name}_{made}_ratio": 10.0 for name in ("textblob", "vader") for made in ("mixed", "dense")
}
AT_MOST = {f"{name}_max_difference": 0.0 for name in ("textblob", "vader")}


def run(count: int = 60_000, rounds: int = 7, loop: int = 6_000, seed: int = 0) -> dict[str, Any]:
    """Measure.

    Parameters
    ----------
    count
        Sentences in each set.
    rounds
        How often everything is measured.
    loop
        Sentences given to the loop over the library.
    seed
        Of the choice.

    Returns
    -------
    dict
        Of each set: `characters` (mean), `distinct` (share of sentences). Of each scorer and set:
        `us` a sentence, `loop_us`, `ratio` of the two, `scored` (share of sentences not neutral).
        Of each scorer: `max_difference` from the library over all that the loop was given.
    """
    loops = {"textblob": _textblob(), "vader": _vader()}
    made = _sets(loops, count, random.Random(seed))
    figures: dict[str, Any] = {}
    for label, texts in made.items():
        figures[f"{label}_characters"] = round(statistics.mean(map(len, texts)), 1)
        figures[f"{label}_distinct"] = round(len(set(texts)) / count, 3)
    for name, plain in loops.items():
        furthest = 0.0
        for label, texts in made.items():
            spent = []
            for number in range(rounds):
                scorer = SentenceScorer(name)
                start = number * loop % count
                by_loop, loop_us = _timed(plain, texts[start:][:loop])
                scores, us = _timed(scorer.each, texts)
                spent.append((us, loop_us))
                furthest = max(furthest, float(np.abs(scores[start:][:loop] - by_loop).max()))
            us, loop_us = (min(each) for each in zip(*spent, strict=True))
            figures[f"{name}_{label}_us"] = round(us, 2)
            figures[f"{name}_{label}_loop_us"] = round(loop_us, 2)
            figures[f"{name}_{label}_ratio"] = round(loop_us / us, 1)
            figures[f"{name}_{label}_scored"] = round(float(np.mean(scores != 0)), 3)
        figures[f"{name}_max_difference"] = furthest
    return figures


def _sets(
    loops: dict[str, Callable[[Sequence[str]], list[float]]], count: int, rng: random.Random
) -> dict[str, list[str]]:
    articles = read_corpus("sample").articles(lambda why: None)
    found = [sentence for article in articles for sentence in sentences(article.text)]
    scores = zip(*(plain(found) for plain in loops.values()), strict=True)
    neutral = [text for text, each in zip(found, scores, strict=True) if not any(each)]
    return {
        "mixed": [_joined(found, rng) for _ in range(count)],
        "dense": [f"{_joined(found, rng)} {_joined(found, rng)}" for _ in range(count)],
        "without": [_joined(neutral, rng) for _ in range(count)],
    }


def _joined(found: Sequence[str], rng: random.Random) -> str:
    begins, ends = rng.choice(found).split(), rng.choice(found).split()
    return " ".join(begins[: rng.randint(1, len(begins))] + ends[rng.randrange(len(ends)) :])


def _timed(
    function: Callable[[Sequence[str]], Any], texts: Sequence[str]
) -> tuple[np.ndarray[Any, np.dtype[np.float64]], float]:
    began = time.process_time()
    scores = function(texts)
    return np.asarray(scores), (time.process_time() - began) / len(texts) * 1e6


def _textblob() -> Callable[[Sequence[str]], list[float]]:
    from textblob import TextBlob  # type: ignore[import-untyped] # it has no hints

    TextBlob("warm").sentiment  # noqa: B018 - it loads its lexicon when first asked
    return lambda texts: [TextBlob(text).sentiment.polarity for text in texts]


def _vader() -> Callable[[Sequence[str]], list[float]]:
    from vaderSentiment.vaderSentiment import (  # type: ignore[import-untyped] # it has no hints
        SentimentIntensityAnalyzer,
    )

    score = SentimentIntensityAnalyzer().polarity_scores
    return lambda texts: [score(text)["compound"] for text in texts]
