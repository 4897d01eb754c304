"""TextBlob's polarity of many sentences: the library's own numbers in a fraction of its time.

Most of the library's time goes into dividing sentences into words and into words that change
nothing. Here each distinct chunk between blanks is divided once, by the library; of a sentence only
the words are kept that can change its polarity, and the library assesses those. A sentence in which
an emoticon may come about is left to it altogether.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

_MOST = 1 << 17
"""So many chunks and assessments are remembered: memory stays flat for any number of sentences."""

_SPACE = r"[\s\x1c-\x1f]*"
"""White space to Python's `\\s`; Rust's leaves out four separators."""

_ANY_WORD = "unassessed"
"""Stands for each word that only ends a reach: what is the same to the library is asked once."""

_WORD, _SMALL, _KEPT = 0, 1, 2
"""A word that ends what a negation or a modifier reaches; one that does not; one that counts."""


def textblob_scorer() -> Callable[[Sequence[str]], NDArray[np.float64]]:
    """Load TextBlob.

    Returns
    -------
    callable
        From sentences to an array of as many polarities, −1 to 1: of each sentence what
        `TextBlob(sentence).sentiment.polarity` is.

    Raises
    ------
    ImportError
        textblob is not installed.
    """
    from textblob import TextBlob  # type: ignore[import-untyped] # it has no hints
    from textblob._text import EMOTICONS  # type: ignore[import-untyped] # likewise
    from textblob.en import sentiment  # type: ignore[import-untyped] # likewise

    maybe_emoticon = _emoticons(emoticon for each in EMOTICONS.values() for emoticon in each)
    chunks = _Chunks(sentiment)

    @lru_cache(maxsize=_MOST)
    def polarity(words: tuple[str, ...]) -> float:
        return float(sentiment(list(words))[0])

    def score(texts: Sequence[str]) -> NDArray[np.float64]:
        scores = np.zeros(len(texts))
        whole = pl.Series(texts, dtype=pl.String).str.contains(maybe_emoticon).to_list()
        for place, (text, left_out) in enumerate(zip(texts, whole, strict=True)):
            if left_out:
                scores[place] = TextBlob(text).sentiment.polarity
            elif words := chunks.what_counts(text):
                scores[place] = polarity(tuple(words))
        return scores

    return score


def _emoticons(known: Iterable[str]) -> str:
    """Write a pattern that finds every text in which the library may see an emoticon, or `(!)`.

    The library sees one in its words put together again, with or without blanks between its
    characters, if a blank or the end follows: in *Appendix D* it sees xD. Later it compares
    words in lower case.
    """
    patterns = []
    for emoticon in sorted({*known, "(!)"}):
        spread = _SPACE.join(map(re.escape, emoticon))
        # What the library puts a blank before: anything but a letter or a digit, and n't.
        patterns.append(spread + r"(?:[^\pL\pN]|n't|$)" if emoticon[-1].isalnum() else spread)
    return "(?i)" + "|".join(patterns)


class _Chunks(dict[str, tuple[tuple[str, int], ...]]):
    """Chunks between blanks → their words, and what each does."""

    def __init__(self, sentiment: Any):
        super().__init__()
        self._sentiment = sentiment

    def __missing__(self, chunk: str) -> tuple[tuple[str, int], ...]:
        if len(self) >= _MOST:
            self.clear()
        divided = [chunk] if chunk.isalpha() else self._sentiment.tokenizer(chunk)
        words = [word.lower() for word in " ".join(divided).split()]
        self[chunk] = found = tuple(map(self._what, words))
        return found

    def _what(self, word: str) -> tuple[str, int]:
        if word in self._sentiment or word in self._sentiment.negations or word == "!":
            return word, _KEPT
        return (_ANY_WORD, _WORD) if len(word.strip("'")) > 2 else (word, _SMALL)

    def what_counts(self, text: str) -> list[str]:
        """Give the words that count and those within their reach.

        Left out are words that the library meets with neither a negation nor a modifier in mind,
        and that are themselves neither, nor in its lexicon: it passes over them.
        """
        counting: list[str] = []
        reached = False
        for chunk in text.split():
            for word, kind in self[chunk]:
                if kind == _KEPT:
                    counting.append(word)
                    reached = True
                elif reached:
                    counting.append(word)
                    reached = kind == _SMALL
        return counting
