"""The progress bar: which study of how many, how fast, how long all still takes, how dear."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from slant.engine.time_left import TimeLeft, time_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from rich.progress import Progress as RichProgress
    from rich.progress import Task, TaskID

    from slant.engine.time_left import Expected
    from slant.records import Answer, Item, Outcome


@dataclass(frozen=True, slots=True)
class Step:
    """What a batch brought.

    Attributes
    ----------
    size
        How many items it holds.
    spent
        US dollars spent on the model so far.
    asked
        Those that were asked now, each once.
    answers
        What came back, in the same order.
    outcomes
        How many of all its items ended in each outcome. Items whose answer another batch is
        waiting for are not counted.
    """

    size: int
    spent: float
    asked: Sequence[Item] = ()
    answers: Sequence[Answer] = ()
    outcomes: Mapping[Outcome, int] = field(default_factory=dict)


class Progress(Protocol):
    """What the engine reports to, and who writes the report."""

    def expect(self, count: int, studies: Callable[[], Sequence[Expected]]) -> None:
        """Hear how many studies there are to ask; `studies` looks at what they are to ask."""

    def start(self, study: str, model: str, total: int | None) -> None:
        """Begin a study; `total` is `None` where the number of items is not known."""

    def advance(self, step: Step) -> None:
        """Count a batch."""

    def grow(self, total: int | None) -> None:
        """Expect this many more items."""

    def work(self, what: str, steps: int) -> None:
        """Begin what asks nothing, such as the analysis, in so many steps."""

    def worked(self, steps: int = 1) -> None:
        """Count steps of it."""

    def note(self, message: str) -> None:
        """Tell the user something without disturbing the bar."""


class Silent:
    """Progress for programs: says nothing."""

    def expect(self, count: int, studies: Callable[[], Sequence[Expected]]) -> None:
        """Ignore."""

    def start(self, study: str, model: str, total: int | None) -> None:
        """Ignore."""

    def advance(self, step: Step) -> None:
        """Ignore."""

    def grow(self, total: int | None) -> None:
        """Ignore."""

    def work(self, what: str, steps: int) -> None:
        """Ignore."""

    def worked(self, steps: int = 1) -> None:
        """Ignore."""

    def note(self, message: str) -> None:
        """Ignore."""


@contextmanager
def terminal_progress() -> Iterator[Progress]:
    """Show progress on standard error: a bar on a terminal, a few plain lines elsewhere."""
    if not sys.stderr.isatty():
        yield _Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[count]}"),
        TextColumn("{task.fields[told]}"),
    )
    with RichProgress(*columns, console=Console(stderr=True)) as rich:
        yield _Bar(rich)


class _Bar:
    """Two lines: what is going on, and, where there are several studies, all of them together."""

    def __init__(self, rich: RichProgress):
        self._rich, self._left = rich, TimeLeft([])
        self._now: TaskID | None = None
        self._whole: TaskID | None = None
        self._number = self._count = 0
        self._sizes: dict[tuple[str, str], int] = {}
        self._spent = 0.0
        self._last = time.monotonic()

    def expect(self, count: int, studies: Callable[[], Sequence[Expected]]) -> None:
        known = studies()
        self._left, self._count = TimeLeft(known), count
        self._sizes = {(each.study, each.model): each.questions or 0 for each in known}
        if count > 1:
            self._whole = self._rich.add_task(
                f"all {count} studies", total=sum(self._sizes.values()), count="", told=""
            )

    def start(self, study: str, model: str, total: int | None) -> None:
        self._number += 1
        which = f"study {self._number} of {self._count} · " if self._of_several else ""
        self._begin(f"{which}{study} · {model}", total)
        self._left.begin(study, model, total)
        self._add((total or 0) - self._sizes.pop((study, model), 0))
        self._last = time.monotonic()
        self._tell()

    def grow(self, total: int | None) -> None:
        task = self._task(self._now)
        grown = None if total is None or task.total is None else task.total + total
        self._rich.update(task.id, total=grown)
        self._left.grow(total)
        self._add(total or 0)
        self._tell()

    def advance(self, step: Step) -> None:
        now = time.monotonic()
        self._left.advance(step, now - self._last)
        self._last, self._spent = now, step.spent
        for task in (self._now, self._whole):
            if task is not None:
                self._rich.update(task, advance=step.size)
        self._tell()

    def work(self, what: str, steps: int) -> None:
        self._begin(what, steps)
        self._tell(asking=False)

    def worked(self, steps: int = 1) -> None:
        self._rich.update(self._task(self._now).id, advance=steps)
        self._tell(asking=False)

    def note(self, message: str) -> None:
        self._rich.console.print(message, markup=False, highlight=False)

    @property
    def _of_several(self) -> bool:
        """Whether what is going on is one of several studies; a judge is none of them."""
        return 1 < self._count >= self._number

    def _begin(self, what: str, total: int | None) -> None:
        if self._now is not None:
            self._rich.refresh()  # else what ended between two refreshes is never seen complete
            self._rich.remove_task(self._now)
        self._now = self._rich.add_task(what, total=total, count="", told="")

    def _add(self, questions: int) -> None:
        if self._whole is not None:
            task = self._task(self._whole)
            self._rich.update(task.id, total=(task.total or 0) + questions)

    def _task(self, number: TaskID | None) -> Task:
        return next(task for task in self._rich.tasks if task.id == number)

    def _tell(self, *, asking: bool = True) -> None:
        rate, left = self._left.rate, self._left.seconds
        told = [f"{rate:,.1f}/s"] if asking and rate else []
        together = [f"${self._spent:,.4f}"] if self._spent else []
        if asking and left is not None:
            together.append(f"about {time_words(left)} left")
        if self._whole is None:
            told += together
        for number, words in ((self._now, told), (self._whole, together)):
            if number is not None:
                task = self._task(number)
                whole = "" if task.total is None else f"/{task.total:,.0f}"
                count = f"{task.completed:,.0f}{whole}"
                self._rich.update(number, count=count, told=", ".join(words))


class _Lines:
    """One line when a study starts: logs and pipes get no bar."""

    def __init__(self) -> None:
        self._number = self._count = 0

    def expect(self, count: int, studies: Callable[[], Sequence[Expected]]) -> None:
        self._count = count

    def start(self, study: str, model: str, total: int | None) -> None:
        self._number += 1
        which = f"study {self._number} of {self._count} · " if self._count > 1 else ""
        which = which if self._number <= self._count else ""
        self.note(f"{which}{study} · {model}: {'?' if total is None else f'{total:,}'} questions")

    def grow(self, total: int | None) -> None:
        if total:
            self.note(f"  {total:,} more questions")

    def advance(self, step: Step) -> None:
        """Say nothing: a log wants no ticking."""

    def work(self, what: str, steps: int) -> None:
        """Say nothing."""

    def worked(self, steps: int = 1) -> None:
        """Say nothing."""

    def note(self, message: str) -> None:
        print(message, file=sys.stderr, flush=True)  # noqa: T201 - this is the terminal's voice
