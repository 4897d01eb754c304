"""How much computing something takes, which other processes on the machine do not lengthen much."""

from __future__ import annotations

import os
from collections.abc import Callable


def cpu_seconds(work: Callable[[], object], tries: int = 3) -> float:
    """Give the least seconds of computing, here and in child processes, of several tries."""
    return min(_spent(work) for _ in range(tries))


def _spent(work: Callable[[], object]) -> float:
    before = os.times()
    work()
    return sum(os.times()[:4]) - sum(before[:4])
