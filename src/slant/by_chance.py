"""Where numbers fall by chance: what statistics find out, and findings hold."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many of a simulation's draws fell into each of some equally wide bins.

    Attributes
    ----------
    start
        Lower end of the first bin.
    width
        Of every bin; 0 where all draws are the same, and `start` is what they are.
    counts
        Draws by bin, each with its lower end and without its upper; together all draws.
    """

    start: float
    width: float
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Interval:
    """Where a statistic falls when nothing but chance is at work.

    Attributes
    ----------
    expected, low, high
        Mean and 95% range.
    histogram
        Of the draws that say so; `None` where nothing was drawn and a formula says it, or where
        slant did not keep them yet.
    """

    expected: float
    low: float
    high: float
    histogram: Histogram | None = None
