r"""Regular expressions whose search takes time linear in the text, whoever wrote them.

Patterns that users or runs bring are searched by RE2, which never tries one way after the other.
They are written as for Python's `re`, with these differences:

- look-behind, `(?=…)` and back-references cannot be used, nor `\W` and `\S` in square brackets;
- `(?!…)` is looked at once the rest of the pattern has matched;
- `\b` takes the letters a to z, digits and `_` for letters (`\w` takes those of all scripts).
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from slant import limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SIGN = re.compile(
    r"\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\.|\{\d+(?:,\d*)?\}|\(\?!|\(\?<?[=!]|\{,(?=\d+\})|.",
    re.S,
)
_WORD = r"\pL\pN_"
_SPACE = r"\s\v\x{1c}-\x{1f}\x{85}\pZ"
_OUTSIDE = {
    r"\w": f"[{_WORD}]", r"\W": f"[^{_WORD}]", r"\s": f"[{_SPACE}]", r"\S": f"[^{_SPACE}]",
    r"\d": r"\p{Nd}", r"\D": r"\P{Nd}", r"\Z": r"\z", "{,": "{0,",
}  # fmt: skip
_INSIDE = {r"\w": _WORD, r"\s": _SPACE, r"\d": r"\p{Nd}", r"\D": r"\P{Nd}"}
_MOST_TIMES = 1_000
_NOT_BEFORE = "not_before_"


class PatternError(ValueError):
    """A pattern that cannot be searched for; the message says why, in words."""


class LinearPattern:
    """A compiled pattern.

    Parameters
    ----------
    pattern
        As the module explains.
    whole_words
        Whether it begins and ends where words do.

    Raises
    ------
    PatternError
        It is no such pattern, or larger than `slant.limits` allows.
    """

    def __init__(self, pattern: str, *, whole_words: bool = False):
        if len(pattern) > limits.PATTERN_CHARACTERS:
            raise PatternError(f"it is longer than {limits.PATTERN_CHARACTERS:,} characters")
        translated, excluded = _translated(pattern)
        self._edge = f"[^{_WORD}]" if whole_words else ""
        self._translated = translated
        self._first = self._whole(r"(?:\A|" + self._edge + ")" if whole_words else "")
        self.matches_nothing = self._first.fullmatch(b"") is not None
        groups = {name.decode(): number for name, number in self._first.groupindex.items()}
        self._excluded = [
            (groups.pop(f"{_NOT_BEFORE}{number}"), _compiled(each))
            for number, each in enumerate(excluded)
        ]
        self._groups = groups

    @cached_property
    def _next(self) -> Any:
        """The same for what begins behind the first character of a text."""
        return self._whole(self._edge)

    def _whole(self, before: str) -> Any:
        after = rf"(?:{self._edge}|\z)" if self._edge else ""
        return _compiled(f"{before}({self._translated}){after}")

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Find every place, overlapping or not: start and end, in characters.

        Of more than `slant.limits.OVERLAPS` places, those that overlap the one before are left out.
        """
        subject = _Subject(text)
        for found in self._matches(subject):
            start, end = found.span(1)
            yield subject.character(start), subject.character(end)

    def is_in(self, text: str) -> bool:
        """Tell whether there is any place, those before a `(?!…)` among them."""
        return self._first.search(text.encode("utf-8", "replace")) is not None

    def search(self, text: str) -> Mapping[str, str] | None:
        """Find the first place: what its named groups hold, or `None` if there is none."""
        found = next(self._matches(_Subject(text)), None)
        return None if found is None else self._named(found)

    def apart(self, text: str) -> Iterator[tuple[int, int, Mapping[str, str]]]:
        """Find the places that do not overlap: start, end, what their named groups hold."""
        subject = _Subject(text)
        for found in self._matches(subject, overlapping=0):
            start, end = found.span(1)
            yield subject.character(start), subject.character(end), self._named(found)

    def _named(self, found: Any) -> dict[str, str]:
        return {
            name: (found.group(number) or b"").decode("utf-8", "replace")
            for name, number in self._groups.items()
        }

    @property
    def names(self) -> list[str]:
        """The names of its groups."""
        return sorted(self._groups, key=self._groups.__getitem__)

    def _matches(self, subject: _Subject, overlapping: int = limits.OVERLAPS) -> Iterator[Any]:
        raw, pattern, at, count = subject.raw, self._first, 0, 0
        while at <= len(raw) and (found := pattern.search(raw, at)):
            start, end = found.span(1)
            if not self._is_excluded(found, raw):
                yield found
            count += 1
            pattern = self._next
            # With whole words, the character that is gone back to is the edge of what follows.
            at = start if self._edge else _next_character(raw, start)
            if count > overlapping:
                at = max(at, end)

    def _is_excluded(self, found: Any, raw: bytes) -> bool:
        return any(
            (place := found.end(group)) >= 0 and pattern.match(raw, place)
            for group, pattern in self._excluded
        )


class _Subject:
    """A text as RE2 reads it, and the way back from its bytes to characters."""

    def __init__(self, text: str):
        self.raw = text.encode("utf-8", "replace")
        self._plain = len(self.raw) == len(text)

    @cached_property
    def _characters(self) -> Any:
        begins = np.frombuffer(self.raw, dtype=np.uint8) & 0xC0 != 0x80
        return np.concatenate([[0], np.cumsum(begins)])

    def character(self, offset: int) -> int:
        return offset if self._plain else int(self._characters[offset])


def _next_character(raw: bytes, at: int) -> int:
    at += 1
    while at < len(raw) and raw[at] & 0xC0 == 0x80:
        at += 1
    return at


def _translated(pattern: str) -> tuple[str, list[str]]:
    """Write a pattern for RE2, and apart from it what stands in each `(?!…)`."""
    signs = _SIGN.findall(pattern)
    written: list[str] = []
    excluded: list[str] = []
    stack: list[int] = []  # where each open parenthesis stands in `written`; -1 - that of a (?!
    in_class = class_start = False
    for sign in signs:
        if sign[:2] in (r"\u", r"\U") and len(sign) > 2:
            written.append(rf"\x{{{sign[2:]}}}")
            class_start = False
            continue
        if in_class:
            if sign in (r"\W", r"\S"):
                raise PatternError(f"{sign} cannot stand in square brackets")
            written.append(_INSIDE.get(sign, sign))
            in_class = sign != "]" or class_start
            class_start = class_start and sign == "^"
            continue
        if sign[0] == "\\" and sign[1:].isdigit() and sign != r"\0":
            raise PatternError(f"{sign}: back-references cannot be used")
        if sign[0] == "{" and max(map(int, re.findall(r"\d{1,9}", sign)), default=0) > _MOST_TIMES:
            raise PatternError(f"{sign[:40]}: a repetition may be of {_MOST_TIMES:,} at most")
        if sign in ("(?=", "(?<=", "(?<!"):
            raise PatternError(f"{sign}…) cannot be used: of look-around, only (?!…) can")
        if sign == "(?!":
            if any(place < 0 for place in stack):
                raise PatternError("(?!…) cannot stand in another (?!…)")
            stack.append(-1 - len(written))
            continue
        if sign == "(":
            stack.append(len(written))
        elif sign == ")" and stack and (place := stack.pop()) < 0:
            excluded.append("".join(written[-1 - place :]))
            written[-1 - place :] = [f"(?P<{_NOT_BEFORE}{len(excluded) - 1}>)"]
            continue
        elif sign == "[":
            in_class = class_start = True
        written.append(_OUTSIDE.get(sign, sign))
    if any(place < 0 for place in stack):
        raise PatternError("missing ): a (?! is not closed")
    return "".join(written), excluded


@lru_cache(maxsize=500)
def _compiled(pattern: str) -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.max_mem = limits.PATTERN_MEMORY
    try:
        return re2.compile(pattern.encode("utf-8", "replace"), options)
    except re2.error as error:
        said = error.args[0]
        said = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        raise PatternError(said.partition(": ")[0] if len(said) > 200 else said) from error
