"""The first page: which runs there are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.routing import Route

from slant.errors import InputError
from slant.web.render import page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from slant.web.open_run import OpenRun
    from slant.web.shelf import Shelf


@dataclass(frozen=True)
class Row:
    """A run in the list, or a directory that cannot be read and why."""

    name: str
    run: OpenRun | None
    fault: str = ""


def runs(request: Request) -> Response:
    """List the runs."""
    shelf: Shelf = request.app.state.shelf
    rows = []
    for name in shelf.names():
        try:
            rows.append(Row(name, shelf.open(name)))
        except InputError as error:
            rows.append(Row(name, None, str(error)))
    return page(request, "runs.html.j2", rows=rows, directory=shelf.directory.name)


ROUTES = [Route("/", runs)]
