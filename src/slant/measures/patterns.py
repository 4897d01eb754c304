r"""Regular expressions as people write them in data files.

A space stands for any white space and `'` for any apostrophe, `{name}` for a fragment that the
file defines once and uses often, and case does not matter: patterns are lowered when they are
compiled and texts when they are searched. They are searched in linear time, whoever wrote them
(`slant.linear_pattern` says what cannot be used).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from slant import limits
from slant.errors import unknown
from slant.linear_pattern import LinearPattern, PatternError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from slant.toml_file import TomlFile

_FRAGMENT = re.compile(r"\{([a-z_]+)\}")
_SIGN = re.compile(r"\\.| [?*]?|.", re.DOTALL)
_POINTS_BACK = re.compile(r"\\[1-9]|\(\?P")
_LOOSE = {" ": r"\s+", " ?": r"\s*", " *": r"\s*", "'": "['\u2019\u02bc]"}


def lowered(text: str) -> str:
    """Turn a text into small letters, every character staying where it is."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(sign.lower() if len(sign.lower()) == 1 else sign for sign in text)


@lru_cache(maxsize=2_000)
def whole_words(pattern: str) -> LinearPattern:
    """Compile a pattern, for lowered text, that begins and ends where words do."""
    return LinearPattern(loosened(pattern), whole_words=True)


def any_of(patterns: Iterable[str]) -> LinearPattern:
    """Compile patterns, for lowered text, into one."""
    return whole_words("|".join(f"(?:{pattern})" for pattern in patterns))


def loosened(pattern: str) -> str:
    """Put small letters for capitals, and any white space or apostrophe for the plain one."""
    loose, in_class = [], False
    for sign in _SIGN.findall(pattern):
        in_class = sign == "[" or (in_class and sign != "]")
        plain = sign if sign.startswith("\\") else sign.lower()
        loose.append(plain if in_class else _LOOSE.get(sign, plain))
    return "".join(loose)


def checked_pattern(
    file: TomlFile, pattern: str, fragments: Mapping[str, str], *keys: str | int
) -> str:
    """Put the fragments into a pattern and make sure that it can be used.

    Parameters
    ----------
    file
        Where the pattern stands.
    pattern
        What is written there.
    fragments
        What stands for `{name}`, by name; a fragment may use those above it.
    keys
        The way to the pattern in the file.

    Raises
    ------
    InputError
        A fragment is unknown, the pattern is no regular expression that can be used, or it
        matches the empty text.
    """
    whole = filled_pattern(file, pattern, fragments, *keys)
    if _POINTS_BACK.search(whole):
        raise file.error(f"{pattern!r}: named groups and back-references cannot be used", *keys)
    try:
        compiled = whole_words(whole)
    except PatternError as error:
        message = f"{pattern!r:.200} cannot be used as a regular expression: {error}"
        raise file.error(message, *keys) from error
    if compiled.matches_nothing:
        raise file.error(f"{pattern!r} matches the empty text: make it match a word", *keys)
    return whole


def filled_pattern(
    file: TomlFile, pattern: str, fragments: Mapping[str, str], *keys: str | int
) -> str:
    """Put the fragments into a pattern that is known to be usable: `checked_pattern` makes sure.

    Raises
    ------
    InputError
        A fragment is unknown, or the pattern is too long with it.
    """
    known: dict[str, str] = {}
    for name, text in fragments.items():
        known[name] = _filled(file, text, known, "fragments", name)
    return _filled(file, pattern, known, *keys)


def _filled(file: TomlFile, pattern: str, known: Mapping[str, str], *keys: str | int) -> str:
    for name in _FRAGMENT.findall(pattern):
        if name not in known:
            error = unknown("fragment", name, known)
            hint = "Fragments are declared under [fragments], before they are used"
            raise file.error(f"{error} {hint}", *keys) from error
    size = len(pattern) + sum(len(known[name]) for name in _FRAGMENT.findall(pattern))
    if size > limits.PATTERN_CHARACTERS:
        raise file.error(
            f"{pattern!r:.60} is longer than {limits.PATTERN_CHARACTERS:,} characters, its "
            "fragments put in: make it shorter",
            *keys,
        )
    return _FRAGMENT.sub(lambda found: f"(?:{known[found[1]]})", pattern)
