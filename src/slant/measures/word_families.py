"""Word families: terrorism, terrorist and terrorists are one word to whoever counts words.

Two words are of one family if a table says so, or by two rules:

- *-ism*, *-ist* and *-istic* on the same stem are one (atheism, atheist), and apart from the bare
  stem, for socialism is not what is social;
- *-ness*, *-ful* and *-fulness* are taken off where at least four letters stay (kindness and kind,
  faithfulness and faith); *-i* becomes *-y*.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from typing import Annotated

from pydantic import Field, StringConstraints

from slant.strict import Strict
from slant.toml_file import read_named

_Word = Annotated[str, StringConstraints(pattern=r"^\S+$", to_lower=True)]

_RULES = 1
"""Raised whenever the rules would lump the same words otherwise than before."""

_ISM = re.compile(r"(?<=\w{4})is(m|t|tic)$")
_QUALITY = re.compile(r"(?<=\w{4})(fulness|ness|ful)$")


class WordFamilies(Strict):
    """Families of words, as a TOML file has them.

    Attributes
    ----------
    name, language, version
        Of the file.
    families
        Words that count as one; each word is in one family only.
    apart
        Words that keep to themselves, whatever their ending.
    function_words
        Words that say nothing by themselves: articles, prepositions, pronouns …
    """

    name: str
    language: str = "en"
    version: int = 1
    families: tuple[tuple[_Word, ...], ...] = ()
    apart: tuple[_Word, ...] = ()
    function_words: tuple[_Word, ...] = Field(min_length=1)

    @property
    def signature(self) -> str:
        """Name and a hash of all that lumping depends on."""
        content = json.dumps([_RULES, self.model_dump()], sort_keys=True, default=str)
        return f"{self.name}@{hashlib.sha256(content.encode()).hexdigest()[:8]}"


class FamilyOf:
    """Finds the family of a lemma.

    Parameters
    ----------
    families
        The table.
    """

    def __init__(self, families: WordFamilies):
        self._table = {word: words[0] for words in families.families for word in words}
        self._apart = frozenset(families.apart)

    def __call__(self, lemma: str) -> str:
        """Give the key that all words of the lemma's family share.

        Parameters
        ----------
        lemma
            In small letters.
        """
        if lemma in self._table or lemma in self._apart:
            return self._table.get(lemma, lemma)
        if _ISM.search(lemma):
            return _ISM.sub("ism", lemma)
        stem = _QUALITY.sub("", lemma)
        if stem != lemma and stem.endswith("i"):
            stem = f"{stem[:-1]}y"
        return self._table.get(stem, stem)


@cache
def load_word_families(name_or_path: str) -> WordFamilies:
    """Load word families: `english`, or a TOML file.

    Raises
    ------
    InputError
        The file is faulty, or a word is in two families.
    """
    file = read_named("word_families", "table of word families", name_or_path)
    table = file.validate(WordFamilies)
    seen: dict[str, int] = {}
    for number, family in enumerate(table.families):
        for place, word in enumerate(family):
            if word in seen:
                raise file.error(
                    f"{word!r} is there already, in the family of "
                    f"{table.families[seen[word]][0]!r}: keep one",
                    *("families", number, place),
                )
            seen[word] = number
    return table
