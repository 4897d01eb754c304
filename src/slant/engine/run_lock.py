"""The lock of a run directory: one process at a time writes there."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

import filelock

from slant.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment] # and there filelock is asked

_LOCK = "run.lock"

_PATIENCE = 0.5
"""Seconds to wait for the lock: who asks whether a run is in use holds it for a moment."""


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold a directory for writing.

    Raises
    ------
    InputError
        Another process holds it.
    """
    lock = filelock.FileLock(directory / _LOCK)
    try:
        lock.acquire(timeout=_PATIENCE)
    except filelock.Timeout as error:
        raise InputError(
            f"{directory} is in use by another slant process: wait until it has ended, or stop it"
        ) from error
    try:
        yield
    finally:
        lock.release()


def is_locked(directory: Path) -> bool:
    """Tell whether a process holds a directory for writing. To ask changes nothing."""
    path = directory / _LOCK
    try:
        file = path.open("rb")
    except OSError:
        return False  # no process ever held it, or nobody may look
    with file:
        if fcntl is None:
            return not _lockable(path)
        try:
            # Shared, so that several may ask at once, and gone when the file is closed.
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno in (errno.EAGAIN, errno.EACCES)
    return False


def _lockable(path: Path) -> bool:
    lock = filelock.FileLock(path)
    try:
        lock.acquire(timeout=0)
    except filelock.Timeout:
        return False
    lock.release()
    return True
