"""Noise that questions about the same thing share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.models.mock.chance import Draws

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Item

_OF_ITEMS = frozenset({"axis", "group", "condition"})


def slot_noise(deviations: Mapping[str, float], item: Item, seed: int, count: int) -> list[float]:
    """Draw normal noise that all items with the same value in a slot share.

    Names differ, and so do prompts: what is asked about one of them hangs together. This is how a
    planted model gets such clusters. What a group has in one prompt only hangs on several slots at
    once.

    Parameters
    ----------
    deviations
        Standard deviation by slot, or by several, with spaces between them; `axis`, `group` and
        `condition` are slots too. The noise of all adds up.
    item
        What is asked.
    seed
        The seed of the run.
    count
        How many numbers are wanted: one per option, for example.

    Raises
    ------
    KeyError
        The item lacks a slot.
    """
    total = [0.0] * count
    for slot, deviation in deviations.items():
        values = (_value(item, name) for name in slot.split())
        draws = Draws(seed, "slot", slot, *values)
        total = [value + deviation * draws.normal() for value in total]
    return total


def _value(item: Item, slot: str) -> str:
    if slot in item.slots or slot not in _OF_ITEMS:
        return item.slots[slot]
    return str(getattr(item, slot))
