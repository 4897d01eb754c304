"""`slant graph`: the triples of a run, as a file for other programs."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from slant.cli import options
from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    import polars as pl


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
    against: Annotated[
        Path | None,
        typer.Option(
            help="A second run: say what both graphs share, what only one says, and whose regard "
            "changed, instead of writing a graph."
        ),
    ] = None,
    against_model: Annotated[
        str | None,
        typer.Option(help="Whose triples of the second run; the same run's when that is left out."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Where to; standard output when left out.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Write the knowledge graph of a run for Gephi, networkx, Graphviz or RDF; or compare two."""
    from slant.engine.run import Run
    from slant.engine.triples import run_triples
    from slant.errors import InputError
    from slant.knowledge_graph.formats import write_graph
    from slant.knowledge_graph.graph import graph_of

    first = run_triples(Run(directory), model)
    if against is not None or against_model is not None:
        second = run_triples(Run(against or directory), against_model)
        _compare(first, second, as_json=json)
        return
    built = graph_of(first)
    text = write_graph(built, form)
    if out is None:
        sys.stdout.write(text)
        return
    if out.exists():
        raise InputError("this file is there already: name another, or remove it", file=out)
    out.write_text(text, encoding="utf-8", newline="")
    print(f"{out}: {len(built.nodes):,} nodes, {len(built.edges):,} triples", file=sys.stderr)


def _compare(first: pl.DataFrame, second: pl.DataFrame, *, as_json: bool) -> None:
    """Print what two graphs have in common."""
    import json

    from slant.knowledge_graph.compare import compare_graphs

    found = compare_graphs(first, second)
    if as_json:
        whole = {
            name: getattr(found, name)
            for name in ("jaccard", "low", "high", "expected", "chance_low", "chance_high", "p")
        }
        tables = {"subjects": found.subjects.to_dicts(), "triples": found.triples.to_dicts()}
        print(json.dumps({**whole, **tables}, ensure_ascii=False, indent=1))
        return
    interval = "" if found.low is None else f" (95% {found.low:.3f} to {found.high:.3f})"
    chance = (
        "" if found.expected is None else f"; by chance {found.expected:.3f}, p = {found.p:.3f}"
    )
    print(f"Jaccard index {found.jaccard:.3f}{interval}{chance}")
    print("subject: shared, only in the first, only in the second, regard changed of judged")
    for row in found.subjects.iter_rows(named=True):
        print(
            f"  {one_line(row['subject'], 60)}: {row['shared']:,}, {row['only_first']:,}, "
            f"{row['only_second']:,}, {row['changed']:,} of {row['judged']:,}"
        )
