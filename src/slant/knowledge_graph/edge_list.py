"""A table of edges as CSV, with the columns that Gephi's import of spreadsheets knows."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from slant.knowledge_graph.attributes import attribute_names, legible, written

if TYPE_CHECKING:
    from slant.knowledge_graph.graph import KnowledgeGraph, Value

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def edge_list(graph: KnowledgeGraph) -> str:
    """Write a graph as CSV: Source, Target, Type, Id, Label (the predicate), Weight and the rest.

    Nodes are named by their text. Text that a spreadsheet would take for a formula gets an
    apostrophe in front. What is not known is empty.
    """
    names = attribute_names(graph)
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    header = ["Source", "Target", "Type", "Id", "Label", "Weight"]
    writer.writerow([*header, *map(_cell, names.values())])
    for place, edge in enumerate(graph.edges):
        ends = [_cell(graph.nodes[node].text) for node in (edge.source, edge.target)]
        known = [_cell(edge.attributes.get(name)) for name in names]
        writer.writerow([*ends, "Directed", place, _cell(edge.predicate), 1, *known])
    return file.getvalue()


def _cell(value: Value) -> str:
    if value is None:
        return ""
    text = written(value)
    return f"'{text}" if isinstance(value, str) and legible(text).startswith(_FORMULA) else text
