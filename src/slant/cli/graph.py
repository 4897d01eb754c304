"""`slant graph`: the triples of a run, as a file for other programs."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from slant.cli import options


class Format(StrEnum):
    """How the graph is written."""

    GRAPHML = "graphml"
    JSONLD = "jsonld"
    DOT = "dot"
    CSV = "csv"


def graph(
    directory: options.Directory,
    form: Annotated[
        Format,
        typer.Option(
            "--format",
            help="graphml (networkx, Gephi, Cytoscape), jsonld (RDF), dot (Graphviz), or csv, an "
            "edge list.",
        ),
    ] = Format.GRAPHML,
    model: Annotated[
        str | None,
        typer.Option("--model", "-m", help="Whose triples; all models of the run when left out."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Where to; standard output when left out.")
    ] = None,
) -> None:
    """Write the knowledge graph of a run for Gephi, networkx, Graphviz or RDF."""
    from slant.engine.run import Run
    from slant.engine.triples import run_triples
    from slant.errors import InputError
    from slant.knowledge_graph.formats import write_graph
    from slant.knowledge_graph.graph import graph_of

    built = graph_of(run_triples(Run(directory), model))
    text = write_graph(built, form)
    if out is None:
        sys.stdout.write(text)
        return
    if out.exists():
        raise InputError("this file is there already: name another, or remove it", file=out)
    out.write_text(text, encoding="utf-8", newline="")
    print(f"{out}: {len(built.nodes):,} nodes, {len(built.edges):,} triples", file=sys.stderr)
