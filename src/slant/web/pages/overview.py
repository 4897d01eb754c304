"""A run's first page: what it found, and where to read on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import FileResponse
from starlette.routing import Route

from slant.errors import InputError
from slant.web.render import page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from slant.web.open_run import OpenRun


def asked_run(request: Request) -> OpenRun:
    """Find the run that an address names.

    Raises
    ------
    InputError
        There is none of this name.
    """
    run: OpenRun = request.app.state.shelf.open(request.path_params["run"])
    return run


def overview(request: Request) -> Response:
    """Show what a run found."""
    run = asked_run(request)
    return page(request, "overview.html.j2", run=run, sections=run.sections())


def report(request: Request) -> Response:
    """Give the run's report as it lies in its directory."""
    path = asked_run(request).run.path("report.html")
    if not path.is_file():
        raise InputError("this run has no report yet")
    # The file may come from anybody: it runs its own script, but not in the dashboard's name.
    policy = "sandbox allow-scripts allow-downloads; frame-ancestors 'none'"
    return FileResponse(path, media_type="text/html", headers={"Content-Security-Policy": policy})


ROUTES = [
    Route("/run/{run}", overview),
    Route("/run/{run}/report.html", report),
]
