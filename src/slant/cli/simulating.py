"""How far simulated audits are, on a terminal and elsewhere."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def simulating() -> Iterator[Callable[[str, int, int], None]]:
    """Show a bar on a terminal; elsewhere a line when a study begins and ends."""
    if not sys.stderr.isatty():

        def line(title: str, done: int, of: int) -> None:
            if done == of:
                print(f"{title}: {done:,} of {of:,} runs", file=sys.stderr, flush=True)

        yield line
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True)) as bar:
        tasks: dict[str, int] = {}

        def advance(title: str, done: int, of: int) -> None:
            if title not in tasks:
                tasks[title] = bar.add_task(title, total=of)
            bar.update(tasks[title], completed=done)  # type: ignore[arg-type]

        yield advance
