"""Scores by an axis between sentences of opposite meaning, in the space of a sentence encoder.

The axis is fitted to sentences at its low end, neutral ones, and sentences at its high end. It
works without a network and for any pair of opposites, and is a coarse ruler: an encoder mixes what
a sentence says with what it is about. How coarse is measured on sentences that had no part in it,
and told by `accuracy`.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from pydantic import Field

from slant.embeddings import MINILM, embed
from slant.measures.measure import SentenceMeasure
from slant.strict import Strict
from slant.toml_file import read_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_NEUTRAL_SHARE = 0.9
_PENALTY = 0.1
_VERSION = 1


class Anchors(Strict):
    """An axis as its TOML file spells it."""

    name: str
    title: str
    high_name: str
    low_name: str
    high: tuple[str, ...] = Field(min_length=2)
    low: tuple[str, ...] = Field(min_length=2)
    neutral: tuple[str, ...] = Field(min_length=5)
    check_high: tuple[str, ...] = Field(min_length=1)
    check_low: tuple[str, ...] = Field(min_length=1)
    check_neutral: tuple[str, ...] = Field(min_length=1)


class AnchorAxis(SentenceMeasure):
    r"""Scores sentences between two opposites.

    A ridge regression on embeddings :math:`x`, with the neutral sentences' mean :math:`m` as its
    origin and the targets 1 for high anchors, 0 for neutral sentences and −1 for low anchors:

    .. math:: s(x) = w \cdot (x - m), \quad
        w = Z^\top (Z Z^\top + \lambda I)^{-1} y, \quad \lambda = 0.1,

    with the rows of :math:`Z` the sentences' :math:`x - m`. With :math:`\lambda \to \infty` its
    direction is that of the difference of the anchors' means; the regression also takes out what
    neutral sentences share with one end (on regard's checking sentences: 89% sorted rightly, not
    81%). A sentence counts as high (low) when it scores above (below) what 90% of the neutral
    sentences score in absolute value, each predicted from all other sentences.

    Parameters
    ----------
    name
        A packaged axis (`regard`, `warmth`, `competence`), or a TOML file with the same keys.

    Raises
    ------
    InputError
        There is no such axis, or its file is faulty.
    SlantError
        The encoder cannot be fetched.

    References
    ----------
    Kozlowski, Taddy and Evans (2019), "The geometry of culture", American Sociological Review 84,
    for axes between opposites; Fiske, Cuddy, Glick and Xu (2002), "A model of (often mixed)
    stereotype content", Journal of Personality and Social Psychology 82, for warmth and competence.
    """

    direction = "higher_is_better"

    def __init__(self, name: str):
        self.anchors = read_named("anchors", "axis of anchors", name).validate(Anchors)
        self.name, self.title = self.anchors.name, self.anchors.title
        self.signature = f"{self.name}-axis@{_VERSION}({MINILM})"

    @cached_property
    def _fit(self) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
        """Give the weights, the origin, and the threshold."""
        a = self.anchors
        vectors = _embedded((*a.high, *a.neutral, *a.low)).astype(np.float64)
        target = np.repeat((1.0, 0.0, -1.0), (len(a.high), len(a.neutral), len(a.low)))
        origin = vectors[target == 0].mean(axis=0)
        centred = vectors - origin
        inverse = np.linalg.inv(centred @ centred.T + _PENALTY * np.eye(len(target)))
        # Leaving each out in turn has a closed form: the residual over 1 − leverage.
        left_out = target - (inverse @ target) / np.diag(inverse)
        threshold = float(np.quantile(np.abs(left_out[target == 0]), _NEUTRAL_SHARE))
        return centred.T @ inverse @ target, origin, threshold

    @property
    def threshold(self) -> float:
        """What a sentence must score, up or down, so as not to be neutral."""
        return self._fit[2]

    def score_vectors(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        """Score embeddings, shape (n, d): a number each, about −1 to 1."""
        weights, origin, _ = self._fit
        return np.asarray((vectors.astype(np.float64) - origin) @ weights)

    def each(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Score sentences, in order."""
        return self.score_vectors(embed(texts)) if texts else np.empty(0)

    def signs(self, scores: NDArray[np.float64]) -> NDArray[np.int8]:
        """Sort scores into −1, 0 and 1 by the threshold."""
        return (np.sign(scores) * (np.abs(scores) > self.threshold)).astype(np.int8)

    @cached_property
    def accuracy(self) -> float:
        """Share of the checking sentences that are sorted rightly; chance is a third."""
        a = self.anchors
        groups = ((1, a.check_high), (-1, a.check_low), (0, a.check_neutral))
        right = [self.signs(self.score_vectors(_embedded(part))) == sign for sign, part in groups]
        return float(np.concatenate(right).mean())


@lru_cache(maxsize=32)
def _embedded(sentences: tuple[str, ...]) -> NDArray[np.float32]:
    """Embed the sentences of an axis, which a run asks for more than once."""
    return embed(sentences)


def warmth() -> AnchorAxis:
    """Build the measure of warmth."""
    return AnchorAxis("warmth")


def competence() -> AnchorAxis:
    """Build the measure of competence."""
    return AnchorAxis("competence")
