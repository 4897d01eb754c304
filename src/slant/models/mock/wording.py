"""Texts that vary: `{group}` is filled in, of `{a|b|c}` one is drawn, `{{` and `}}` are braces."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.models.mock.chance import Draws

_PIECE = re.compile(r"\{\{|\}\}|\{(?P<inside>[^{}]*)\}|(?P<stray>[{}])")


@dataclass(frozen=True)
class Placeholder:
    """A place where a value is filled in."""

    name: str


Part: TypeAlias = str | tuple[str, ...] | Placeholder
"""Words as they stand, words to draw one of, or a place to fill in."""


@dataclass(frozen=True)
class Wording:
    """A text that varies, taken apart."""

    parts: tuple[Part, ...]

    @property
    def placeholders(self) -> set[str]:
        """Name what must be filled in."""
        return {part.name for part in self.parts if isinstance(part, Placeholder)}

    def write(self, draws: Draws, values: Mapping[str, str]) -> str:
        """Write the text out.

        Parameters
        ----------
        draws
            Decides among alternatives, all of them equally likely.
        values
            What to fill in.
        """
        words = []
        for part in self.parts:
            if isinstance(part, str):
                words.append(part)
            elif isinstance(part, tuple):
                words.append(part[int(draws.uniform() * len(part))])
            else:
                words.append(values[part.name])
        return "".join(words)


def parse_wording(text: str) -> Wording:
    """Take a text that varies apart.

    Raises
    ------
    ValueError
        A brace stands alone, or braces stand inside braces.
    """
    parts: list[Part] = []
    end = 0
    for piece in _PIECE.finditer(text):
        parts.append(text[end : piece.start()])
        end = piece.end()
        inside = piece["inside"]
        if piece["stray"]:
            raise ValueError(
                f"the brace {piece['stray']!r} at character {piece.start() + 1} of {text!r} has no "
                "partner, or stands inside other braces: write {{ or }} for the sign itself"
            )
        if inside is None:
            parts.append(piece[0][0])
        elif "|" in inside:
            parts.append(tuple(inside.split("|")))
        else:
            parts.append(Placeholder(inside))
    parts.append(text[end:])
    return Wording(tuple(part for part in parts if part != ""))
