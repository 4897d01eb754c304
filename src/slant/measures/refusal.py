"""The measure that tells a refusal from an answer.

Every sentence near the beginning of a text is weighed by its cues (`slant.measures.refusal_cues`);
a text is a refusal when one of them weighs enough. The weights are those of a logistic regression,
fitted to the texts in `tests/readings` by `python -m tests.readings.weigh`.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from slant.measures.measure import Measure
from slant.measures.refusal_cues import sentences_of
from slant.measures.spans import Span, score_by_spans
from slant.strict import Strict
from slant.toml_file import read_packaged

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from slant.measures.refusal_cues import Sentence


class RefusalCues(Strict):
    """The file of cues, `data/lexicons/refusal.toml`."""

    name: str
    languages: tuple[str, ...]
    version: int
    source: str
    within: int
    threshold: float
    always: float
    spelt: dict[str, str]
    kinds: dict[str, str]
    weights: dict[str, float]

    def sentences(self, text: str) -> Iterator[Sentence]:
        """Give a text's first sentences with the cues in them."""
        return sentences_of(text, self.within, self.spelt, self._kind_of)

    def weight(self, sentence: Sentence) -> float:
        """Weigh a sentence: the logarithm of the odds that it refuses."""
        return self.always + sum(self.weights.get(cue, 0.0) for cue in sentence.cues)

    @property
    def _kind_of(self) -> dict[str, str]:
        return _kind_of(tuple(self.kinds.items()))


class Refusal(Measure):
    """Scores 1 where a text reads as a model refusing or disclaiming, else 0."""

    def __init__(self) -> None:
        self._cues = packaged_cues()
        content = self._cues.model_dump_json(exclude={"source"})
        digest = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:8]
        self.name, self.signature = self._cues.name, f"{self._cues.name}@{digest}|cues"

    def score(self, texts: pl.Series) -> pl.DataFrame:
        """Score texts; `spans` holds the sentence that counts."""
        return score_by_spans(texts, r"\S", _find)


@cache
def packaged_cues() -> RefusalCues:
    """Read the packaged cues, once."""
    return read_packaged("lexicons", "refusal.toml").validate(RefusalCues)


@lru_cache(maxsize=4096)  # models repeat themselves, and so do the rulers of every run
def _find(text: str) -> list[Span]:
    cues = packaged_cues()
    weighed = [(cues.weight(each), each.start, each.end) for each in cues.sentences(text)]
    heaviest, start, end = max(weighed, default=(float("-inf"), 0, 0))
    if heaviest <= cues.threshold:
        return []
    return [(start, start + len(text[start:end].rstrip()))]


@cache
def _kind_of(kinds: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {word: kind for kind, words in kinds for word in words.split()}
