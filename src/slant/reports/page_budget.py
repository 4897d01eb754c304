"""How much of a run a page holds, so that it stays small whatever the run."""

from __future__ import annotations

from dataclasses import dataclass

LARGEST = 5_000_000
"""Bytes that a report takes at most, as far as the tightest room can see to it."""


@dataclass(frozen=True)
class Room:
    """How much of each section is shown; what is left out is counted, and stays in the run.

    Attributes
    ----------
    rows
        Of a table.
    cards
        Findings of one contrast that can be unfolded.
    pictures
        Of a section.
    triples
        Of a graph to explore.
    examples
        Pairs of sentences, articles and stories, of each.
    observations
        What a difference that is more than chance rests on: so many of each.
    """

    rows: int
    cards: int
    pictures: int
    triples: int
    examples: int
    observations: int


ROOMS = (
    Room(rows=100, cards=60, pictures=40, triples=3000, examples=30, observations=3),
    Room(rows=40, cards=20, pictures=12, triples=1000, examples=10, observations=2),
    Room(rows=15, cards=8, pictures=5, triples=300, examples=5, observations=1),
    Room(rows=6, cards=4, pictures=2, triples=80, examples=2, observations=1),
)
"""From the roomiest: a report takes the first in which it stays small enough."""
