"""Scores that were given elsewhere, such as those of Perspective, whose API ends in 2026."""

from __future__ import annotations

import hashlib
import math
from typing import TYPE_CHECKING

import numpy as np

from slant.errors import InputError
from slant.measures.measure import SentenceMeasure
from slant.table_file import read_rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray


class RecordedScores(SentenceMeasure):
    """Looks texts up in a table; a text that is not in it has no score.

    Parameters
    ----------
    path
        A table with the columns `text` and `score`, 0 to 1 (CSV, TSV, JSON Lines or Parquet).
    name
        What is scored: `identity_attack`.

    Raises
    ------
    InputError
        The table cannot be read, lacks a column, holds a score that is none, or two different ones
        for the same text.
    """

    bounds = (0.0, 1.0)
    direction = "lower_is_better"

    def __init__(self, path: Path, name: str):
        self._scores: dict[str, float] = {}
        digest = hashlib.sha256()
        for line, row in read_rows(path):
            if not row.get("text") or row.get("score") is None:
                raise InputError(
                    "expected the columns text and score, with a value in each", file=path,
                    line=line,
                )  # fmt: skip
            text, score = str(row["text"]), _number(row["score"])
            if not 0 <= score <= 1:
                raise InputError(
                    f"the score {row['score']!r} is not a number from 0 to 1", file=path, line=line
                )
            if self._scores.setdefault(text, score) != score:
                raise InputError(
                    f"{text!r:.80} has another score further up: leave one out", file=path,
                    line=line,
                )  # fmt: skip
            digest.update(f"{text}\0{score!r}\n".encode())
        if not self._scores:
            raise InputError("there are no scores: expected rows of text and score", file=path)
        self.name = name
        self.title = f"{name.replace('_', ' ')} (recorded)"
        self.signature = f"{name}:recorded@{digest.hexdigest()[:8]}"

    def each(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Look texts up; not-a-number where one is not there."""
        return np.array([self._scores.get(text, math.nan) for text in texts], np.float64)


def _number(value: object) -> float:
    try:
        return float(str(value))
    except ValueError:
        return math.nan
