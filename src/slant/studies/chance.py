"""From statistics to findings: where chance alone puts a number, as a finding holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.records import Histogram, Interval

if TYPE_CHECKING:
    from slant.stats.chance import ByChance


def chance_line(chance: ByChance | None) -> Interval | None:
    """Turn what a simulated null comes down to into the chance line of a finding."""
    if chance is None:
        return None
    bins = chance.histogram
    return Interval(*chance[:3], None if bins is None else Histogram(*bins))
