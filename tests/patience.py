"""How long tests wait for what comes sooner or later: a bound against hanging, never a measure.

A machine may be busy with other things, so nothing here is short.
"""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TypeVar

import httpx
import pytest

PATIENCE = 120
"""Seconds."""

_Test = TypeVar("_Test", bound=Callable[..., None])

get = partial(httpx.get, timeout=PATIENCE)
post = partial(httpx.post, timeout=PATIENCE)
stream = partial(httpx.stream, timeout=PATIENCE)


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


@contextmanager
def frozen(process: subprocess.Popen[str]) -> Iterator[None]:
    """Let a process stand still, so that it gets no further while a test looks at it."""
    process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        process.send_signal(signal.SIGCONT)


def gives_up(test: _Test) -> _Test:
    """Mark a test that gives connections up while they open.

    Nothing holds such a connection any more: it is closed when it is forgotten, with a warning,
    which must not befall whichever test comes next.
    """
    pytest.mark.usefixtures("forgotten")(test)
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")(test)
    return test
