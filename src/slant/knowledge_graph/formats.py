"""The formats in which a graph is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.knowledge_graph.dot import dot
from slant.knowledge_graph.edge_list import edge_list
from slant.knowledge_graph.graphml import graphml
from slant.knowledge_graph.jsonld import jsonld

if TYPE_CHECKING:
    from collections.abc import Callable

    from slant.knowledge_graph.graph import KnowledgeGraph

FORMATS: dict[str, Callable[[KnowledgeGraph], str]] = {
    "graphml": graphml,
    "jsonld": jsonld,
    "dot": dot,
    "csv": edge_list,
}


def write_graph(graph: KnowledgeGraph, form: str) -> str:
    """Write a graph in one of `FORMATS`.

    Raises
    ------
    InputError
        There is no such format.
    """
    if form not in FORMATS:
        raise InputError(f"a graph is written as {', '.join(FORMATS)}, not {form!r}")
    return FORMATS[form](graph)
