"""What is known of every edge, in the names, types and characters that files can hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slant.knowledge_graph.graph import KnowledgeGraph, Value

Kind: TypeAlias = Literal["boolean", "long", "double", "string"]
"""Types of attributes, by their names in GraphML."""

_TAKEN = {"id", "label", "source", "target", "type", "weight"}
"""Names that formats or their readers give a meaning of their own."""

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def legible(text: str) -> str:
    r"""Write out characters that XML forbids or that a terminal obeys, such as ⟦U+001B⟧.

    Tabs, line feeds and carriage returns stay.

    Examples
    --------
    >>> legible("a\x00b")
    'a⟦U+0000⟧b'
    """
    return _FORBIDDEN.sub(lambda match: f"⟦U+{ord(match[0]):04X}⟧", text)


def attribute_names(graph: KnowledgeGraph) -> dict[str, str]:
    """List the attributes of edges, each with its name in files; the predicate is the label."""
    found = dict.fromkeys(
        name for edge in graph.edges for name in edge.attributes if name != "predicate"
    )
    return {
        name: f"{legible(name)} (column)" if name.casefold() in _TAKEN else legible(name)
        for name in found
    }


def kind_of(values: Iterable[Value]) -> Kind:
    """Find the narrowest type that holds all values that are known."""
    kinds = {type(value) for value in values if value is not None}
    if kinds == {bool}:
        return "boolean"
    if kinds == {int}:
        return "long"
    return "double" if kinds and kinds <= {int, float} else "string"


def written(value: Value) -> str:
    """Write a value as text: booleans in small letters, numbers in full precision."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return legible(value) if isinstance(value, str) else repr(value)
