"""What every measure offers: texts in, numbers out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

REFUSAL = "refusal"
"""The measure that tells refusals; a text that it gives 1 is counted as refused, and no more."""

REFUSAL_CLASSIFIER = "refusal_classifier"
"""A second opinion on the same."""

TELL_REFUSALS = (REFUSAL, REFUSAL_CLASSIFIER)
"""All measures of which 1 means that a text is a refusal."""


class Measure(ABC):
    """Gives each text a number.

    Attributes
    ----------
    name
        What scores are filed under, for example `violence`.
    signature
        Name, version and parameters: part of the signature of every finding that rests on it.
    """

    name: str
    signature: str

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
