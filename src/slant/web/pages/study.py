"""What one study concluded about one model: the report's section, each number leading on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from slant.errors import InputError
from slant.reports.drawings import Drawings
from slant.reports.figures import draw
from slant.reports.figures.theme import NARROW, WIDE
from slant.reports.svg import drawing
from slant.reports.views import placed_figures, section_view
from slant.reports.write import meanings_of
from slant.web import links
from slant.web.asked import groups_asked
from slant.web.grids import grid_names
from slant.web.lazy_svg import lazy_svg
from slant.web.numbers import NUMBER
from slant.web.pages.overview import asked_run
from slant.web.render import page

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request

    from slant.reports.views import SectionView
    from slant.studies.section import Section
    from slant.studies.study import Figure
    from slant.web.open_run import OpenRun

_PICTURE = re.compile(rf"([1-9]\d{{0,3}})-({WIDE}|{NARROW})\.svg")


class _Stored(Drawings):
    """Drawings that are stored; in the place of any other, where the page may ask for it.

    Drawing takes a tenth of a second a picture: the page does not wait for it.
    """

    def __init__(self, section: Section, folder: Path, base: str):
        super().__init__(section, folder)
        self._base = base

    def svg(self, figure: Figure, place: int, width: int) -> str:
        """Give the stored drawing, or an empty one with its address."""
        return self.stored(figure, width) or lazy_svg(f"{self._base}/{place}-{width}.svg")


def asked_section(request: Request) -> tuple[OpenRun, int, Section]:
    """Find the run and the section that an address names.

    Raises
    ------
    InputError
        There is no such run, or it has no such section.
    """
    run, number = asked_run(request), request.path_params["number"]
    return run, number, run.section(number)


def places_to_go(run: OpenRun, number: int) -> list[tuple[str, str]]:
    """List the pages that lead on from a section, each with what it is called."""
    section = run.section(number)
    about = {"study": section.label, "model": section.model}
    places = [("Transcripts", links.transcripts_page(run.name, **about))]
    kinds = {view.kind for view in section.analysis.views}
    if len(groups_asked(run, section)) > 1 or "articles" in kinds:
        places.append(("Pairs", links.pairs_page(run.name, number)))
    if "graph" in kinds:
        places.append(("Graph", links.graph_page(run.name, number)))
    if grid_names(section):
        places.append(("Heat map", links.heat_map_page(run.name, number)))
    return places


def study(request: Request) -> Response:
    """Show a section."""
    run, number, _ = asked_section(request)
    headings = run.headings()
    return page(
        request,
        "study.html.j2",
        run=run,
        number=number,
        view=run.remembered(f"view {number}", "findings.json", lambda: _view(run, number)),
        meant=meanings_of(run.run).of,
        places=places_to_go(run, number),
        previous=headings[number - 1] if number else None,
        following=headings[number + 1] if number + 1 < len(headings) else None,
        about=run.about(),
    )


def _view(run: OpenRun, number: int) -> SectionView:
    section = run.section(number)
    base = links.study_page(run.name, number) + "/picture"
    drawings = _Stored(section, run.run.section_folder(number), base)
    return section_view(section, f"s{number + 1}", drawings, meanings=meanings_of(run.run))


def picture(request: Request) -> Response:
    """Give one drawing of a section, from its folder or, where it holds none, drawn now."""
    run, number, section = asked_section(request)
    asked = _PICTURE.fullmatch(request.path_params["file"])
    figures = dict(placed_figures(section))
    if asked is None or int(asked[1]) not in figures:
        raise InputError("this section has no such picture")
    place, width = int(asked[1]), int(asked[2])
    figure = figures[place]

    def drawn() -> str:
        stored = Drawings(section, run.run.section_folder(number)).stored(figure, width)
        return stored or drawing(draw(figure, section, width=width))

    svg = run.remembered(f"picture {number} {place} {width}", "findings.json", drawn)
    return Response(svg, media_type="image/svg+xml")


ROUTES = [
    Route(f"/run/{{run}}/study/{NUMBER}", study),
    Route(f"/run/{{run}}/study/{NUMBER}/picture/{{file}}", picture),
]
