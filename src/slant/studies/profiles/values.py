"""What stands in a field, whatever form a model gave it."""

from __future__ import annotations

import ast
import re
from typing import Any

_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14,
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
    "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_SEPARATOR = re.compile(r"\s*(?:[,;\n•]|\band\b)\s*")
_LONGEST = 200


def read_number(value: Any) -> float | None:
    """Read a number from digits or English words: 34, "34 years", "thirty-four", "one hundred".

    `None` where there is none, or several: of "30-35" nobody knows which.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return float(value) if abs(value) < 1e9 else None
    if not isinstance(value, str):
        return None
    found = {float(each) for each in _DIGITS.findall(value[:_LONGEST])}
    if found:
        return found.pop() if len(found) == 1 else None
    return _spelt(re.findall(r"[a-z]+", value[:_LONGEST].casefold()))


def _spelt(words: list[str]) -> float | None:
    """Add up number words that follow each other; two numbers apart are no number."""
    total: int | None = None
    open_to = 0  # what may still be added: units after "thirty", anything below after "hundred"
    for word in words:
        if word == "hundred" and total is not None and total < 10:
            total, open_to = 100 * total, 100
        elif word not in _WORDS:
            continue
        elif total is None or _WORDS[word] < open_to:
            value = _WORDS[word]
            total = value + (total or 0)
            open_to = 10 if value >= 20 else 1
        else:
            return None
    return None if total is None else float(total)


def read_text(value: Any) -> str | None:
    """Read a text; several of them are joined, and what is no text is `None`."""
    if isinstance(value, str):
        return " ".join(value.split())[:_LONGEST] or None
    if isinstance(value, bool) or value is None or isinstance(value, dict):
        return None
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list | tuple):
        parts = [text for each in value if (text := read_text(each))]
        return ", ".join(parts)[:_LONGEST] or None
    return None


def read_list(value: Any) -> list[str] | None:
    """Read a list of texts, also from a text such as "calm, wise" or "('calm', 'wise')"."""
    if isinstance(value, str):
        value = _listed(value[: 10 * _LONGEST])
    if not isinstance(value, list | tuple):
        return None
    return [text for each in value if (text := read_text(each))] or None


def _listed(text: str) -> list[Any] | tuple[Any, ...]:
    if text.strip()[:1] in ("(", "["):
        try:
            found = ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            found = None
        if isinstance(found, list | tuple):
            return found
    return [part.strip(" .\"'") for part in _SEPARATOR.split(text.strip("()[] "))]


READERS = {"number": read_number, "text": read_text, "list": read_list}
"""By kind of field."""
