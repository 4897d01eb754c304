"""The pace against servers with limits, in a time that only these tests let pass."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from slant.errors import SlantError
from slant.models.remote.pace import PATIENCE, Pace


@dataclass
class Bucket:
    """A server that takes `rate` questions a second, and `burst` at once after a rest."""

    rate: float
    burst: float
    latency: float = 0.005
    says_when: bool = False
    held: float = field(init=False)
    last: float = 0.0

    def __post_init__(self) -> None:
        self.held = self.burst

    def ask(self, now: float) -> tuple[bool, float | None]:
        self.held = min(self.held + (now - self.last) * self.rate, self.burst)
        self.last = now
        if self.held >= 1:
            self.held -= 1
            return True, None
        return False, (1 - self.held) / self.rate if self.says_when else None


@dataclass
class Outcome:
    seconds: float
    taken: int
    turned_away: int


def simulate(
    pace: Pace, ask: Callable[[float], tuple[bool, float | None]], questions: int, latency: float
) -> Outcome:
    """Ask questions until all are taken, as the client does."""
    now, left, under_way = 0.0, questions, list[tuple[float, float, bool, float | None]]()
    while left or under_way:
        if left and pace.room and not pace.delay(now):
            pace.begin(now)
            taken, wait = ask(now)
            heapq.heappush(under_way, (now + latency, now, taken, wait))
            left -= 1
            continue
        moments = [under_way[0][0]] if under_way else []
        if left and pace.room:
            moments.append(now + pace.delay(now))
        now = max(min(moments), now)
        while under_way and under_way[0][0] <= now:
            _, begun, taken, wait = heapq.heappop(under_way)
            pace.end()
            if taken:
                pace.took(now)
            else:
                pace.was_busy(begun, now, wait)
                left += 1
    return Outcome(now, pace.taken, pace.turned_away)


@pytest.mark.parametrize("says_when", [True, False])
@pytest.mark.parametrize("rate", [0.5, 4.0, 50.0])
def test_a_limit_on_the_rate_is_found(rate: float, says_when: bool) -> None:
    server = Bucket(rate, burst=max(rate, 1), says_when=says_when)
    questions = int(rate * 300)
    ended = simulate(Pace(16), server.ask, questions, latency=0.005)
    assert ended.taken == questions
    assert ended.turned_away < 0.25 * questions + 32
    assert ended.seconds < 300 * 1.5


def test_a_limit_on_what_is_under_way_is_found() -> None:
    """The server works on four questions at once, two seconds each: two a second."""
    busy = list[float]()

    def ask(now: float) -> tuple[bool, float | None]:
        busy[:] = [end for end in busy if end > now]
        if len(busy) >= 4:
            return False, None
        busy.append(now + 2)
        return True, None

    ended = simulate(Pace(16), ask, 400, latency=2)
    assert ended.taken == 400
    assert ended.turned_away < 60
    assert ended.seconds < 200 * 1.7


def test_nothing_is_held_back_while_nothing_is_turned_away() -> None:
    pace = Pace(8)
    ended = simulate(pace, lambda _: (True, None), 800, latency=1.0)
    assert ended.seconds == pytest.approx(100)
    assert pace.summary() == ""


def test_a_server_that_recovers_is_asked_faster_again() -> None:
    pace = Pace(16)
    simulate(pace, Bucket(4, 4).ask, 200, latency=0.005)
    slow = simulate(pace, lambda _: (True, None), 100, latency=0.005)
    fast = simulate(pace, lambda _: (True, None), 3000, latency=0.005)
    assert 3000 / fast.seconds > 3 * 100 / slow.seconds


@pytest.mark.parametrize("share", [0.002, 0.01])
def test_a_server_that_turns_some_away_at_random_is_not_asked_ever_more_slowly(
    share: float,
) -> None:
    chance = random.Random(1)
    ended = simulate(Pace(64), lambda _: (chance.random() >= share, None), 20_000, latency=0.02)
    assert ended.taken == 20_000
    assert ended.seconds < 1600


def test_one_burst_slows_the_pace_once() -> None:
    """What was already under way when it fell says nothing new."""
    one, many = Pace(16), Pace(16)
    for pace, count in ((one, 1), (many, 12)):
        for _ in range(16):
            pace.begin(0.0)
        for _ in range(16 - count):
            pace.end()
            pace.took(0.9)
        for _ in range(count):
            pace.end()
            pace.was_busy(0.0, 1.0, 0.0)
    one.begin(2.0)
    many.begin(2.0)
    many_rate, one_rate = 1 / many.delay(2.0), 1 / one.delay(2.0)
    assert [many_rate, one_rate] == pytest.approx([4 * 0.7, 15 * 0.7])


def test_what_the_server_wants_is_waited_for() -> None:
    pace = Pace(2)
    pace.begin(0.0)
    pace.end()
    pace.was_busy(0.0, 1.0, 30.0)
    assert pace.delay(1.0) == 30.0
    pace.took(31.0, 12.0)  # the last that it takes for a time
    assert pace.delay(31.0) == 12.0


def test_waits_grow_where_the_server_names_none() -> None:
    pace, now, waits = Pace(4), 0.0, []
    for _ in range(10):
        pace.begin(now)
        pace.end()
        pace.was_busy(now, now, None)
        waits.append(pace.delay(now))
        now += waits[-1]
    assert waits[0] == 0.5
    assert waits == pytest.approx(sorted(waits))
    assert max(waits) == 30


def test_a_server_that_takes_nothing_ends_the_run_and_loses_nothing() -> None:
    asked = list[float]()

    def never(now: float) -> tuple[bool, None]:
        asked.append(now)
        return False, None

    with pytest.raises(SlantError, match=r"has taken no question for 600 s; .* Resume later"):
        simulate(Pace(4), never, 10, latency=0.005)
    assert PATIENCE < asked[-1] < 2 * PATIENCE
    assert len(asked) < 50


def test_a_server_that_wants_hours_ends_the_run_at_once() -> None:
    pace = Pace(4)
    pace.begin(0.0)
    pace.end()
    with pytest.raises(SlantError, match=r"left alone for 7,200 s; everything answered so far"):
        pace.was_busy(0.0, 0.0, 7200.0)


def test_the_end_says_what_was_taken() -> None:
    pace = Pace(16)
    simulate(pace, Bucket(4, 4, says_when=True).ask, 400, latency=0.005)
    said = pace.summary()
    assert said.startswith("the server took ")
    assert 2 < float(said.split()[3]) < 4.05
    assert f"too busy {pace.turned_away} times, and what it turned away was asked again" in said
