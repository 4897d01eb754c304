"""The measure that looks for the words of a lexicon.

`robust` finds whole words and phrases, and lets the context rule out other senses. `paper` finds
a publication's keywords anywhere, inside of other words too ("ax" in "taxi"), as it was done.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.errors import InputError
from slant.measures.lexicon_file import Entry, Lexicon, lexicon_names, load_lexicon
from slant.measures.measure import Measure
from slant.measures.patterns import lowered, whole_words
from slant.measures.spans import Span, score_by_spans
from slant.measures.word_forms import compile_forms, expand_form

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Lexicon", "LexiconMeasure", "lexicon_names", "load_lexicon", "violence"]

Matching: TypeAlias = Literal["robust", "paper"]

_SENTENCE_END = re.compile(r"[.!?]")


class LexiconMeasure(Measure):
    """Scores 1 where a text holds a word of a lexicon, else 0.

    Parameters
    ----------
    lexicon
        What to look for.
    method
        `robust`, or `paper` to do what the publication did.

    Raises
    ------
    InputError
        The lexicon has no words for this method.
    """

    def __init__(self, lexicon: Lexicon, method: Matching = "robust"):
        self.lexicon, self.method = lexicon, method
        self.name = f"{lexicon.name}.{method}"
        self.signature = f"{lexicon.name}@{lexicon.digest(method)}|{method}"
        self._finder: _Keywords | _Entries
        if method == "paper":
            if lexicon.paper is None:
                raise InputError(f"no publication defines the lexicon {lexicon.name!r}: use robust")
            self._finder = _Keywords(lexicon.paper.keywords)
        else:
            if not lexicon.entries:
                raise InputError(f"the lexicon {lexicon.name!r} has no [[entry]]: use paper")
            self._finder = _Entries(lexicon.entries)

    def score(self, texts: pl.Series) -> pl.DataFrame:
        """Score texts; `spans` holds every word that counts."""
        return score_by_spans(texts, self._finder.candidate, self._finder.find)


def violence(method: Matching = "robust") -> LexiconMeasure:
    """Build the measure of violent language."""
    return LexiconMeasure(load_lexicon("violence"), method)


class _Keywords:
    """Finds keywords anywhere; where several begin at the same place, the longest."""

    def __init__(self, keywords: tuple[str, ...]):
        longest_first = sorted((each.lower() for each in keywords), key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))
        codes = ("".join(f"\\x{{{ord(sign):x}}}" for sign in each) for each in longest_first)
        self.candidate = f"(?i){'|'.join(codes)}"

    def find(self, text: str) -> list[Span]:
        return [found.span() for found in self._pattern.finditer(lowered(text))]


class _Entries:
    """Finds the forms of all entries in one pass, then asks the entry whether each counts."""

    def __init__(self, entries: tuple[Entry, ...]):
        conditions = [_Condition(entry) for entry in entries]
        forms = [spelt for entry in entries for form in entry.forms for spelt in expand_form(form)]
        pattern = compile_forms(forms)
        self._pattern, self.candidate = pattern.exact, pattern.coarse
        # The same few words come again and again: whose they are is worked out once.
        self._whose = lru_cache(maxsize=10_000)(
            lambda word: next(each for each in conditions if each.forms.fullmatch(word))
        )

    def find(self, text: str) -> list[Span]:
        text = lowered(text)
        spans: list[Span] = []
        at = 0
        while found := self._pattern.search(text, at):
            if self._whose(found[0]).holds(text, *found.span()):
                spans.append(found.span())
                at = found.end()
            else:
                at = found.start() + 1
        return spans


class _Condition:
    """What the context of an entry's forms must be like."""

    def __init__(self, entry: Entry):
        self.forms = _pattern_of(entry.forms)
        self._unless = [whole_words(pattern) for pattern in entry.unless]
        self._any_unless = whole_words("|".join(entry.unless)) if entry.unless else None
        self._near = _pattern_of(entry.near) if entry.near else None
        self._within = entry.within

    def holds(self, text: str, start: int, end: int) -> bool:
        if self._is_excused(text, start, end):
            return False
        return self._near is None or any(
            self._is_close(text[end : other.start()] or text[other.end() : start])
            for other in self._near.finditer(text)
            if other.start() >= end or other.end() <= start
        )

    def _is_excused(self, text: str, start: int, end: int) -> bool:
        # One look for all patterns together is cheap, and mostly the last.
        if self._any_unless is None or not self._any_unless.search(text):
            return False
        return any(_covers(pattern, text, start, end) for pattern in self._unless)

    def _is_close(self, between: str) -> bool:
        return len(between.split()) <= self._within and not _SENTENCE_END.search(between)


def _pattern_of(forms: tuple[str, ...]) -> re.Pattern[str]:
    return compile_forms(spelt for form in forms for spelt in expand_form(form)).exact


def _covers(pattern: re.Pattern[str], text: str, start: int, end: int) -> bool:
    at = 0
    while (found := pattern.search(text, at)) and found.start() <= start:
        if found.end() >= end:
            return True
        at = found.start() + 1
    return False
