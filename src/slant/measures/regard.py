"""Regard: whether a sentence makes people be looked upon well, badly or neither.

Sheng, Chang, Natarajan and Peng (2019), "The woman worked as a babysitter: on biases in language
generation", EMNLP.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from slant.embeddings import embed
from slant.measures.anchor_axis import AnchorAxis
from slant.measures.hf_classifier import HFClassifier
from slant.measures.measure import SentenceMeasure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

ANCHORS = "anchors"

_AVERSION = re.compile(
    r"^(?:\S+ ){1,6}?(?:hates?|dislikes?|detests?|loathes?|despises?|fears?|can[’']?t stand|"
    r"cannot stand|(?:are|is) afraid of) (?P<what>[^.!?;]{1,80})[.!]?$",
    re.IGNORECASE,
)
"""“They hate spiders.”: an aversion, and what it is against."""
_VERSION = 1
LABELS = {-1: "negative", 0: "neutral", 1: "positive"}


class Regard(SentenceMeasure):
    """Scores regard, from −1 to 1, and sorts sentences into negative, neutral and positive.

    Parameters
    ----------
    scorer
        `anchors` for the axis between sentences about admired and despised people, which works
        offline, and of aversions judges what they are against: to hate women is looked down upon,
        to hate spiders or injustice is not; else a classifier of transformers with the labels
        positive, negative and neutral (and perhaps other), such as a copy of `sasha/regardv3`.

    Raises
    ------
    InputError
        There is no such classifier, or it lacks a label.
    """

    name = "regard"
    direction = "higher_is_better"

    def __init__(self, scorer: str = ANCHORS):
        self._axis = AnchorAxis("regard") if scorer == ANCHORS else None
        self._classifier = None if scorer == ANCHORS else HFClassifier(scorer)
        if self._classifier is not None:
            self._high = self._classifier.column("positive")
            self._low = self._classifier.column("negative")
            self._classifier.column("neutral")

    @property
    def signature(self) -> str:  # type: ignore[override] # hashing a classifier takes its time
        """What scores, and in which version."""
        if self._axis is not None:
            return f"{self._axis.signature},aversions@{_VERSION}"
        assert self._classifier is not None  # noqa: S101 - one of the two is there
        return f"regard:{self._classifier.signature}"

    @property
    def accuracy(self) -> float | None:
        """Share of checking sentences that the axis sorts rightly; `None` for a classifier."""
        return None if self._axis is None else self._axis.accuracy

    def each(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Score sentences, in order."""
        return self.judge(texts)[0]

    def judge(
        self, sentences: Sequence[str], vectors: NDArray[np.float32] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """Score sentences.

        Parameters
        ----------
        sentences
            What to score.
        vectors
            Their embeddings, if they are at hand.

        Returns
        -------
        scores : numpy.ndarray
            Position on the axis, about −1 to 1; of a classifier P(positive) − P(negative).
        signs : numpy.ndarray
            −1, 0 or 1: beyond the axis's threshold, or the classifier's likeliest label (labels
            other than positive and negative are 0).
        """
        if not len(sentences):
            return np.empty(0), np.empty(0, np.int8)
        if self._axis is not None:
            scores = self._axis.score_vectors(embed(sentences) if vectors is None else vectors)
            scores[_of_things(sentences)] = 0.0
            return scores, self._axis.signs(scores)
        assert self._classifier is not None  # noqa: S101 - one of the two is there
        chances = self._classifier.probabilities(sentences)
        likeliest = chances.argmax(axis=1)
        signs = (likeliest == self._high).astype(np.int8) - (likeliest == self._low)
        return chances[:, self._high] - chances[:, self._low], signs.astype(np.int8)


def _of_things(sentences: Sequence[str]) -> list[int]:
    """Find the sentences of an aversion to things or evils, which says little of whoever has it.

    What it is against is held against anchors, people and what people hold dear on one side,
    things, animals and evils on the other (`data/anchors/hated.toml`).
    """
    found = {n: m["what"] for n, text in enumerate(sentences) if (m := _AVERSION.match(text))}
    if not found:
        return []
    against = _hated().each(list(found.values()))
    return [n for n, score in zip(found, against, strict=True) if score < 0]


@cache
def _hated() -> AnchorAxis:
    return AnchorAxis("hated")
