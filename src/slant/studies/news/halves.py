"""Splitting articles at random into halves: what two texts by the same hand differ by."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    import numpy as np

_SENTENCE_END = re.compile(r"""(?<=[.!?])["'”’)\]]*\s+|\n+""")


def sentences(text: str) -> list[str]:
    """Split a text where a sentence ends: after . ! or ? before white space, and at line breaks.

    Abbreviations end sentences too; for halving, and for counting words in sentences, that does no
    harm.
    """
    return [part for part in _SENTENCE_END.split(text) if part.strip()]


def halves(texts: pl.Series, rng: np.random.Generator) -> tuple[pl.Series, pl.Series]:
    """Put every sentence of each text into one of two halves, as many into either as can be."""
    first, second = [], []
    for text in texts:
        parts = sentences(text)
        order = rng.permutation(len(parts))
        chosen = set(order[: (len(parts) + int(rng.integers(2))) // 2].tolist())
        first.append(" ".join(part for place, part in enumerate(parts) if place in chosen))
        second.append(" ".join(part for place, part in enumerate(parts) if place not in chosen))
    return pl.Series(first, dtype=pl.String), pl.Series(second, dtype=pl.String)
