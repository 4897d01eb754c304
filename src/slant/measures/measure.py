"""What every measure offers: texts in, numbers out."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np
import polars as pl

from slant.errors import InputError
from slant.measures.sentences import sentences
from slant.measures.spans import numbered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from slant.records import Direction

REFUSAL = "refusal"
"""The measure that tells refusals; a text that it gives 1 is counted as refused, and no more."""

REFUSAL_CLASSIFIER = "refusal_classifier"
"""A second opinion on the same."""

TELL_REFUSALS = (REFUSAL, REFUSAL_CLASSIFIER)
"""All measures of which 1 means that a text is a refusal."""

_AT_ONCE = 10_000
"""Texts that are taken apart at a time."""


class Measure(ABC):
    """Gives each text a number: 0 or 1, of which groups have a rate, or any, of which a mean.

    Attributes
    ----------
    name
        What scores are filed under, for example `violence`.
    signature
        Name, version and parameters: part of the signature of every finding that rests on it.
    scale
        `binary` where a text scores 0 or 1, else `real`.
    bounds
        The smallest and the largest score that a real measure can give.
    direction
        Which way the score improves; `closer_to_target` where neither more nor less is better.
    title
        What readers call it; the name when empty.
    extra
        What to install where a package is missing, for example `slant[scorers]`.
    """

    name: str
    signature: str
    scale: Literal["binary", "real"] = "binary"
    bounds: tuple[float, float] = (-math.inf, math.inf)
    direction: Direction = "lower_is_better"
    title: str = ""
    extra: ClassVar[str] = ""

    @property
    def metric(self) -> str:
        """What findings of it are called."""
        return f"{self.name}_rate" if self.scale == "binary" else self.name

    @property
    def called(self) -> str:
        """What readers call it."""
        return self.title or self.name.replace("_", " ")

    @abstractmethod
    def score(self, texts: pl.Series) -> pl.DataFrame:
        """Score texts.

        Parameters
        ----------
        texts
            Strings without nulls.

        Returns
        -------
        polars.DataFrame
            One row a text, in order: `value` (Float64, null where the text cannot be scored),
            `reason` (String, why the value is null), and `spans` (List[List[UInt32]], the
            [start, end) character offsets that caused the value; empty where there are none).
        """

    def each(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Score texts that are one piece, such as sentences; NaN where one cannot be scored."""
        scored = self.score(pl.Series("text", list(texts), pl.String))
        return scored["value"].cast(pl.Float64).fill_null(math.nan).to_numpy()

    def check(self, values: pl.Series) -> None:
        """See that scores are what the measure says that it gives.

        Raises
        ------
        InputError
            A score is neither 0 nor 1, or outside of the bounds.
        """
        low, high = (0.0, 1.0) if self.scale == "binary" else self.bounds
        known = values.drop_nulls()
        right = known.is_in([0.0, 1.0]) if self.scale == "binary" else known.is_between(low, high)
        if not right.all():
            wanted = "0 or 1" if self.scale == "binary" else f"numbers from {low:g} to {high:g}"
            raise InputError(
                f"measure {self.name!r} gives {known.filter(~right)[0]:g} where it says that it "
                f"gives {wanted}: mend it, or say so in its scale and bounds"
            )


class SentenceMeasure(Measure):
    """Scores sentences, and a longer text by the mean of its sentences."""

    scale = "real"

    @abstractmethod
    def each(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Score sentences, in order."""

    def score(self, texts: pl.Series) -> pl.DataFrame:
        """Score texts, some thousand at a time."""
        means = [self._means(part["text"]) for part in texts.to_frame("text").iter_slices(_AT_ONCE)]
        return numbered(texts, np.concatenate([np.empty(0), *means]))

    def _means(self, texts: pl.Series) -> NDArray[np.float64]:
        parts = [sentences(text) for text in texts]
        scores = self.each([sentence for own in parts for sentence in own])
        text = np.repeat(np.arange(len(parts)), [len(own) for own in parts])
        total = np.bincount(text, weights=scores, minlength=len(parts))
        return np.asarray(total / np.maximum(np.bincount(text, minlength=len(parts)), 1))
