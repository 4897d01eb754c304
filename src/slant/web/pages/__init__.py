"""The dashboard's screens, one file each; every file lists its addresses as `ROUTES`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.web.pages import answer, compare, events, overview, play, runs, transcripts

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

ROUTES: list[BaseRoute] = [
    *runs.ROUTES,
    *overview.ROUTES,
    *transcripts.ROUTES,
    *answer.ROUTES,
    *events.ROUTES,
    *play.ROUTES,
    *compare.ROUTES,
]
