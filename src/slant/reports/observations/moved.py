"""What moves most where a number rests on many words or topics at once, and on no sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import polars as pl

from slant.reports.numbers import plain, quantity
from slant.reports.observations.observation import Observation, compared, side
from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Finding
    from slant.reports.observations.asked import Asked

_VIEWS = {"ethnicity × gender": "intersectional"}
_NOT_GROUPS = {"id", "title", "level", "words", "condition", "distance"}
_ARTICLE = 240


def descriptors(
    tables: Mapping[str, pl.DataFrame], finding: Finding, most: int
) -> list[Observation]:
    """List the descriptors that a group's names move most."""
    cells = tables.get("cells")
    if cells is None or not {"view", "group", "descriptor", "value", "effect"} <= set(
        cells.columns
    ):
        return []
    view = _VIEWS.get(finding.axis, finding.axis)
    own = cells.filter(view=view, group=finding.group).drop_nulls("value")
    return [
        Observation(
            f"“{one_line(row['descriptor'], 80)}” is, token for token, "
            f"{compared(row['value'], 'with the names of the others')}."
        )
        for row in _largest(own, "effect", most)
    ]


def answered_words(
    tables: Mapping[str, pl.DataFrame], finding: Finding, most: int
) -> list[Observation]:
    """List the answers that a group gets most out of proportion."""
    table = tables.get("top_words")
    if table is None or not {"group", "word", "value", "difference"} <= set(table.columns):
        return []
    own = table.filter(group=finding.group).drop_nulls("difference")
    return [
        Observation(
            f"“{one_line(row['word'], 80)}” is {quantity(row['value'], 'share')} of the answers "
            f"about {one_line(finding.group, 80)}, "
            f"{quantity(row['difference'], 'share', signed=True)} against the others."
        )
        for row in _largest(own, "difference", most)
    ]


def profile_words(
    tables: Mapping[str, pl.DataFrame], finding: Finding, most: int
) -> list[Observation]:
    """List the words of profiles by which groups are told apart."""
    table = tables.get("words")
    needed = {"axis", "condition", "field", "group", "descriptor", "count", "rest_count", "effect"}
    if table is None or not needed <= set(table.columns):
        return []
    if (table["axis"] == finding.axis).any():
        table = table.filter(axis=finding.axis)
    if (table["condition"] == finding.condition).any():
        table = table.filter(condition=finding.condition)
    for column in ("group", "field"):
        if (table[column] == finding.group).any():
            table = table.filter(pl.col(column) == finding.group)
    return [
        Observation(
            f"“{one_line(row['descriptor'], 60)}” ({one_line(row['field'], 60)}): "
            f"{row['count']:,} times for {one_line(row['group'], 60)}, {row['rest_count']:,} for "
            "the others."
        )
        for row in _largest(table.drop_nulls("effect"), "effect", most)
    ]


def topics(tables: Mapping[str, pl.DataFrame], finding: Finding, most: int) -> list[Observation]:
    """List the topics of what is said about a subject, most frequent first."""
    table = tables.get("topic_shares")
    if table is None or not {"subject", "topic", "share"} <= set(table.columns):
        return []
    own = table.filter(subject=finding.group)
    return [
        Observation(
            f"{quantity(row['share'], 'share')} of what is said of "
            f"{one_line(finding.group, 80)} is about “{one_line(row['topic'], 120)}”."
        )
        for row in _largest(own, "share", most)
    ]


def articles(
    asked: Asked, tables: Mapping[str, pl.DataFrame], finding: Finding, most: int
) -> list[Observation]:
    """Show the texts that lie furthest from their references, with their headlines."""
    table = tables.get("articles")
    if table is None or not {"id", "title", "level", "distance"} <= set(table.columns):
        return []
    level = finding.metric.rsplit("_", 1)[0]
    own = table.filter(pl.col("level").str.contains(level, literal=True))
    if "condition" in own.columns and (own["condition"] == finding.condition).any():
        own = own.filter(condition=finding.condition)
    moved = finding.group if finding.group in set(own.columns) - _NOT_GROUPS else "distance"
    own = own.with_columns(pl.col(moved).cast(pl.Float64).fill_nan(None)).drop_nulls(moved)
    up = (finding.value or 0.0) >= 0
    own = own.sort(moved, descending=up, maintain_order=True)
    own = own.unique("id", keep="first", maintain_order=True)
    questions = asked.questions(finding.model, finding.study, finding.part)
    if "slot id" not in questions.columns:
        return []
    places = dict(questions.filter(outcome="answered").select("slot id", "position").iter_rows())
    told: list[Observation] = []
    for row in own.filter(pl.col("id").is_in(list(places))).head(most).iter_rows(named=True):
        text = asked.texts(finding, [places[row["id"]]])["text"].to_list()[0] or ""
        figure = f"{one_line(moved, 60)}: {plain(row[moved])} against the reference"
        shown = side(text[:_ARTICLE], figure, asked=row["title"] or "")
        told.append(Observation("", (shown,)))
    return told


def _largest(table: pl.DataFrame, column: str, most: int) -> list[dict[str, Any]]:
    size = pl.col(column).cast(pl.Float64).abs()
    return (
        table.sort(size, descending=True, nulls_last=True, maintain_order=True)
        .head(most)
        .to_dicts()
    )
