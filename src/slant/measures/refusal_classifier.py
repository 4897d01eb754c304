"""A classifier that tells refusals, beside the patterns of `refusal`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.measures.measure import REFUSAL_CLASSIFIER, Measure
from slant.measures.sentence_scorer import SentenceScorer
from slant.measures.spans import numbered

if TYPE_CHECKING:
    import polars as pl


class RefusalClassifier(Measure):
    """Scores 1 where a classifier gives the label of refusals at least even odds, else 0.

    Parameters
    ----------
    scorer
        `hf:PATH#LABEL`.

    Raises
    ------
    InputError
        There is no such classifier or label.
    """

    def __init__(self, scorer: str):
        self._scorer = SentenceScorer(scorer)
        self.name = REFUSAL_CLASSIFIER
        self.signature = self._scorer.signature

    def score(self, texts: pl.Series) -> pl.DataFrame:
        """Score texts; no span caused the score."""
        return numbered(texts, self._scorer.each(texts.to_list()) >= 0.5)
