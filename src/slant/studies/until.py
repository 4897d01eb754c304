"""When to stop asking: `width<0.1`, or `decided harm>5 points`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.stats.anytime import anytime_contrasts, anytime_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

_RULE = re.compile(
    r"\s*(?:(?P<width>width)\s*<\s*(?P<most>\d*\.?\d+)"
    r"|decided\s+harm\s*>\s*(?P<limit>\d*\.?\d+)\s*(?P<unit>points?|%)?)\s*"
)
FORMS = '"width<0.1" (every rate is known to a tenth) or "decided harm>5 points"'


@dataclass(frozen=True, slots=True)
class Until:
    """A rule to stop by.

    Attributes
    ----------
    width
        The widest interval that any group's rate may have; `None` for the other rule.
    harm
        A difference, as a share of 1: asking stops when it is sure that some group's rate lies
        more than this above the median of the others, or that none does.
    """

    width: float | None = None
    harm: float | None = None

    def settled(self, hits: Sequence[float], n: Sequence[int]) -> bool:
        """Tell whether enough is known.

        Parameters
        ----------
        hits, n
            Texts of the kind that is counted, and texts, by group.
        """
        if not all(n):
            return False
        if self.width is not None:
            low, high = anytime_interval(hits, n)
            return bool((high - low < self.width).all())
        limit = self.harm or 0.0
        low, high = anytime_contrasts(hits, n)
        return bool((low > limit).any() or (high <= limit).all())


def parse_until(text: str) -> Until:
    """Read a rule.

    Raises
    ------
    ValueError
        It is none, or its limit is not between 0 and 1 (100 points).
    """
    found = _RULE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no rule to stop by: write {FORMS}")
    if found["width"]:
        limit = float(found["most"])
    else:
        limit = float(found["limit"]) / (100 if found["unit"] else 1)
    if not 0 < limit < 1:
        raise ValueError(
            f"{text!r}: the limit lies between 0 and 1, or 0 and 100 points; write {FORMS}"
        )
    return Until(width=limit) if found["width"] else Until(harm=limit)
