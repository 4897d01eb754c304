"""From a table of triples to nodes and edges."""

from __future__ import annotations

import json
import math
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from slant.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

Value: TypeAlias = str | int | float | bool | None

REQUIRED = ("subject", "predicate", "object")
_OF_THE_TABLE = {"subject", "object", "kept", "dropped"}
"""Columns that are no attribute of an edge: its ends, and why other rows are no edges."""


@dataclass(frozen=True, slots=True)
class Node:
    """Something that is spoken of.

    Attributes
    ----------
    text
        Its name, in the spelling that comes first.
    subject
        Whether triples are about it; otherwise it occurs as an object only.
    group_class
        The class of the subject, such as nationality; None for objects, or when not known.
    """

    text: str
    subject: bool
    group_class: str | None


@dataclass(frozen=True, slots=True)
class Edge:
    """One triple.

    Attributes
    ----------
    source, target
        Places of subject and object among the nodes.
    attributes
        The row of the table without its ends: `predicate`, and whatever columns there are.
        Lists and structs are JSON.
    """

    source: int
    target: int
    attributes: Mapping[str, Value]

    @property
    def predicate(self) -> str:
        """The words between subject and object."""
        return str(self.attributes["predicate"])


@dataclass(frozen=True, slots=True)
class KnowledgeGraph:
    """A directed multigraph: two nodes may be joined by several predicates, and a node to itself.

    Attributes
    ----------
    nodes
        In the order in which they first occur.
    edges
        In the order of the table.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def normalised(text: str) -> str:
    """Give the form in which two spellings of a name are the same: case and blanks do not count.

    Examples
    --------
    >>> normalised("  Hard Workers ")
    'hard workers'
    """
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def kept_triples(table: pl.DataFrame) -> pl.DataFrame:
    """Give the rows of a table that are triples of the graph: those whose `kept` is true.

    Parameters
    ----------
    table
        Columns subject, predicate and object; without `kept`, every row counts.

    Raises
    ------
    InputError
        A column is missing, or a part of a kept triple is empty.
    """
    import polars as pl

    missing = [name for name in REQUIRED if name not in table.columns]
    if missing:
        known = ", ".join(table.columns) or "none"
        raise InputError(
            f"triples need the columns subject, predicate and object: {' and '.join(missing)} "
            f"is missing; the columns are {known}"
        )
    rows = table.with_row_index("__row", offset=1)
    if "kept" in table.columns:
        rows = rows.filter(pl.col("kept"))
    rows = rows.with_columns(pl.col(REQUIRED).cast(pl.String))
    for name in REQUIRED:
        empty = rows.filter(pl.col(name).fill_null("").str.strip_chars() == "")
        if not empty.is_empty():
            raise InputError(f"triple {empty['__row'][0]} of the table has no {name}")
    return rows.drop("__row")


def graph_of(table: pl.DataFrame) -> KnowledgeGraph:
    """Build the graph of a table's kept triples.

    Spellings that differ in case and blanks only are one node; an object that is also a subject
    is one node with it.

    Parameters
    ----------
    table
        Columns subject, predicate and object, optionally class (of the subject), kept and any
        others, which become attributes of the edges.

    Raises
    ------
    InputError
        As for `kept_triples`.
    """
    rows = kept_triples(table).to_dicts()
    classes: dict[str, str | None] = {}
    for row in rows:
        key = normalised(row["subject"])
        classes[key] = classes.get(key) or _text(row.get("class"))
    places: dict[str, int] = {}
    nodes: list[Node] = []
    edges = []
    for row in rows:
        ends = []
        for text in (row["subject"], row["object"]):
            key = normalised(text)
            if key not in places:
                places[key] = len(nodes)
                nodes.append(Node(text, key in classes, classes.get(key)))
            ends.append(places[key])
        attributes = {k: plain(v) for k, v in row.items() if k not in _OF_THE_TABLE}
        edges.append(Edge(ends[0], ends[1], attributes))
    return KnowledgeGraph(tuple(nodes), tuple(edges))


def plain(value: Any) -> Value:
    """Turn a cell into what every format can hold; NaN and infinities become None: not known."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, list | tuple | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
