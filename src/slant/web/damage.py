"""Says which file of a run is damaged where reading it failed in a way nobody foresaw.

What slant wrote is held against its checksum before it is read. Runs of an older slant have none,
and what reads their tables fails in the middle: with an error of polars, or a panic that no handler
of exceptions sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from slant.errors import InputError
from slant.studies.checksums import check_file, damaged
from slant.studies.section import reason

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from slant.engine.run import Run

_TABLES = ("answers.parquet", "scores.parquet", "items.parquet")


class Damage:
    """Middleware that answers with what is damaged, and what mends it.

    Parameters
    ----------
    app
        Reads runs.
    failed
        Makes the page that says so.
    """

    def __init__(self, app: ASGIApp, failed: Callable[[Request, Exception], Response]):
        self._app, self._failed = app, failed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            said = await run_in_threadpool(_damage, scope, error)
            if begun or said is None:
                raise
            await self._failed(Request(scope), said)(scope, receive, send)


def _damage(scope: Scope, error: BaseException) -> InputError | None:
    """Find the table that cannot be read; `None` where all can."""
    parts = scope["path"].split("/")
    if len(parts) < 3 or parts[1] != "run":
        return InputError(
            f"a table of one of these runs is damaged ({reason(error)}): open each to see which"
        )
    return first_damage(scope["app"].state.run_index.open(parts[2]).run)


def first_damage(run: Run) -> InputError | None:
    """Read all tables of a run, and build the error for the first that cannot be read."""
    for name in _TABLES:
        path = run.path(name)
        try:
            check_file(run.directory, path)
            if path.is_file():
                for _ in pl.scan_parquet(path).collect_batches(chunk_size=10_000):
                    pass
        except InputError as error:
            return error
        except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
            return damaged(run.directory, path, reason(error))
    return None
