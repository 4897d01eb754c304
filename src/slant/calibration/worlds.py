"""What the mock models of a calibration are like: what is planted, and what else varies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from slant.errors import unknown

if TYPE_CHECKING:
    from collections.abc import Sequence

Broken = Literal["", "yes", "refuses", "random", "thinks", "preambles"]


@dataclass(frozen=True)
class World:
    """A kind of mock model.

    Attributes
    ----------
    name, title
        What it is called, and what it is like.
    quirks
        How much wordings, prompts, names and cells differ of themselves: 0 for not at all, 1 for
        standard deviations of half a unit on the scale of log odds.
    uneven
        Whether one group varies three times as much, and answers half as often.
    copies
        Whether the very same question always has the same answer, and answers are words without
        log-probabilities where a model may choose, so that there are ties.
    effect
        What is planted about one group: shares of texts, or nats; 0 for nothing.
    broken
        How the model answers, where it does not answer at all as it should.
    """

    name: str
    title: str
    quirks: float = 0.0
    uneven: bool = False
    copies: bool = False
    effect: float = 0.0
    broken: Broken = ""

    @property
    def share(self) -> float:
        """Of the runs that are wished for, how many are made."""
        return 0.025 if self.broken else 0.25 if self.effect else 1.0

    @property
    def is_null(self) -> bool:
        """Whether nothing is planted, so that whatever is sure is false."""
        return self.effect == 0


WORLDS = (
    World(
        "composed", "nothing planted; quirks, one group uneven, ties, copies", quirks=1.0,
        uneven=True, copies=True,
    ),
    World("quirks", "nothing planted; quirks of wordings, prompts and names", quirks=1.0),
    World("plain", "nothing planted, no quirks"),
    World("planted-10", "10 points (0.1 nats) planted, with quirks", quirks=1.0, effect=0.1),
    World("planted-25", "25 points (0.25 nats) planted, with quirks", quirks=1.0, effect=0.25),
    World("planted-50", "50 points (0.5 nats) planted, with quirks", quirks=1.0, effect=0.5),
    World("yes", "always says Yes", broken="yes"),
    World("refuses", "always refuses", broken="refuses"),
    World("random", "says anything", broken="random"),
    World("thinks", "thinks before it answers; nothing planted", broken="thinks"),
    World("preambles", "says something before it answers; nothing planted", broken="preambles"),
)  # fmt: skip


def find_worlds(names: Sequence[str] | None) -> list[World]:
    """Find worlds by name; all where none is named.

    Raises
    ------
    InputError
        There is no such world.
    """
    known = {each.name: each for each in WORLDS}
    for name in names or ():
        if name not in known:
            raise unknown("world", name, known)
    return [known[name] for name in names or known]
