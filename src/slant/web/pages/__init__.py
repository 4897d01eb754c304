"""The dashboard's screens, one file each; every file lists its addresses as `ROUTES`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.web.pages import (
    annotate,
    annotation_list,
    answer,
    compare,
    events,
    finding,
    graph,
    group,
    heat_map,
    overview,
    pairs,
    play,
    runs,
    study,
    transcripts,
)

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

ROUTES: list[BaseRoute] = [
    *runs.ROUTES,
    *overview.ROUTES,
    *study.ROUTES,
    *finding.ROUTES,
    *graph.ROUTES,
    *group.ROUTES,
    *heat_map.ROUTES,
    *pairs.ROUTES,
    *transcripts.ROUTES,
    *answer.ROUTES,
    *events.ROUTES,
    *play.ROUTES,
    *compare.ROUTES,
    *annotate.ROUTES,
    *annotation_list.ROUTES,
]
