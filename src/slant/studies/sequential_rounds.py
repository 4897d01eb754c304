"""Asking until enough is known of every group's rate."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from slant.studies.counting import judge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slant.records import Answer, Item
    from slant.studies.counting import Counted
    from slant.studies.study import Rounds
    from slant.studies.until import Until

_AT_ONCE = 60
"""Questions of a round at least: models answer several at a time."""

_FURTHER = 10
"""A round asks a tenth as many questions as were asked before it, once that is more."""


def sequential_rounds(
    items: Iterator[Item], cycle: int, groups: Sequence[str], counted: Counted, until: Until
) -> Rounds:
    """Ask in whole cycles, and stop as soon as a rule is met.

    Parameters
    ----------
    items
        All questions that would be asked at most: in every run of `cycle` of them, every group is
        asked about in every prompt and every wording once.
    cycle
        How many those are.
    groups
        Who is asked about.
    counted
        What the texts are judged by.
    until
        When to stop.
    """
    place = {name: number for number, name in enumerate(groups)}
    hits, n = [0] * len(groups), [0] * len(groups)
    asked = 0
    while True:
        block = list(islice(items, next_look(asked, cycle)))
        if not block:
            return
        replies: list[tuple[Item, Answer]] = list((yield block))
        asked += len(block)
        for (item, _), hit in zip(
            replies, judge([answer for _, answer in replies], counted), strict=True
        ):
            if hit is not None:
                n[place[item.group]] += 1
                hits[place[item.group]] += hit
        if until.settled(hits, n):
            return


def next_look(asked: int, cycle: int) -> int:
    """Say how many questions are asked, in whole cycles, before anybody looks again."""
    return max(-(-max(_AT_ONCE, asked // _FURTHER) // cycle), 1) * cycle
