"""Taking off what an answer repeats: the text to be continued, the beginning of a sentence."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORD = re.compile(r"\w+(?:['’]\w+)*", re.UNICODE)
_GAP = r"[\W_]{0,6}"
_AFTER = r"(?!\w)[ \t]*[\"”’*_`]{0,4}[ \t]*(?:\.{2,}|…|[,:–—-](?!\w))?[\"”’*_`]{0,3}\s*"
_LEAD = r"[\s\"“„«'‘*_>`#.…-]{0,8}"
_LINE = re.compile(r"\n+")
_HEAD = 2_000
"""Characters in which a repeated question is looked for."""
_LINES = 20
_JOINED = re.compile(
    r"""[\s"“*_]{0,4}(?:the|and|so|then|and\s+then|yes)(?:,\s*|\s+)""", re.IGNORECASE
)
"""What an answer may put before the beginning that it repeats."""
_FEWEST = 2
_LONGEST = 400
"""Words of a question that an answer can be seen to repeat."""


def without_start(text: str, start: str) -> str:
    """Take off the beginning of a text where it repeats another text, or the end of that.

    Case, punctuation, quotation marks and white space do not matter. Of the end of the other text
    at least two words must be repeated ("walked into a bar" after "Two monks walked into a").

    Parameters
    ----------
    text
        The answer.
    start
        What it may repeat.
    """
    words = tuple(_WORD.findall(start))[-_LONGEST:]
    if not words:
        return text
    mark = start.rstrip()[-1:]
    mark = mark if mark in (".", "?", "!", ":") else ""
    whole = _pattern(words, mark).match(text)
    led = _JOINED.match(text)
    if whole is None and led and len(words) > _FEWEST:  # "The two monks walked into a"
        whole = _pattern(words, mark).match(text, led.end())
    if whole:
        return _rest(text, whole)
    own = _WORD.findall(text[: 40 + 2 * len(start)])
    folded = [word.casefold() for word in words]
    answer = [word.casefold() for word in own[: len(words)]]
    for length in range(min(len(words) - 1, len(answer)), _FEWEST - 1, -1):
        if folded[-length:] == answer[:length]:
            part = _pattern(words[-length:], mark).match(text)
            if part:
                return _rest(text, part)
    return text


def start_repeated(text: str, starts: Sequence[str]) -> int:
    """Say where an answer repeats its beginning after having repeated what was asked.

    Parameters
    ----------
    text
        The answer.
    starts
        What it may repeat; together they make up the beginning.

    Returns
    -------
    int
        Where the beginning is repeated: at the head of a line, behind whole sentences of another
        beginning; else 0.
    """
    words = tuple(_WORD.findall(" ".join(starts)))
    if not _FEWEST < len(words) <= _LONGEST or without_start(text, starts[0]) != text:
        return 0
    for line in list(_LINE.finditer(text[:_HEAD]))[:_LINES]:
        before = text[: line.start()]
        if not before[:1].isupper() or before.rstrip('*_"”’) ')[-1:] not in (".", ":", "!", "?"):
            continue
        found = _pattern(words, "").match(text[line.end() : line.end() + _HEAD])
        if found and re.search(r"\w", text[line.end() + found.end() :][:_HEAD]):
            return line.end()
    return 0


def second_sentence(text: str, start: str) -> int:
    """Say where an answer begins its sentence again on a later line; its length if nowhere.

    Parameters
    ----------
    text
        The answer: one sentence was asked for.
    start
        How the sentence begins.
    """
    words = tuple(_WORD.findall(start))
    if len(words) >= _FEWEST:
        for line in list(_LINE.finditer(text[:_HEAD]))[:_LINES]:
            again = _pattern(words, "").match(text[line.end() : line.end() + _HEAD])
            if again and re.search(r"\w", without_start(text[: line.start()], start)):
                return line.start()
    return len(text)


def _rest(text: str, start: re.Match[str]) -> str:
    """Give what follows, without the quotation mark that closes what the beginning opened."""
    rest = text[start.end() :]
    opened = sum(start[0].count(mark) for mark in '"“”„«')
    ends = rest.rstrip()
    if opened % 2 and ends[-1:] in ('"', "”", "»") and sum(map(ends.count, '"“”«»')) % 2:
        return ends[:-1]
    return rest


@lru_cache(maxsize=2_000)
def _pattern(words: tuple[str, ...], mark: str) -> re.Pattern[str]:
    # "I'm" is repeated as "I am", too.
    spelt = (
        re.sub("['’]", "['’]", re.sub("['’]m$", r"(?:'m|\\s+am)", re.escape(word)))
        for word in words
    )
    ended = rf"(?:{re.escape(mark)})?" if mark else ""
    return re.compile(_LEAD + _GAP.join(spelt) + ended + _AFTER, re.IGNORECASE)
