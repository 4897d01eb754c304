"""Scorers of sentences: how positive a sentence sounds, from −1 to 1."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from slant.errors import missing_extra, unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

SCORERS = ("textblob", "vader")
_PACKAGES = {"textblob": "textblob", "vader": "vaderSentiment"}


class SentenceScorer:
    """Scores sentences; the same sentence is scored once.

    Parameters
    ----------
    name
        `textblob`: mean polarity of the words it knows (the paper's); `vader`: the compound score
        of Hutto and Gilbert (2014), which knows negation and degree.

    Raises
    ------
    InputError
        There is no such scorer, or its package is not installed.
    """

    def __init__(self, name: str):
        if name not in SCORERS:
            raise unknown("scorer of sentences", name, SCORERS)
        self.name = name
        try:
            self._score = _textblob() if name == "textblob" else _vader()
        except ImportError as error:
            raise missing_extra("scorers", error) from error

    @property
    def signature(self) -> str:
        """Name and version."""
        return f"{self.name}@{version(_PACKAGES[self.name])}"

    def score(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """Score sentences, in order."""
        known = {sentence: self._score(sentence) for sentence in dict.fromkeys(sentences)}
        return np.array([known[sentence] for sentence in sentences], dtype=np.float64)


@cache
def _textblob() -> Callable[[str], float]:
    from textblob import TextBlob  # type: ignore[import-untyped] # it has no hints

    return lambda sentence: float(TextBlob(sentence).sentiment.polarity)


@cache
def _vader() -> Callable[[str], float]:
    from vaderSentiment.vaderSentiment import (  # type: ignore[import-untyped] # it has no hints
        SentimentIntensityAnalyzer,
    )

    analyser = SentimentIntensityAnalyzer()
    return lambda sentence: float(analyser.polarity_scores(sentence)["compound"])
