"""The text of a template, taken apart into words and slots."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.templates.domain import NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from slant.templates.domain import Filler

_SLOT = re.compile(r"\{(\w+)(?:\.(\w+))?\}")


@dataclass(frozen=True)
class Statement:
    """Text with slots.

    Attributes
    ----------
    pieces
        The text between the slots: one piece more than there are slots.
    references
        Slot and column, in the order in which they stand in the text.
    capital
        Whether the first letter is made a capital.
    """

    pieces: tuple[str, ...]
    references: tuple[tuple[str, str], ...]
    capital: bool = True

    def writer(self, slots: Mapping[str, int]) -> Callable[[Sequence[Filler]], str]:
        """Give the function that writes the text for a sequence of fillers.

        Parameters
        ----------
        slots
            Which place in the sequence of fillers each slot has.
        """
        form = "%s".join(piece.replace("%", "%%") for piece in self.pieces)
        wanted = [(slots[slot], column) for slot, column in self.references]
        if not self.capital or self.pieces[0]:
            return lambda row: form % tuple([row[place][column] for place, column in wanted])

        def write(row: Sequence[Filler]) -> str:
            text = form % tuple([row[place][column] for place, column in wanted])
            return text[:1].upper() + text[1:]

        return write


def parse_statement(text: str) -> Statement:
    """Read a text with slots such as `{group}` or `{group.plural}`.

    Raises
    ------
    ValueError
        A brace belongs to no slot.
    """
    pieces, references, end = [], [], 0
    for found in _SLOT.finditer(text):
        pieces.append(text[end : found.start()])
        references.append((found[1], found[2] or NAME))
        end = found.end()
    pieces.append(text[end:])
    for piece in pieces:
        if stray := re.search(r"[{}]", piece):
            raise ValueError(
                f"the brace {stray[0]!r} in {text!r} belongs to no slot: write {{slot}} or "
                "{slot.column}"
            )
    return Statement(tuple(pieces), tuple(references))
