"""GraphML, for networkx, Gephi, yEd and Cytoscape."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from slant.knowledge_graph.attributes import attribute_names, kind_of, legible, written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slant.knowledge_graph.graph import KnowledgeGraph

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns \
http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""
_NODE_KEYS = {"label": "string", "kind": "string", "class": "string"}


def graphml(graph: KnowledgeGraph) -> str:
    """Write a graph as GraphML.

    Nodes have `label`, `kind` (subject or object) and `class`; edges have the predicate as
    `label`, a `weight` of 1 and whatever the table knows. What is not known is left out. Types
    are those of GraphML, which Gephi reads as they are: boolean, long, double, string.
    """
    return "".join(_lines(graph))


def _lines(graph: KnowledgeGraph) -> Iterator[str]:
    yield _HEAD
    names = attribute_names(graph)
    for name, kind in _NODE_KEYS.items():
        yield _key(f"n_{name}", "node", name, kind)
    yield _key("e_label", "edge", "label", "string")
    yield _key("e_weight", "edge", "weight", "double")
    keys = {}
    for number, (name, shown) in enumerate(names.items()):
        keys[name] = f"e{number}"
        kind = kind_of(edge.attributes.get(name) for edge in graph.edges)
        yield _key(keys[name], "edge", shown, kind)
    yield '<graph id="knowledge" edgedefault="directed">\n'
    for place, node in enumerate(graph.nodes):
        yield f'<node id="n{place}">'
        yield _data("n_label", node.text) + _data("n_kind", "subject" if node.subject else "object")
        if node.group_class is not None:
            yield _data("n_class", node.group_class)
        yield "</node>\n"
    for place, edge in enumerate(graph.edges):
        yield f'<edge id="e{place}" source="n{edge.source}" target="n{edge.target}">'
        yield _data("e_label", edge.predicate) + _data("e_weight", "1.0")
        for name, key in keys.items():
            value = edge.attributes.get(name)
            if value is not None:
                yield _data(key, written(value))
        yield "</edge>\n"
    yield "</graph>\n</graphml>\n"


def _key(name: str, side: str, shown: str, kind: str) -> str:
    title = quoteattr(shown)
    return f'<key id="{name}" for="{side}" attr.name={title} attr.type="{kind}"/>\n'


def _data(key: str, text: str) -> str:
    # A parser reads a bare carriage return as a line feed.
    return f'<data key="{key}">{escape(legible(text), {chr(13): "&#13;"})}</data>'
