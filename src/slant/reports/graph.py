"""A graph of triples that the reader explores: laid out here, drawn by the page's script."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup

from slant.knowledge_graph.graph import graph_of, kept_triples
from slant.knowledge_graph.layout import layout
from slant.reports.environment import written
from slant.reports.safe_text import excerpt, file_name, one_line
from slant.reports.view_text import ViewText
from slant.reports.written_table import Table, written_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import polars as pl

    from slant.knowledge_graph.graph import Edge, KnowledgeGraph
    from slant.reports.page_budget import Room

_TOXIC = 0.5
"""From this toxicity on a text is blurred, as by the threshold that scorers use themselves."""

_MENU = 200
_LABEL, _PROMPT, _RAW = 160, 4000, 1000

REGARDS = {
    "negative": "negative",
    "neutral": "neutral",
    "positive": "positive",
    "unknown": "regard not known",
}
_SCRIPT_ENDS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


@dataclass(frozen=True)
class Choice:
    """One entry of a menu: its value, what it is called, and how many triples have it."""

    value: int
    words: str
    count: int


@dataclass(frozen=True)
class GraphView:
    """A graph, ready for the page.

    Attributes
    ----------
    name, file
        Identifier in the page, and what a saved picture is called.
    title
        What the reader sees, in one sentence.
    description
        The same for those who do not see it.
    data
        Nodes and edges as JSON, safe inside a script element.
    regards
        How many triples there are of each regard: name, words, number.
    subjects
        Menu of subjects, by class.
    predicates, topics
        Menus, the most frequent first.
    facts
        n, and what is left out.
    table
        The first triples, for readers without script or sight.
    sensitive
        Whether a triple is blurred until asked for.
    """

    name: str
    file: str
    title: str
    description: str
    data: str
    regards: tuple[tuple[str, str, int], ...]
    subjects: tuple[tuple[str, tuple[Choice, ...]], ...]
    predicates: tuple[Choice, ...]
    topics: tuple[Choice, ...]
    facts: tuple[str, ...]
    table: Table
    sensitive: bool


def written_graph(table: pl.DataFrame, *, name: str, title: str, room: Room) -> ViewText:
    """Write a view of kind `graph`; `graph_view` says what its table holds."""
    return explorer(graph_view(table, name=name, title=title, room=room))


def explorer(graph: GraphView) -> ViewText:
    """Write a graph to explore."""
    text = written("graph.html.j2", g=graph)
    return ViewText(text, int(graph.sensitive), leads=True, assets="graph")


def graph_view(
    table: pl.DataFrame, *, name: str, title: str, room: Room, answers: str = ""
) -> GraphView:
    """Lay out a graph of triples.

    Parameters
    ----------
    table
        Columns subject, predicate and object, and any of class, kept, regard, regard_label,
        toxicity, topic, generation, strategy, shots, prompt and raw.
    name
        Identifier, unique in the page.
    title
        What the reader sees, in one sentence.
    room
        How many triples there is room for, each subject's first ones, and how many rows.
    answers
        Column with the address of the answer that a triple was read from, if there is one.

    Raises
    ------
    InputError
        The table is none of triples.
    """
    kept = kept_triples(table)
    shown = _balanced(kept, room.triples)
    graph = graph_of(shown)
    predicates = _Menu(one_line(edge.predicate, _LABEL) for edge in graph.edges)
    topics = _Menu(
        one_line(str(edge.attributes["topic"]), _LABEL)
        for edge in graph.edges
        if edge.attributes.get("topic") is not None
    )
    regards = Counter(_regard(edge) for edge in graph.edges)
    veiled = [_is_sensitive(edge) for edge in graph.edges]
    open_edges = [edge for edge, hidden in zip(graph.edges, veiled, strict=True) if not hidden]
    subjects = sum(node.subject for node in graph.nodes)
    words = ", ".join(f"{regards[key]:,} {text}" for key, text in REGARDS.items() if regards[key])
    facts = [
        f"n = {len(graph.edges):,} triples about {subjects:,} subjects"
        if kept.height == shown.height
        else f"{shown.height:,} of n = {kept.height:,} triples about {subjects:,} subjects are "
        "shown, the first of each; the run directory has all",
        "No chance line: this picture tests nothing.",
    ]
    return GraphView(
        name=name,
        file=file_name(f"slant-{title}"),
        title=title,
        description=f"{title}. {len(graph.edges):,} triples about {subjects:,} subjects: {words}.",
        data=_script_safe(_data(graph, veiled, predicates, topics, answers)),
        regards=tuple((key, text, regards[key]) for key, text in REGARDS.items()),
        subjects=_subject_menu(graph),
        predicates=predicates.choices(_seen(edge.predicate for edge in open_edges)),
        topics=topics.choices(_seen(edge.attributes.get("topic") for edge in open_edges)),
        facts=tuple(facts),
        table=written_table(_readable(shown), 3 * room.rows),
        sensitive=any(veiled),
    )


def _balanced(kept: pl.DataFrame, most: int) -> pl.DataFrame:
    """Take turns among the subjects, so that none is lost when there are too many triples."""
    import polars as pl

    if kept.height <= most:
        return kept
    turn = pl.int_range(pl.len()).over("subject")
    chosen = kept.with_row_index("__row").with_columns(turn.alias("__turn"))
    return chosen.sort("__turn", "__row").head(most).sort("__row").drop("__row", "__turn")


class _Menu:
    """Different texts, the most frequent first, and the place of each."""

    def __init__(self, texts: Iterable[str]):
        self.counts = Counter(texts).most_common()
        self.texts = [text for text, _ in self.counts]
        self.place = {text: place for place, text in enumerate(self.texts)}

    def choices(self, seen: set[str]) -> tuple[Choice, ...]:
        """List them for a menu, where nothing is blurred: only what stands open is named."""
        return tuple(
            Choice(place, text if text in seen else f"sensitive text {place + 1}", count)
            for place, (text, count) in enumerate(self.counts[:_MENU])
        )


def _seen(texts: Iterable[Any]) -> set[str]:
    return {one_line(str(text), _LABEL) for text in texts if text is not None}


def _subject_menu(graph: KnowledgeGraph) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    counts = Counter(edge.source for edge in graph.edges)
    classes: dict[str, list[Choice]] = {}
    for place, node in enumerate(graph.nodes):
        if node.subject:
            choice = Choice(place, one_line(node.text, _LABEL), counts[place])
            classes.setdefault(one_line(node.group_class or ""), []).append(choice)
    return tuple(
        (name, tuple(sorted(choices, key=lambda choice: choice.words.casefold())))
        for name, choices in classes.items()
    )


def _regard(edge: Edge) -> str:
    label = edge.attributes.get("regard_label")
    return str(label) if label in ("negative", "neutral", "positive") else "unknown"


def _is_sensitive(edge: Edge) -> bool:
    """Tell whether a triple is blurred: it hurts, or nothing tells that it does not."""
    toxicity = edge.attributes.get("toxicity")
    regard = _regard(edge)
    toxic = isinstance(toxicity, int | float) and toxicity >= _TOXIC
    return regard == "negative" or toxic or (regard == "unknown" and toxicity is None)


def _data(
    graph: KnowledgeGraph, veiled: Sequence[bool], predicates: _Menu, topics: _Menu, answers: str
) -> dict[str, Any]:
    """Put a graph into columns; texts that recur are kept once."""
    ends = np.array([(edge.source, edge.target) for edge in graph.edges]).reshape(-1, 2)
    subject = np.array([node.subject for node in graph.nodes], dtype=bool)
    places = layout(subject, ends, _order(graph))
    prompts = _Menu(str(e.attributes["prompt"]) for e in graph.edges if e.attributes.get("prompt"))
    given = [edge.attributes for edge in graph.edges]
    read_from = {"answer": [row.get(answers) for row in given]} if answers else {}
    return {
        "nodes": {
            "text": [one_line(node.text, _LABEL) for node in graph.nodes],
            "subject": subject.astype(int).tolist(),
            "group": [one_line(node.group_class or "") for node in graph.nodes],
            "x": places[:, 0].round(2).tolist(),
            "y": places[:, 1].round(2).tolist(),
        },
        "edges": {
            "source": ends[:, 0].tolist(),
            "target": ends[:, 1].tolist(),
            "predicate": [predicates.place[one_line(e.predicate, _LABEL)] for e in graph.edges],
            "regard": [list(REGARDS).index(_regard(edge)) for edge in graph.edges],
            "topic": [_place(topics, row.get("topic"), _LABEL) for row in given],
            "about": [_about(row) for row in given],
            "prompt": [prompts.place.get(str(row.get("prompt")), -1) for row in given],
            "raw": [_cut(row.get("raw"), _RAW) for row in given],
            "veiled": [int(each) for each in veiled],
            "shots": [int(row.get("shots") not in (None, 0, "", "[]")) for row in given],
            **read_from,
        },
        "predicates": predicates.texts,
        "topics": topics.texts,
        "prompts": [_cut(text, _PROMPT) for text in prompts.texts],
    }


def _order(graph: KnowledgeGraph) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Order objects around their subject: by label from negative to positive, then by value."""
    order = np.full(len(graph.nodes), np.nan)
    for edge in graph.edges:
        label, value = _regard(edge), edge.attributes.get("regard")
        if label != "unknown":
            fine = float(value) if isinstance(value, int | float) else 0.0
            order[edge.target] = 10 * list(REGARDS).index(label) + fine
    return order


def _place(menu: _Menu, value: Any, limit: int) -> int:
    return -1 if value is None else menu.place[one_line(str(value), limit)]


def _about(row: Mapping[str, Any]) -> str:
    """Write what is known of a triple on one line."""
    parts = []
    regard, toxicity = row.get("regard"), row.get("toxicity")
    if isinstance(regard, int | float):
        parts.append(f"{regard:+.2f}".replace("-", "\u2212"))
    if isinstance(toxicity, int | float):
        parts.append(f"toxicity {toxicity:.2f}")
    if row.get("generation") is not None:
        parts.append(f"generation {row['generation']}")
    if row.get("strategy"):
        parts.append(one_line(str(row["strategy"]).replace("_", " "), 60))
    return " · ".join(parts)


def _cut(value: Any, limit: int) -> str | None:
    if value is None:
        return None
    # `excerpt` drops leading blanks; what it cuts, it cuts at the end when nothing is marked.
    cut = excerpt(str(value), limit=limit)
    return "".join(text for text, _ in cut.pieces)


def _readable(shown: pl.DataFrame) -> pl.DataFrame:
    columns = ("class", "subject", "predicate", "object", "regard_label", "regard", "toxicity")
    return shown.select(c for c in (*columns, "topic") if c in shown.columns)


def _script_safe(data: Mapping[str, Any]) -> Markup:
    """Write JSON in which nothing can end a script element or begin a comment."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return Markup(text.translate(_SCRIPT_ENDS))  # noqa: S704 - holds no sign of mark-up
