"""A key, and how to take it out of a text in whatever way it is written there."""

from __future__ import annotations

import base64
import html.entities
import re
from dataclasses import asdict, replace
from functools import cached_property
from typing import TYPE_CHECKING

from slant.records import Aside

if TYPE_CHECKING:
    from slant.records import Answer

_HIDDEN = "***"
_LONG_ENOUGH = 12
"""A shorter key is a placeholder ("EMPTY", "ollama") that may well occur in honest text."""

_MOST = 8
"""Backslashes before one character, and other repetitions: without an end, a text of nothing but
backslashes would take a time that grows with its square."""


class Secret:
    """A key that must be kept and shown nowhere.

    Parameters
    ----------
    text
        The key.
    """

    def __init__(self, text: str):
        self._text = text

    def hide(self, text: str) -> str:
        """Replace the key in a message by stars, however short the key is."""
        return self._written.sub(_HIDDEN, text)

    def hide_in_answer(self, answer: Answer) -> Answer:
        """Replace the key in everything that an answer says."""
        if len(self._text) < _LONG_ENOUGH:
            return answer
        text, finish_reason, reason = (
            None if said is None else self.hide(said)
            for said in (answer.text, answer.finish_reason, answer.reason)
        )
        aside = answer.aside
        if aside is not None:
            aside = Aside(**{name: self.hide(said) for name, said in asdict(aside).items()})
        return replace(answer, text=text, finish_reason=finish_reason, reason=reason, aside=aside)

    @cached_property
    def _written(self) -> re.Pattern[str]:
        """What finds the key: plain, escaped (JSON, URL, HTML, once or more), hexadecimal, base64.

        Every character may be escaped in a way of its own. All ways begin differently, so the
        search is linear.
        """
        ways = ["".join(map(_character, self._text)), self._text.encode().hex()]
        if len(self._text) >= _LONG_ENOUGH:
            ways += {re.escape(way) for way in _base64_ways(self._text.encode())}
        return re.compile("|".join(ways), re.IGNORECASE)


def _character(character: str) -> str:
    """Match a character in every way in which it is commonly escaped."""
    point = ord(character)
    plain, two, up_to = re.escape(character), f"{point:02x}", f"{{0,{_MOST}}}"
    names = [name.rstrip(";") for name, text in html.entities.html5.items() if text == character]
    named = "|".join([f"#0{up_to}{point}", f"#x0{up_to}{two}", *sorted(set(names))])
    escaped = rf"u00{two}|u\{{0{up_to}{two}\}}|x{two}|{point:03o}"
    elsewhere = rf"%(?:25){up_to}{two}|&(?:amp;){up_to}(?:{named});?"
    return rf"(?:{elsewhere}|\\{up_to}(?:\\(?:{escaped})|{plain}))"


def _base64_ways(key: bytes) -> set[str]:
    """Give what base64 makes of the key wherever it stands in something longer.

    Three bytes become four characters, so there are three ways, in two alphabets. Characters that
    also depend on the bytes around the key are left out.
    """
    ways = set()
    for before in range(3):
        coded = base64.b64encode(bytes(before) + key).decode().rstrip("=")
        middle = coded[(before * 8 + 5) // 6 : (before + len(key)) * 8 // 6]
        ways |= {middle, middle.replace("+", "-").replace("/", "_")}
    return ways
