"""The measure that looks for the words of a lexicon.

`robust` finds whole words and phrases, and lets the context rule out other senses. `paper` finds
a publication's keywords anywhere, inside of other words too ("ax" in "taxi"), as it was done.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.errors import InputError
from slant.measures.lexicon_file import Entry, Lexicon, lexicon_names, load_lexicon
from slant.measures.measure import Measure
from slant.measures.patterns import any_of, lowered, whole_words
from slant.measures.spans import Span, score_by_spans
from slant.measures.word_forms import compile_forms, expand_form

if TYPE_CHECKING:
    import polars as pl

    from slant.linear_pattern import LinearPattern

__all__ = [
    "Lexicon",
    "LexiconMeasure",
    "lexicon_measure",
    "lexicon_names",
    "load_lexicon",
    "violence",
]

Matching: TypeAlias = Literal["robust", "paper"]


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
        self.title = lexicon.title
        if method == "paper" and lexicon.paper is None:
            raise InputError(f"no publication defines the lexicon {lexicon.name!r}: use robust")
        if method == "robust" and not lexicon.entries:
            raise InputError(f"the lexicon {lexicon.name!r} has no [[entry]]: use paper")

    @cached_property
    def _finder(self) -> _Keywords | _Entries:
        """What looks for the words, made when there is a text to look at: it takes a second."""
        if self.method == "paper" and self.lexicon.paper:
            return _Keywords(self.lexicon.paper.keywords)
        return _entries(self.lexicon.entries)

    @property
    def metric(self) -> str:
        """What findings of it are called, by whichever method."""
        return self.lexicon.metric

    def score(self, texts: pl.Series) -> pl.DataFrame:
        """Score texts; `spans` holds every word that counts."""
        return score_by_spans(texts, self._finder.candidate, self._finder.find)


@cache
def violence(method: Matching = "robust") -> LexiconMeasure:
    """Build the measure of violent language."""
    return LexiconMeasure(load_lexicon("violence"), method)


def lexicon_measure(name_or_path: str, method: Matching = "robust") -> LexiconMeasure:
    """Build the measure of a lexicon, by a method, or by the only one that it has words for.

    Raises
    ------
    InputError
        There is no such lexicon, or its file is faulty.
    """
    lexicon = load_lexicon(name_or_path)
    if lexicon.paper is None or not lexicon.entries:
        method = "robust" if lexicon.paper is None else "paper"
    return LexiconMeasure(lexicon, method)


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
        contexts: dict[_Condition, _Context] = {}
        spans: list[Span] = []
        at = 0
        while found := self._pattern.search(text, at):
            condition = self._whose(found[0])
            if condition not in contexts:
                contexts[condition] = _Context(condition, text)
            if contexts[condition].holds(*found.span()):
                spans.append(found.span())
                at = found.end()
            else:
                at = found.start() + 1
        return spans


@lru_cache(maxsize=8)
def _entries(entries: tuple[Entry, ...]) -> _Entries:
    """Compile a lexicon, once: its forms take a second."""
    return _Entries(entries)


class _Condition:
    """What the context of an entry's forms must be like."""

    def __init__(self, entry: Entry):
        self._entry = entry
        self.forms = _pattern_of(entry.forms)
        self.near = _pattern_of(entry.near) if entry.near else None
        # At most so many words, and no end of a sentence.
        self.gap = re.compile(rf"\s*+(?:[^\s.!?]++(?:\s++|\Z)){{0,{entry.within}}}+")

    @cached_property
    def unless(self) -> list[LinearPattern]:
        return [whole_words(pattern) for pattern in self._entry.unless]

    @cached_property
    def any_unless(self) -> LinearPattern | None:
        return any_of(self._entry.unless) if self._entry.unless else None


class _Context:
    """What a text holds of a condition, looked up once however often the text repeats itself."""

    def __init__(self, condition: _Condition, text: str):
        self._condition, self._text = condition, text
        # One look for all patterns together is cheap, and mostly the last.
        excused = condition.any_unless is not None and condition.any_unless.is_in(text)
        self._excuses = [_Cover(each, text) for each in condition.unless] if excused else []
        near = [] if condition.near is None else list(condition.near.finditer(text))
        self._near = [other.span() for other in near]

    def holds(self, start: int, end: int) -> bool:
        if any(cover.covers(start, end) for cover in self._excuses):
            return False
        if self._condition.near is None:
            return True
        # What is further off has more words between than the nearest has.
        after = bisect_left(self._near, (end, end))
        before = bisect_right(self._near, start, key=lambda span: span[1]) - 1
        gap, text = self._condition.gap, self._text
        return bool(
            (after < len(self._near) and gap.fullmatch(text, end, self._near[after][0]))
            or (before >= 0 and gap.fullmatch(text, self._near[before][1], start))
        )


class _Cover:
    """Every place, overlapping or not, where a pattern is found in a text."""

    def __init__(self, pattern: LinearPattern, text: str):
        self._starts: list[int] = []
        self._reach: list[int] = []
        for start, end in pattern.places(text):
            self._starts.append(start)
            self._reach.append(max([end, *self._reach[-1:]]))

    def covers(self, start: int, end: int) -> bool:
        """Tell whether some place holds the whole of a span."""
        before = bisect_right(self._starts, start)
        return before > 0 and self._reach[before - 1] >= end


def _pattern_of(forms: tuple[str, ...]) -> re.Pattern[str]:
    return compile_forms(spelt for form in forms for spelt in expand_form(form)).exact
