"""Sentences of texts."""

from __future__ import annotations

import re

_SENTENCE_END = re.compile(r"""(?<=[.!?])["'”’)\]]*\s+|\n+""")


def sentences(text: str) -> list[str]:
    """Split a text where a sentence ends: after . ! or ? before white space, and at line breaks.

    Abbreviations end sentences too; for halving, and for counting words in sentences, that does no
    harm.
    """
    return [part for part in _SENTENCE_END.split(text) if part.strip()]
