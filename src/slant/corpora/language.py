"""Whether a text looks English."""

from __future__ import annotations

import re

_FUNCTION_WORDS = frozenset(
    {"the", "a", "an", "of", "to", "in", "and", "is", "was", "for", "on", "that", "with", "as"}
    | {"at", "by", "it", "from", "are", "be", "this", "have", "has", "had", "not", "but", "they"}
    | {"he", "she", "his", "her", "their", "were", "will", "said", "which", "who", "after"}
)
_WORD = re.compile(r"[^\W\d_]+")
_LOOKED_AT, _LEAST, _SHARE = 4_000, 20, 0.12


def looks_english(text: str) -> bool:
    """Say whether enough of a text's words are those that English sentences are built with.

    English prose has more than a third of them, other languages a few by chance; a text of fewer
    than twenty words is given the benefit of the doubt.
    """
    words = _WORD.findall(text[:_LOOKED_AT].lower())
    if len(words) < _LEAST:
        return True
    return sum(word in _FUNCTION_WORDS for word in words) >= _SHARE * len(words)
