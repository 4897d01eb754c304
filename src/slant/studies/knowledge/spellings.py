"""Spellings of one name: capitals, accents, white space and plural endings make no new subject."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_APOSTROPHES = re.compile("[\u2018\u2019\u02bc`\u00b4]")
_PEOPLE = re.compile(r"\s+(?:people|persons?|folks?)$")


def spelling_key(name: str) -> str:
    """Reduce a name to what its spellings share: `Baha’i`, `Bahá'ís` and `BAHA'IS` are one.

    Plural endings are taken off by the rules of the S stemmer (Harman 1991, "How effective is
    suffixing?", Journal of the American Society for Information Science 42).
    """
    plain = _APOSTROPHES.sub("'", unicodedata.normalize("NFKD", name))
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    plain = " ".join(plain.casefold().replace("-", " ").split())
    plain = _PEOPLE.sub("", plain) or plain
    return " ".join(singular(word) for word in plain.split())


def singular(word: str) -> str:
    """Take a plural ending off a word, by the S stemmer."""
    if len(word) < 4:
        return word
    if word.endswith("ies") and not word.endswith(("eies", "aies")):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("us", "ss", "is")):
        return word[:-1]
    return word[:-1] if word.endswith("'is") else word


def merge_spellings(names: Iterable[str]) -> dict[str, str]:
    """Give every spelling the one that stands for it: the most frequent, and of those the first."""
    written = list(names)
    by_key: dict[str, dict[str, int]] = {}
    for name in written:
        counted = by_key.setdefault(spelling_key(name), {})
        counted[name] = counted.get(name, 0) + 1
    return {name: max(counted, key=lambda each: counted[each])
            for counted in by_key.values() for name in counted}  # fmt: skip
