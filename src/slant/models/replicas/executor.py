"""Where copies of a model run, as spelt after `--executor`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from slant.errors import InputError, unknown

KNOWN = ("local", "pool", "pool:N", "ray", "ray:HOST:PORT")


@dataclass(frozen=True)
class ExecutorSpec:
    """Where copies of a model run.

    Attributes
    ----------
    text
        As the user wrote it.
    kind
        `local`: one copy, in this process; `pool`: processes of one thread each, on this machine;
        `ray`: actors of a Ray cluster.
    workers
        How many processes there are to be; `None` for one a core.
    address
        `HOST:PORT` of a Ray cluster; empty for one of our own, on this machine.
    """

    text: str
    kind: str
    workers: int | None = None
    address: str = ""


def parse_executor(text: str) -> ExecutorSpec:
    """Read `local`, `pool`, `pool:N`, `ray` or `ray:HOST:PORT`.

    Raises
    ------
    InputError
        It is none of these.
    """
    kind, colon, rest = text.partition(":")
    if text in ("local", "pool", "ray"):
        return ExecutorSpec(text, kind)
    if kind not in ("pool", "ray") or not colon:
        raise unknown("executor", text, KNOWN)
    if kind == "ray":
        if not re.fullmatch(r"[^\s/?]+:\d{1,5}", rest):
            raise InputError(
                f"executor {text!r}: {rest!r} is not the address of a Ray cluster: write HOST:PORT "
                "of its head, for example ray:10.0.0.5:6379"
            )
        return ExecutorSpec(text, kind, address=rest)
    if not re.fullmatch(r"[1-9][0-9]{0,3}", rest):
        raise InputError(
            f"executor {text!r}: {rest!r} is not a number of workers: write a whole number of at "
            "least 1, for example pool:4"
        )
    return ExecutorSpec(text, kind, workers=int(rest))


def usable_cores() -> int:
    """Count the cores that this process may use, limits of a container included."""
    from joblib import cpu_count  # type: ignore[import-untyped] # it has no hints

    return int(cpu_count())
