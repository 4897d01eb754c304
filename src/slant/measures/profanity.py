"""The toxicity classifier that alt-profanity-check carries along, read without unpickling.

The package stores its vectorizer and its linear classifier as pickles, which may run code when
they are loaded. Here only files whose hash is known are read, and of them only numbers and words,
at places that are known for that hash.
"""

from __future__ import annotations

import hashlib
import pickletools
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

_VERSION = "1.9.1"
_HASHES = {
    "vectorizer.joblib": "19c5200dc6a41f026e0558e2f164f5fe8d8f58e502b46b37e4385037fcfa4831",
    "model.joblib": "aeafc04849d4d93db4721cf30a86ebf22085595294b8a07d51918e7fa98f538b",
}
_WORDS = 15442

# Where, in bytes, the vectorizer's file holds its weights and, after them, its words.
_WEIGHTS_AT = 720
_WORDS_AT = 124355

# Where the model's file holds the coefficients, intercept, slope and offset of its five folds.
_FOLDS_AT = [
    (896, 124496, 124624, 124648),
    (124960, 248544, 248591, 248612),
    (248912, 372496, 372543, 372564),
    (372864, 496448, 496495, 496516),
    (496816, 620400, 620447, 620468),
]


def profanity_scorer() -> Callable[[Sequence[str]], NDArray[np.float64]]:
    """Load the classifier; give what says how likely it is that texts are profane.

    Returns
    -------
    callable
        Takes texts, gives a probability for each: what `profanity_check.predict_prob` gives.

    Raises
    ------
    ImportError
        alt-profanity-check is not installed.
    InputError
        It is there in a version whose files are not known here.
    """
    from scipy.special import expit
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer_file, model_file = (_checked(name) for name in _HASHES)
    vectorizer = TfidfVectorizer(stop_words="english", vocabulary=_words(vectorizer_file))
    vectorizer.idf_ = _numbers(vectorizer_file, _WEIGHTS_AT, _WORDS)
    folds = [
        (_numbers(model_file, at, _WORDS), *(_numbers(model_file, one, 1)[0] for one in others))
        for at, *others in _FOLDS_AT
    ]

    def score(texts: Sequence[str]) -> NDArray[np.float64]:
        weighted: Any = vectorizer.transform(list(texts))
        total = np.zeros(len(texts))
        for coefficients, intercept, slope, offset in folds:
            total += expit(-(slope * (weighted @ coefficients + intercept) + offset))
        return total / len(folds)

    return score


def _checked(name: str) -> bytes:
    """Read a file of the package, if it is the one that is known."""
    spec = find_spec("profanity_check")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("No module named 'profanity_check'", name="profanity_check")
    path = Path(spec.origin).parent / "data" / name
    content = path.read_bytes() if path.is_file() else b""
    if hashlib.sha256(content).hexdigest() != _HASHES[name]:
        raise InputError(
            f"is not the file that alt-profanity-check {_VERSION} brings, and other files are not "
            f"read, since they could run code: pip install alt-profanity-check=={_VERSION}",
            file=path,
        )
    return content


def _numbers(content: bytes, start: int, count: int) -> NDArray[np.float64]:
    return np.frombuffer(content, dtype="<f8", count=count, offset=start).astype(np.float64)


@lru_cache(maxsize=1)
def _words(content: bytes) -> dict[str, int]:
    """Read the words and their columns, which the file lists in turn: this is what takes long."""
    words: dict[str, int] = {}
    word = ""
    value: Any
    for code, value, _ in pickletools.genops(content[_WORDS_AT:]):  # reads, and runs nothing
        if isinstance(value, str):
            word = value
        elif code.name in ("BININT1", "BININT2"):
            words[word] = value
        if len(words) == _WORDS:
            break
    return words
