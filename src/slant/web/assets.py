"""The report's style sheets and scripts, which the dashboard shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from slant.reports.environment import asset, styles

if TYPE_CHECKING:
    from starlette.requests import Request

# Asked again each time: a newer slant on the same port must not meet older styles.
_HEADERS = {"Cache-Control": "no-cache"}


def report_style(request: Request) -> Response:
    """Give the report's style sheet with its palette."""
    return Response(styles(), media_type="text/css", headers=_HEADERS)


def report_script(request: Request) -> Response:
    """Give the report's script: theme, blur, copying, saving pictures."""
    return Response(asset("report.js"), media_type="text/javascript", headers=_HEADERS)


def graph_style(request: Request) -> Response:
    """Give the style sheet of the graph of triples."""
    return Response(asset("graph.css"), media_type="text/css", headers=_HEADERS)


def graph_script(request: Request) -> Response:
    """Give the script of the graph of triples."""
    return Response(asset("graph.js"), media_type="text/javascript", headers=_HEADERS)
