"""Running rates: what was counted of each group so far, with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.play.events import Rate
from slant.records import OUTCOMES
from slant.stats import wilson

if TYPE_CHECKING:
    from slant.records import Outcome


class Tally:
    """Counts one group's answers."""

    def __init__(self) -> None:
        self._outcomes: dict[str, int] = dict.fromkeys(map(str, OUTCOMES), 0)
        self._matching = 0

    def add(self, outcome: Outcome, value: float | None) -> Rate:
        """Count an answer and give the rate so far.

        The interval is Wilson's of the answers so far (`slant.stats.proportions`). It holds for a
        number of answers that was fixed beforehand: whoever stops when it looks right is shown
        the interval of something that they chose.
        """
        self._outcomes[outcome] += 1
        self._matching += value == 1
        answered = self._outcomes["answered"]
        low, high = wilson(self._matching, answered) if answered else (None, None)
        return Rate(
            self._matching,
            answered,
            None if low is None else float(low),
            None if high is None else float(high),
            dict(self._outcomes),
        )
