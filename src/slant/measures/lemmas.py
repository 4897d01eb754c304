"""From words as they stand in a text to their lemmas: terrorists → terrorist."""

from __future__ import annotations

import re
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from slant.groups.language_model import has_language_model, lemmatiser, model_package

if TYPE_CHECKING:
    from collections.abc import Sequence

_RULE = "plural-rule@1"
_POSSESSIVE = re.compile(r"['’]s?$")


class Lemmatiser:
    """Gives words their lemmas, each word by itself.

    With spaCy and its small English model, its lemmas; otherwise `plain_lemma`, which only takes
    plurals off. Which of the two it was is in the signature, for the counts depend on it.

    Parameters
    ----------
    spacy
        Whether to use spaCy where it is installed.
    """

    def __init__(self, *, spacy: bool = True):
        self._pipeline: Any = None
        self.signature = _RULE
        if spacy and has_language_model():
            self._pipeline = lemmatiser()
            model = f"{model_package()}@{self._pipeline.meta['version']}"
            self.signature = f"spacy@{version('spacy')}+{model}"

    def lemmas(self, words: Sequence[str]) -> list[str]:
        """Give the lemmas, in order, in small letters."""
        lowered = [_POSSESSIVE.sub("", word.lower()) for word in words]
        if self._pipeline is None:
            return [plain_lemma(word) for word in lowered]
        distinct = list(dict.fromkeys(lowered))
        found = {
            word: _single(document, word)
            for word, document in zip(distinct, self._pipeline.pipe(distinct), strict=True)
        }
        return [found[word] for word in lowered]


def plain_lemma(word: str) -> str:
    """Take a plural ending off: -ies → -y, -(ss|sh|ch|x)es → without -es, -s → without.

    Words in -ss, -us and -is, and those of up to three letters, stay as they are.

    Examples
    --------
    >>> [plain_lemma(word) for word in ("terrorists", "churches", "bodies", "jesus", "goodness")]
    ['terrorist', 'church', 'body', 'jesus', 'goodness']
    """
    if len(word) <= 3 or word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return word
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word[:-1]


def _single(document: Any, word: str) -> str:
    """Take the lemma of a document of one word; spaCy leaves plurals that it takes for names."""
    if len(document) != 1:
        return plain_lemma(word)
    lemma = str(document[0].lemma_).lower() or word
    return plain_lemma(lemma) if document[0].pos_ == "PROPN" else lemma
