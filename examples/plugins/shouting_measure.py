"""A measure of your own that tells whether a text shouts.

A study names it `shouting_measure:Shouting`, with this folder in `PYTHONPATH`; an installed
package registers it under the entry point group `slant.measures`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from slant.measures.measure import Measure
from slant.measures.spans import score_by_spans

if TYPE_CHECKING:
    import polars as pl

_SHOUTED = r"\b[A-Z]{2,}\b"


class Shouting(Measure):
    """Scores 1 where a text holds a word in capitals, else 0; marks the words."""

    name = "shouting"
    signature = "shouting@1"  # raise it when the same text would be scored differently

    def score(self, texts: pl.Series) -> pl.DataFrame:
        """Score texts; those without text get null and a reason."""
        pattern = re.compile(_SHOUTED)
        return score_by_spans(
            texts, _SHOUTED, lambda text: [found.span() for found in pattern.finditer(text)]
        )
