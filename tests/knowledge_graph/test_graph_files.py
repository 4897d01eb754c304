"""Graphs as files: whatever a model says, other programs read back what was written."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import networkx
import polars as pl
import pytest

from slant.errors import InputError
from slant.knowledge_graph.formats import FORMATS, write_graph
from slant.knowledge_graph.graph import Edge, KnowledgeGraph, Node, graph_of

HOSTILE = (
    "tab\there",
    'quotes " and \' and \\" and \\',
    "two\nlines\r\nand\rmore",
    "<script>alert(1)</script>",
    "]]></data></node></graphml><!-- & &amp; -->",
    "\x00\x07\x1b[31m\x9b",
    '=HYPERLINK("http://evil.example")',
    "\\N \\G \\l %s {} $x",
    "<b>html-like</b>",
    "‮ right to left ‬ \uffff",
    "日本語 🙂",
)
NS = "{http://graphml.graphdrawing.org/xmlns}"
GEPHI_TYPES = {"boolean", "int", "long", "float", "double", "string"}


def table(*rows: Mapping[str, Any]) -> pl.DataFrame:
    usual = {
        "subject": "Germans", "class": "nationality", "predicate": "are", "object": "punctual",
        "kept": True, "dropped": None, "regard": 0.5, "regard_label": "positive",
        "toxicity": None, "topic": "work", "generation": 1, "prompt": "Germans are", "raw": None,
    }  # fmt: skip
    return pl.DataFrame([{**usual, **row} for row in rows], infer_schema_length=None)


@pytest.fixture(scope="module")
def hostile() -> KnowledgeGraph:
    rows: list[dict[str, Any]] = [
        dict.fromkeys(("subject", "predicate", "object", "class", "topic", "raw"), text)
        for text in HOSTILE
    ]
    rows += [{"object": text, "regard": None} for text in HOSTILE]
    built = graph_of(table(*rows))
    lone = Node("half \ud800 of it", subject=False, group_class=None)  # no table can hold it
    last = Edge(0, len(built.nodes), {"predicate": "\udfff", "generation": 2})
    return KnowledgeGraph((*built.nodes, lone), (*built.edges, last))


def as_read(text: str) -> str:
    """Give a text as files hold it."""
    forbidden = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]"
    return re.sub(forbidden, lambda found: f"⟦U+{ord(found[0]):04X}⟧", text)


def test_spellings_are_one_node_in_the_first_of_them() -> None:
    built = graph_of(table({}, {"subject": " germans "}, {"object": "GERMANS"}, {"kept": False}))
    assert [node.text for node in built.nodes] == ["Germans", "punctual"]
    assert [(edge.source, edge.target) for edge in built.edges] == [(0, 1), (0, 1), (0, 0)]


def test_a_table_that_is_none_of_triples_is_refused() -> None:
    with pytest.raises(InputError, match=r"object is missing; the columns are subject, predicate"):
        graph_of(pl.DataFrame({"subject": ["a"], "predicate": ["b"]}))
    with pytest.raises(InputError, match="triple 2 of the table has no object"):
        graph_of(table({}, {"object": "  "}))
    graph_of(table({}, {"object": None, "kept": False}))


def test_networkx_reads_graphml_back(hostile: KnowledgeGraph) -> None:
    read = networkx.parse_graphml(write_graph(hostile, "graphml"), force_multigraph=True)
    assert read.is_directed()
    assert read.number_of_nodes() == len(hostile.nodes)
    assert read.number_of_edges() == len(hostile.edges)
    for place, node in enumerate(hostile.nodes):
        assert read.nodes[f"n{place}"]["label"] == as_read(node.text)
        assert read.nodes[f"n{place}"]["kind"] == ("subject" if node.subject else "object")
    edges = {key: known for *_, key, known in read.edges(keys=True, data=True)}
    for place, edge in enumerate(hostile.edges):
        known = edges[f"e{place}"]
        assert known.pop("label") == as_read(edge.predicate)
        assert known.pop("weight") == 1.0
        wanted = {
            name: as_read(value) if isinstance(value, str) else value
            for name, value in edge.attributes.items()
            if value is not None and name != "predicate"
        }
        assert known == wanted


def test_graphml_declares_what_gephi_accepts(hostile: KnowledgeGraph) -> None:
    root = ElementTree.fromstring(write_graph(hostile, "graphml"))  # noqa: S314 - our own
    keys = {key.get("id"): key for key in root.findall(f"{NS}key")}
    assert {key.get("attr.type") for key in keys.values()} <= GEPHI_TYPES
    shown = [(key.get("for"), str(key.get("attr.name")).casefold()) for key in keys.values()]
    assert len(shown) == len(set(shown)), "Gephi merges columns of one name"
    graph = root.find(f"{NS}graph")
    assert graph is not None
    assert graph.get("edgedefault") == "directed"
    nodes = [node.get("id") for node in graph.findall(f"{NS}node")]
    edges = graph.findall(f"{NS}edge")
    assert len(nodes) == len(set(nodes))
    assert len({edge.get("id") for edge in edges}) == len(edges)
    for edge in edges:
        assert {edge.get("source"), edge.get("target")} <= set(nodes)
        for known in edge:
            assert known.get("key") in keys
    order = [child.tag for child in graph]
    assert order == sorted(order, reverse=True), "nodes come before the edges that name them"


def test_types_are_as_narrow_as_what_is_known() -> None:
    built = graph_of(table({"a": True, "b": 1, "c": 1.5, "d": [1, 2], "label": "x"}, {"b": None}))
    root = ElementTree.fromstring(write_graph(built, "graphml"))  # noqa: S314 - our own
    types = {key.get("attr.name"): key.get("attr.type") for key in root.findall(f"{NS}key")}
    known = {name: types[name] for name in "abcd"}
    assert known == {"a": "boolean", "b": "long", "c": "double", "d": "string"}
    assert types["label (column)"] == "string"
    assert built.edges[0].attributes["d"] == "[1, 2]"


def test_numbers_that_are_none_are_left_out_everywhere() -> None:
    built = graph_of(table({"regard": float("nan"), "toxicity": float("inf")}))
    for form in FORMATS:
        text = write_graph(built, form)
        assert not re.search(r"\b(nan|inf|NaN|Infinity)\b", text), form


def test_json_ld_says_each_triple_as_a_statement(hostile: KnowledgeGraph) -> None:
    document = json.loads(write_graph(hostile, "jsonld").encode().decode())
    by_id = {entry["@id"]: entry for entry in document["@graph"]}
    assert len(by_id) == len(document["@graph"])
    statements = [e for e in by_id.values() if e.get("@type") == "rdf:Statement"]
    assert len(statements) == len(hostile.edges)
    for edge, said in zip(hostile.edges, statements, strict=True):
        label = by_id[said["rdf:subject"]["@id"]]["rdfs:label"]
        assert label == as_read(hostile.nodes[edge.source].text)
        assert by_id[said["rdf:predicate"]["@id"]]["rdfs:label"] == as_read(edge.predicate)
        label = by_id[said["rdf:object"]["@id"]]["rdfs:label"]
        assert label == as_read(hostile.nodes[edge.target].text)
    prefixes = set(document["@context"])
    for entry in by_id.values():
        assert all(k.startswith("@") or k.split(":")[0] in prefixes for k in entry)


def test_dot_keeps_every_text_inside_its_quotes(hostile: KnowledgeGraph) -> None:
    text = write_graph(hostile, "dot")
    quoted = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
    bare = quoted.sub("Q", text)
    line = r"(n\d+( -> n\d+)? )?(digraph|graph|node|edge)?.*\[?([\w]+=(Q|[\w.]+)(, )?)*\]?[{}]?"
    assert all(re.fullmatch(line, each.strip()) for each in bare.splitlines())
    assert not re.search(r"[<>\\;]", bare.replace("->", ""))
    assert len(re.findall(r"n\d+ -> n\d+ \[", bare)) == len(hostile.edges)

    def unquoted(quote: str) -> str:
        return re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), quote)

    labels = [unquoted(found) for found in re.findall(r'"label"="((?:[^"\\]|\\.)*)"', text)]
    wanted = [node.text for node in hostile.nodes] + [edge.predicate for edge in hostile.edges]
    lines = [as_read(each).replace("\r\n", "\n").replace("\r", "\n") for each in wanted]
    assert labels == lines


def test_the_edge_list_has_gephis_columns_and_no_formulas(hostile: KnowledgeGraph) -> None:
    rows = list(csv.DictReader(io.StringIO(write_graph(hostile, "csv"), newline="")))
    assert len(rows) == len(hostile.edges)
    assert list(rows[0])[:6] == ["Source", "Target", "Type", "Id", "Label", "Weight"]
    for edge, row in zip(hostile.edges, rows, strict=True):
        assert row["Label"].removeprefix("'") == as_read(edge.predicate)
        assert row["Target"].removeprefix("'") == as_read(hostile.nodes[edge.target].text)
        texts = [row[name] for name in ("Source", "Target", "Label", "topic", "raw")]
        assert not any(text.startswith(("=", "+", "-", "@")) for text in texts)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(InputError, match="graphml, jsonld, dot, csv, not 'gexf'"):
        write_graph(graph_of(table({})), "gexf")
