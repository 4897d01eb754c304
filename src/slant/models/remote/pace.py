"""How fast a server is asked: a little faster while it answers, much slower when it is busy.

Nothing here waits or looks at a clock; whoever asks says what time it is.
"""

from __future__ import annotations

from collections import deque

from slant.errors import SlantError

PATIENCE = 600.0
"""Seconds for which a server may take nothing at all, before a run is told to go on later."""

_SLOWER = 0.7
_FEWER = 0.5
_RECOVERY = 30
"""Questions after which the rate has doubled, from where it was after it last fell. A server that
turns away fewer than one in fifteen, whatever it is asked, does not slow the asking for good."""

_SLOWEST = 0.2
"""Questions a second; a server that takes fewer is left alone for ever longer times instead."""

_LATELY = 5.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 30.0


class Pace:
    """The pace of one server.

    How many questions are under way at once, and how many begin a second, both grow by steady
    steps while questions are taken, and shrink by a factor when one is turned away (additive
    increase, multiplicative decrease). The rate has no limit until a question was turned away.

    Parameters
    ----------
    most
        Questions that may be under way at once.

    Attributes
    ----------
    taken, turned_away
        How many questions the server took, and how many times it was too busy for one.
    """

    def __init__(self, most: int):
        self._most, self._at_once = most, float(most)
        self._rate: float | None = None
        self._fallen_to = 0.0
        self._under_way = 0
        self._not_before = self._noticed = float("-inf")
        self._first: float | None = None
        self._last = 0.0
        self._lately: deque[float] = deque(maxlen=1000)
        self._busy_since: float | None = None
        self._in_a_row, self._taken_since = 0, False
        self.taken = self.turned_away = 0

    @property
    def room(self) -> bool:
        """Whether one more question may be under way."""
        return self._under_way < max(int(self._at_once), 1)

    def delay(self, now: float) -> float:
        """Say in how many seconds the next question may begin."""
        return max(self._not_before - now, 0.0)

    def begin(self, now: float) -> None:
        """Count a question that begins."""
        self._under_way += 1
        self._first = now if self._first is None else self._first
        if self._rate is not None:
            self._not_before = max(self._not_before, now) + 1 / self._rate

    def end(self) -> None:
        """Count a question that is no longer under way, whatever became of it."""
        self._under_way -= 1

    def took(self, now: float, wait: float | None = None) -> None:
        """Learn that the server took a question; `wait` is set where it was the last for a time."""
        self.taken += 1
        self._last = now
        self._lately.append(now)
        self._busy_since, self._in_a_row, self._taken_since = None, 0, True
        self._at_once = min(self._at_once + 1 / self._at_once, self._most)
        if self._rate is not None:
            self._rate += self._fallen_to / _RECOVERY
        if wait is not None and wait <= PATIENCE:
            self._not_before = max(self._not_before, now + wait)

    def was_busy(self, begun: float, now: float, wait: float | None = None) -> None:
        """Learn that the server turned a question away, and how long it wants to be left alone.

        Questions that were under way when the pace fell do not make it fall again. Where nothing
        was taken since, only the time grows for which the server is left alone.

        Raises
        ------
        SlantError
            It has taken nothing for too long, or does not want to be asked for too long.
        """
        self.turned_away += 1
        self._busy_since = now if self._busy_since is None else self._busy_since
        if begun > self._noticed:
            self._noticed = now
            self._in_a_row += 1
            self._at_once = max(self._at_once * _FEWER, 1.0)
            if self._taken_since:
                self._taken_since = False
                before = self._observed(now) if self._rate is None else self._rate
                self._rate = self._fallen_to = max(before * _SLOWER, _SLOWEST)
        if wait is None:
            doubled = min(self._in_a_row, 10) - 1
            wait = min(_FIRST_PAUSE * 2.0**doubled, _LONGEST_PAUSE)
        self._not_before = max(self._not_before, now + wait)
        if wait > PATIENCE or now - self._busy_since > PATIENCE:
            why = (
                f"wants to be left alone for {wait:,.0f} s"
                if wait > PATIENCE
                else f"has taken no question for {PATIENCE:,.0f} s"
            )
            raise SlantError(
                f"the server is too busy: it {why}; everything answered so far is kept. "
                "Resume later."
            )

    def summary(self) -> str:
        """Say what the server took, where it was not everything at once; else nothing."""
        if not self.turned_away:
            return ""
        elapsed = self._last - (self._first or 0.0)
        rate = f"{self.taken / elapsed:,.1f} questions a second" if elapsed > 0 else "one question"
        times = "time" if self.turned_away == 1 else "times"
        return (
            f"the server took {rate}, at the end up to {max(int(self._at_once), 1)} at once; "
            f"it was too busy {self.turned_away:,} {times}, and what it turned away was asked again"
        )

    def _observed(self, now: float) -> float:
        """Give the questions a second that the server has taken lately."""
        first = now if self._first is None else self._first
        span = min(max(now - first, 1.0), _LATELY)
        return max(sum(when > now - _LATELY for when in self._lately), 1) / span
