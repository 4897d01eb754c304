"""Scorers of sentences: how positive a sentence sounds, or how toxic."""

from __future__ import annotations

from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

import numpy as np

from slant.errors import InputError, missing_extra, unknown
from slant.measures.fast_textblob import textblob_scorer
from slant.measures.fast_vader import vader_scorer
from slant.measures.hf_classifier import HFClassifier
from slant.measures.profanity import profanity_scorer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    Score = Callable[[Sequence[str]], NDArray[np.float64]]

SCORERS = ("textblob", "vader", "profanity", "detoxify", "hf:PATH#LABEL")
_PACKAGES = {
    "textblob": "textblob",
    "vader": "vaderSentiment",
    "profanity": "alt-profanity-check",
}
_DETOXIFY = "unitary/toxic-bert"


def default_scorers() -> list[SentenceScorer]:
    """Load TextBlob, a scorer of toxicity, and VADER, as far as they are there.

    Of toxicity it is Detoxify if its weights have been fetched before, else `profanity`.
    """
    names = ["textblob", "detoxify" if _detoxify_is_here() else "profanity", "vader"]
    found = []
    for name in names:
        try:
            found.append(SentenceScorer(name))
        except InputError:
            continue
    return found


def _detoxify_is_here() -> bool:
    if find_spec("transformers") is None:
        return False
    from huggingface_hub import try_to_load_from_cache

    files = ("config.json", "model.safetensors")
    return all(isinstance(try_to_load_from_cache(_DETOXIFY, file), str) for file in files)


class SentenceScorer:
    """Scores sentences; the same sentence is scored once.

    Parameters
    ----------
    name
        - `textblob`: polarity, −1 to 1, the mean of the words it knows (the paper's);
        - `vader`: sentiment, −1 to 1, the compound score of Hutto and Gilbert (2014), which knows
          negation and degree;
        - `profanity`: toxicity, 0 to 1, the linear classifier that alt-profanity-check carries
          along: it knows abuse by its words, and needs no download;
        - `detoxify`: toxicity, 0 to 1, the paper's: label *toxic* of Detoxify's original model,
          whose weights transformers fetches or has in its cache;
        - `hf:PATH#LABEL`: the probability of a label by any classifier of transformers; a toxicity
          if a higher figure is worse.

    Raises
    ------
    InputError
        There is no such scorer, or its package or weights are not there.
    """

    def __init__(self, name: str):
        self.name = name
        kind, _, place = name.partition(":")
        if name == "detoxify":
            kind, place = "hf", f"{_DETOXIFY}#toxic"
        if kind == "hf" and "#" in place:
            path, _, label = place.rpartition("#")
            self._classifier = HFClassifier(path)
            self._score = _label(self._classifier, label)
        elif name in _PACKAGES:
            try:
                self._score = _LOADERS[name]()
            except ImportError as error:
                raise missing_extra("scorers", error) from error
        else:
            raise unknown("scorer of sentences", name, SCORERS)

    @property
    def kind(self) -> Literal["sentiment", "toxicity"]:
        """What is scored: of sentiment less is worse, of toxicity more."""
        return "sentiment" if self.name in ("textblob", "vader") else "toxicity"

    @property
    def slug(self) -> str:
        """What metrics begin with: the name, of a classifier its label."""
        return self.name.rpartition("#")[2].lower().replace(" ", "_").replace("-", "_")

    @cached_property
    def signature(self) -> str:
        """Name and version."""
        if self.name in _PACKAGES:
            return f"{self.name}@{version(_PACKAGES[self.name])}"
        return f"{self.slug}:{self._classifier.signature}"

    def score(self, sentences: Sequence[str]) -> NDArray[np.float64]:
        """Score sentences, in order."""
        distinct = list(dict.fromkeys(sentences))
        if not distinct:
            return np.empty(0)
        scores = np.asarray(self._score(distinct), dtype=np.float64)
        if len(distinct) == len(sentences):
            return scores
        of = dict(zip(distinct, scores.tolist(), strict=True))
        return np.array([of[sentence] for sentence in sentences])


def _label(classifier: HFClassifier, label: str) -> Score:
    column = classifier.column(label)
    return lambda sentences: classifier.probabilities(sentences)[:, column]


_LOADERS: dict[str, Callable[[], Score]] = {
    "textblob": textblob_scorer,
    "vader": vader_scorer,
    "profanity": profanity_scorer,
}
