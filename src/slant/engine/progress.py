"""The progress bar: how far, how fast, how long still, how dear."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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
    """What the executor reports to."""

    def start(self, study: str, model: str, total: int | None) -> None:
        """Begin a study; `total` is `None` where the number of items is not known."""

    def advance(self, step: Step) -> None:
        """Count a batch."""

    def grow(self, total: int | None) -> None:
        """Expect this many more items."""

    def note(self, message: str) -> None:
        """Tell the user something without disturbing the bar."""


class Silent:
    """Progress for programs: says nothing."""

    def start(self, study: str, model: str, total: int | None) -> None:
        """Ignore."""

    def advance(self, step: Step) -> None:
        """Ignore."""

    def grow(self, total: int | None) -> None:
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
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[cost]}"),
    )
    with RichProgress(*columns, console=Console(stderr=True)) as rich:
        yield _Bar(rich)


class _Bar:
    def __init__(self, rich: object):
        from rich.progress import Progress as RichProgress

        assert isinstance(rich, RichProgress)  # noqa: S101 - tells the type checker
        self._rich = rich
        self._asked = 0

    def start(self, study: str, model: str, total: int | None) -> None:
        self._task = self._rich.add_task(f"{study} · {model}", total=total, rate="", cost="")
        self._asked = 0

    def grow(self, total: int | None) -> None:
        task = self._rich.tasks[self._task]
        grown = None if total is None or task.total is None else int(task.total) + total
        self._rich.update(self._task, total=grown)

    def advance(self, step: Step) -> None:
        self._asked += len(step.asked)
        elapsed = self._rich.tasks[self._task].elapsed or 0.0
        rate = f"{self._asked / elapsed:,.1f}/s" if elapsed and self._asked else ""
        cost = f"${step.spent:,.4f}" if step.spent else ""
        self._rich.update(self._task, advance=step.size, rate=rate, cost=cost)

    def note(self, message: str) -> None:
        self._rich.console.print(message, markup=False, highlight=False)


class _Lines:
    """One line when a study starts: logs and pipes get no bar."""

    def start(self, study: str, model: str, total: int | None) -> None:
        self.note(f"{study} · {model}: {'?' if total is None else f'{total:,}'} questions")

    def grow(self, total: int | None) -> None:
        if total:
            self.note(f"  {total:,} more questions")

    def advance(self, step: Step) -> None:
        """Say nothing: a log wants no ticking."""

    def note(self, message: str) -> None:
        print(message, file=sys.stderr, flush=True)  # noqa: T201 - this is the terminal's voice
