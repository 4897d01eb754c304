"""Where two findings are not the same measurement: fields in which their signatures differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.signature import Value

_EXPECTED = {"seed", "model", "ci", "chance", "null", "effect", "fdr"}
"""What may differ between two measurements of the same thing: draws, model, how sure one is."""

_NONE = "not given"


@dataclass(frozen=True, slots=True, order=True)
class Caveat:
    """A field of two signatures that differs.

    Attributes
    ----------
    field, words
        Its name in the signature, and in words.
    first, second
        What it holds on either side.
    """

    field: str
    words: str
    first: str
    second: str


def caveats(
    first: Mapping[str, Value], second: Mapping[str, Value], words: Mapping[str, str]
) -> tuple[Caveat, ...]:
    """Compare two signatures, field by field.

    Seed, model and the way of computing intervals and chance are left out: they do not change
    what is measured.

    Parameters
    ----------
    first, second
        The signatures.
    words
        What their parameters are.
    """
    one, two = ({name: str(value) for name, value in each.items()} for each in (first, second))
    return tuple(
        Caveat(name, _inside(words.get(name, name.replace("_", " "))), one.get(name, _NONE),
               two.get(name, _NONE))
        for name in dict.fromkeys([*one, *two])
        if name not in _EXPECTED and one.get(name) != two.get(name)
    )  # fmt: skip


def _inside(words: str) -> str:
    """Write words as they stand inside a sentence."""
    return words[:1].lower() + words[1:]
