"""A study's graph of triples: to explore, and as a file for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from slant.errors import InputError
from slant.knowledge_graph.formats import FORMATS, write_graph
from slant.reports.graph import explorer, graph_view
from slant.reports.page_budget import ROOMS
from slant.reports.safe_text import file_name, one_line
from slant.reports.view_kinds import WrittenView
from slant.web import links
from slant.web.numbers import NUMBER
from slant.web.pages.study import asked_section, places_to_go
from slant.web.render import page

if TYPE_CHECKING:
    import polars as pl
    from starlette.requests import Request

    from slant.studies.section import Section
    from slant.studies.study import View
    from slant.web.open_run import OpenRun

WORDS = {
    "graphml": "GraphML (networkx, Gephi, Cytoscape)",
    "jsonld": "JSON-LD (RDF)",
    "dot": "DOT (Graphviz)",
    "csv": "CSV (an edge list)",
}
_ANSWER = "page of the answer"


def graph(request: Request) -> Response:
    """Show the graphs of a section."""
    run, number, section = asked_section(request)
    views = run.remembered(f"graphs {number}", "findings.json", lambda: _written(run, section))
    return page(
        request,
        "graph_page.html.j2",
        run=run,
        number=number,
        section=section,
        places=places_to_go(run, number),
        graphs=views,
        downloads=[
            (words, f"{links.graph_page(run.name, number)}/file.{form}")
            for form, words in WORDS.items()
        ],
    )


def download(request: Request) -> Response:
    """Give the graph as a file."""
    from slant.knowledge_graph.graph import graph_of

    run, _, section = asked_section(request)
    form = request.path_params["form"]
    if form not in FORMATS:
        raise InputError(f"a graph is written as {', '.join(FORMATS)}, not {form!r}")
    text = write_graph(graph_of(section.analysis.tables[_graphs(section)[0].table]), form)
    name = file_name(f"slant {run.name} {section.label} {section.model}", 200)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{form}"'}
    content = text.encode("utf-8", "replace")
    return Response(content, media_type="application/octet-stream", headers=headers)


def _graphs(section: Section) -> list[View]:
    """List the views to show; there is at least one, with its table."""
    tables = section.analysis.tables
    found = [view for view in section.analysis.views if view.kind == "graph"]
    if not found or any(view.table not in tables for view in found):
        raise InputError("this study made no graph: it asks for no triples")
    return found


def _written(run: OpenRun, section: Section) -> list[WrittenView]:
    written = []
    for place, view in enumerate(_graphs(section), start=1):
        name, title = f"g{place}", one_line(view.title, 240)
        table = _with_answers(run, section, section.analysis.tables[view.table])
        graph = graph_view(table, name=name, title=title, room=ROOMS[0], answers=_ANSWER)
        written.append(WrittenView(name, view.kind, title, view.table, explorer(graph)))
    return written


def _with_answers(run: OpenRun, section: Section, table: pl.DataFrame) -> pl.DataFrame:
    """Find the answer that each triple was read from: same question, same text."""
    import polars as pl

    asked = ["prompt", "raw"]
    if not set(asked) <= set(table.columns) or not run.run.path("answers.parquet").exists():
        return table
    answers = run.run.answers.filter(model=section.model, study=section.label)
    known = (
        answers.select("prompt", pl.col("text").alias("raw"), "position")
        .join(table.lazy().select(asked).unique(), on=asked, how="semi")
        .group_by(asked)
        .agg(pl.col("position").min())
        .collect()
    )
    found = table.join(known, on=asked, how="left", maintain_order="left")
    addresses = [
        None if place is None else links.answer_page(run.name, section.model, section.label, place)
        for place in found["position"].to_list()
    ]
    return table.with_columns(pl.Series(_ANSWER, addresses, pl.String))


ROUTES = [
    Route(f"/run/{{run}}/graph/{NUMBER}", graph),
    Route(f"/run/{{run}}/graph/{NUMBER}/file.{{form}}", download),
]
