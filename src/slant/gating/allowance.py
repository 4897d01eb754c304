"""How much of a difference a policy allows, and in which unit."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

from slant.records import Scale  # noqa: TC001 - pydantic reads the types
from slant.reports.numbers import plain, quantity

_WRITTEN = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(points?|times)\s*")
_EXPECTED = (
    'write "5 points" for shares, "1.5 times" for ratios, or a bare number in the unit of a '
    "metric that is neither"
)


@dataclass(frozen=True, slots=True)
class Allowance:
    """How far something may be from where it should be.

    Attributes
    ----------
    amount
        At least 0: a share of 1, a number, or the logarithm of a ratio.
    scale
        Of the findings that it speaks of.
    """

    amount: float
    scale: Scale

    @classmethod
    def parse(cls, written: Any) -> Allowance:
        """Read what a policy says.

        Raises
        ------
        ValueError
            It is no allowance; the message says how to write one.
        """
        if isinstance(written, Allowance):
            return written
        if isinstance(written, int | float) and not isinstance(written, bool):
            if not 0 <= written < math.inf:
                raise ValueError(f"an allowance is at least 0: {_EXPECTED}")
            return cls(float(written), "number")
        found = _WRITTEN.fullmatch(written) if isinstance(written, str) else None
        if found is None:
            raise ValueError(f"it should say how much; found {written!r:.40}: {_EXPECTED}")
        size = float(found[1])
        if found[2] != "times":
            if size > 100:
                raise ValueError("shares differ by at most 100 points")
            return cls(size / 100, "share")
        if not 1 <= size < math.inf:
            raise ValueError('a ratio of 1 is no difference: write "1.5 times", not less than 1')
        return cls(math.log(size), "ratio")

    def __str__(self) -> str:
        """Write it as a policy does."""
        if self.scale == "ratio":
            return f"{plain(math.exp(self.amount))} times"
        text = quantity(
            self.amount, self.scale, signed=True, fine=round(100 * self.amount, 6) % 1 != 0
        )
        return text.removeprefix("+")
