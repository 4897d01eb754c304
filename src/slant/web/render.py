"""Writing pages: the report's templates and looks, and the dashboard's own around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse

from slant.reports.environment import environment
from slant.version import __version__
from slant.web import links

if TYPE_CHECKING:
    from starlette.requests import Request

    from slant.web.open_run import OpenRun


def page(
    request: Request,
    template: str,
    *,
    run: OpenRun | None = None,
    status: int = 200,
    **values: object,
) -> HTMLResponse:
    """Write a page.

    Parameters
    ----------
    request
        What it answers.
    template
        File in `slant.web.templates`; it extends `layout.html.j2`.
    run
        The run that the page is about, which gives the page its second row of links.
    status
        HTTP status.
    values
        What the template shows.
    """
    text = fragment(template, path=request.url.path, run=run, version=__version__, **values)
    # Lone surrogates are made visible by the environment; nothing else can fail to encode.
    return HTMLResponse(text.encode("utf-8", "replace"), status)


def fragment(template: str, **values: object) -> str:
    """Write a template of `slant.web.templates`, which may be a piece of a page."""
    return environment("slant.web").get_template(template).render(links=links, **values)
