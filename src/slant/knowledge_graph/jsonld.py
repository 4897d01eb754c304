"""JSON-LD: every triple as an RDF statement, so that what is known of it can be said too."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from slant.knowledge_graph.attributes import attribute_names, legible

if TYPE_CHECKING:
    from slant.knowledge_graph.graph import KnowledgeGraph, Value

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OURS = "urn:x-slant:knowledge#"
"""Vocabulary of the attributes; a name of our own, not an address."""


def jsonld(graph: KnowledgeGraph) -> str:
    """Write a graph as JSON-LD.

    Triples are what a model said, not facts: each is a reified statement (`rdf:Statement`) and
    none is asserted. Nodes and predicates are blank nodes with an `rdfs:label`; attributes are
    properties of the statement under `urn:x-slant:knowledge#`.
    """
    names = attribute_names(graph)
    predicates: dict[str, str] = {}
    for edge in graph.edges:
        predicates.setdefault(edge.predicate, f"_:p{len(predicates)}")
    content: list[dict[str, Any]] = []
    for place, node in enumerate(graph.nodes):
        kind = "slant:Subject" if node.subject else "slant:Object"
        entry = {"@id": f"_:n{place}", "@type": kind, "rdfs:label": legible(node.text)}
        if node.group_class is not None:
            entry["slant:class"] = legible(node.group_class)
        content.append(entry)
    content += [{"@id": name, "rdfs:label": legible(t)} for t, name in predicates.items()]
    for place, edge in enumerate(graph.edges):
        content.append(
            {
                "@id": f"_:t{place}",
                "@type": "rdf:Statement",
                "rdf:subject": {"@id": f"_:n{edge.source}"},
                "rdf:predicate": {"@id": predicates[edge.predicate]},
                "rdf:object": {"@id": f"_:n{edge.target}"},
            }
            | {
                f"slant:{shown}": _value(edge.attributes[name])
                for name, shown in names.items()
                if edge.attributes.get(name) is not None
            }
        )
    document = {"@context": {"rdf": _RDF, "rdfs": _RDFS, "slant": _OURS}, "@graph": content}
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _value(value: Value) -> Value:
    return legible(value) if isinstance(value, str) else value
