"""Graphviz DOT, to be drawn by `sfdp -Goverlap=prism` and its kin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.knowledge_graph.attributes import attribute_names, legible, written

if TYPE_CHECKING:
    from slant.knowledge_graph.graph import KnowledgeGraph

_COLOURS = {"negative": "#d55e00", "neutral": "#848c98", "positive": "#0072b2"}
"""Okabe and Ito's (2008) orange and blue, as in the report."""

_HEAD = """digraph knowledge {
  graph [outputorder=edgesfirst, overlap=prism]
  node [shape=plain, fontname="Helvetica", fontsize=9]
  edge [color="#c2c7cf", arrowsize=0.4, fontname="Helvetica", fontsize=7]
"""


def dot(graph: KnowledgeGraph) -> str:
    """Write a graph as DOT: subjects large, edges labelled with the predicate, coloured by regard.

    What else is known stands in attributes of the edge, which Graphviz keeps and does not draw.
    """
    names = attribute_names(graph)
    parts = [_HEAD]
    for place, node in enumerate(graph.nodes):
        attributes = {"label": legible(node.text), "kind": "subject" if node.subject else "object"}
        if node.group_class is not None:
            attributes["group"] = legible(node.group_class)
        if node.subject:
            attributes |= {"shape": "box", "style": "rounded", "fontsize": "16"}
        parts.append(f"  n{place} [{_listed(attributes)}]\n")
    for edge in graph.edges:
        attributes = {"label": legible(edge.predicate)}
        if colour := _COLOURS.get(str(edge.attributes.get("regard_label"))):
            attributes["color"] = colour
        for name, shown in names.items():
            value = edge.attributes.get(name)
            if value is not None:
                # Graphviz gives many names a meaning; none begins so.
                attributes[f"slant_{shown}"] = written(value)
        parts.append(f"  n{edge.source} -> n{edge.target} [{_listed(attributes)}]\n")
    return "".join([*parts, "}\n"])


def _listed(attributes: dict[str, str]) -> str:
    return ", ".join(f"{_quoted(name)}={_quoted(text)}" for name, text in attributes.items())


def _quoted(text: str) -> str:
    r"""Quote text for DOT: a backslash must not begin an escape such as \N, nor end the quote."""
    plain = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + plain.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\\n") + '"'
