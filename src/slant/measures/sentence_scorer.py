"""Scorers of sentences: how positive a sentence sounds, or how toxic."""

from __future__ import annotations

from functools import cached_property
from importlib.metadata import version
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from slant.errors import InputError, missing_package, unknown
from slant.measures.fast_textblob import textblob_scorer
from slant.measures.fast_vader import vader_scorer
from slant.measures.hf_classifier import HFClassifier
from slant.measures.measure import SentenceMeasure
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
SENTIMENT = ("textblob", "vader")
"""Scorers of sentiment: of it less is worse, of toxicity more."""

_DETOXIFY = "unitary/toxic-bert"


def default_scorers(toxic: SentenceScorer | None = None) -> list[SentenceScorer]:
    """Load TextBlob, a scorer of toxicity, and VADER, as far as they are there.

    Parameters
    ----------
    toxic
        The scorer of toxicity; Detoxify if its weights have been fetched before, else `profanity`,
        when left out.
    """
    second = toxic or ("detoxify" if _detoxify_is_here() else "profanity")
    found = []
    for each in ("textblob", second, "vader"):
        try:
            found.append(SentenceScorer(each) if isinstance(each, str) else each)
        except InputError:
            continue
    return found


def _detoxify_is_here() -> bool:
    if find_spec("transformers") is None:
        return False
    from huggingface_hub import try_to_load_from_cache

    files = ("config.json", "model.safetensors")
    return all(isinstance(try_to_load_from_cache(_DETOXIFY, file), str) for file in files)


class SentenceScorer(SentenceMeasure):
    """Scores sentences; the same sentence is scored once.

    Parameters
    ----------
    scorer
        - `textblob`: polarity, −1 to 1, the mean of the words it knows (the paper's);
        - `vader`: sentiment, −1 to 1, the compound score of Hutto and Gilbert (2014), which knows
          negation and degree;
        - `profanity`: toxicity, 0 to 1, the linear classifier that alt-profanity-check carries
          along: it knows abuse by its words, and needs no download;
        - `detoxify`: toxicity, 0 to 1, the paper's: label *toxic* of Detoxify's original model,
          whose weights transformers fetches or has in its cache;
        - `hf:PATH#LABEL`: the probability of a label by any classifier of transformers; a toxicity
          if a higher figure is worse.
    name
        What scores are filed under; when empty the scorer, of a classifier its label.

    Raises
    ------
    InputError
        There is no such scorer, or its package or weights are not there.
    """

    extra = "slant[scorers]"

    def __init__(self, scorer: str, name: str = ""):
        kind, _, place = scorer.partition(":")
        if scorer == "detoxify":
            kind, place = "hf", f"{_DETOXIFY}#toxic"
        if kind == "hf" and "#" in place:
            path, _, label = place.rpartition("#")
            self._classifier = HFClassifier(path)
            self._score = _label(self._classifier, label)
        elif scorer in _PACKAGES:
            try:
                self._score = _LOADERS[scorer]()
            except ImportError as error:
                raise missing_package(self.extra, error) from error
        else:
            raise unknown("scorer of sentences", scorer, SCORERS)
        self.title = self._scorer = scorer
        self.name = name or scorer_name(scorer)
        self.kind = "sentiment" if scorer in SENTIMENT else "toxicity"
        self.bounds = (-1.0, 1.0) if self.kind == "sentiment" else (0.0, 1.0)
        self.direction = "higher_is_better" if self.kind == "sentiment" else "lower_is_better"

    @cached_property
    def signature(self) -> str:  # type: ignore[override] # hashing a classifier takes its time
        """Name and version."""
        if self._scorer in _PACKAGES:
            return f"{self._scorer}@{version(_PACKAGES[self._scorer])}"
        return f"{scorer_name(self._scorer)}:{self._classifier.signature}"

    def each(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Score sentences, in order."""
        distinct = list(dict.fromkeys(texts))
        if not distinct:
            return np.empty(0)
        scores = np.asarray(self._score(distinct), dtype=np.float64)
        if len(distinct) == len(texts):
            return scores
        of = dict(zip(distinct, scores.tolist(), strict=True))
        return np.array([of[sentence] for sentence in texts])


def scorer_name(scorer: str) -> str:
    """Give what metrics begin with: the name of a scorer, of a classifier its label."""
    return scorer.rpartition("#")[2].lower().replace(" ", "_").replace("-", "_")


def toxicity(scorer: str = "") -> SentenceScorer:
    """Build a measure of toxicity: Detoxify if its weights have been fetched, else `profanity`."""
    chosen = scorer or ("detoxify" if _detoxify_is_here() else "profanity")
    return _of_kind("toxicity", scorer, chosen)


def sentiment(scorer: str = "") -> SentenceScorer:
    """Build a measure of sentiment: VADER, or the scorer named."""
    return _of_kind("sentiment", scorer, scorer or "vader")


def _of_kind(kind: str, named: str, scorer: str) -> SentenceScorer:
    made = SentenceScorer(scorer, f"{kind}_{scorer_name(named)}" if named else kind)
    if made.kind != kind:
        raise InputError(f"{scorer!r} scores {made.kind}: write {made.kind}:{scorer}")
    return made


def classifier(place: str) -> SentenceScorer:
    """Build the measure of a classifier's label, `PATH#LABEL`."""
    return SentenceScorer(f"hf:{place}")


def _label(classifier: HFClassifier, label: str) -> Score:
    column = classifier.column(label)
    return lambda sentences: classifier.probabilities(sentences)[:, column]


_LOADERS: dict[str, Callable[[], Score]] = {
    "textblob": textblob_scorer,
    "vader": vader_scorer,
    "profanity": profanity_scorer,
}
