"""Noise that questions about the same thing share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.models.mock.chance import Draws

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Item


def slot_noise(deviations: Mapping[str, float], item: Item, seed: int, count: int) -> list[float]:
    """Draw normal noise that all items with the same value in a slot share.

    Names differ, and so do prompts: what is asked about one of them hangs together. This is how a
    planted model gets such clusters.

    Parameters
    ----------
    deviations
        Standard deviation by slot; the noise of several slots adds up.
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
        draws = Draws(seed, "slot", slot, item.slots[slot])
        total = [value + deviation * draws.normal() for value in total]
    return total
