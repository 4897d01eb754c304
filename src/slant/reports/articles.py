"""Texts that a model wrote beside their references, with group words and sentences' figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from slant.reports.environment import written
from slant.reports.figures.select import require
from slant.reports.numbers import quantity
from slant.reports.safe_text import one_line, safe_text
from slant.reports.view_text import ViewText

if TYPE_CHECKING:
    import polars as pl

    from slant.reports.page_budget import Room

_COLOURS = 4
_LONGEST = 2_400
_NEEDED = ("title", "words", "condition", "distance", "scorer", "reference", "generated")
_MARKS = ("reference_spans", "generated_spans", "reference_scores", "generated_scores")
_SIDES = {"reference": "Reference", "generated": "Model"}


@dataclass(frozen=True)
class Piece:
    """A part of a text: plain, a word of a group, or the figure of the sentence before it."""

    kind: Literal["text", "word", "score"]
    text: str
    group: str = ""
    place: int = 0


@dataclass(frozen=True)
class TextSide:
    """One of the two texts; `notice` says what was left out."""

    name: str
    pieces: tuple[Piece, ...]
    notice: str


@dataclass(frozen=True)
class ArticlePair:
    """A text beside its reference.

    Attributes
    ----------
    title, condition, words, distance, scorer
        What it is, how it was asked for, whose words are marked, how far it is from its reference,
        and what gave sentences their figures.
    groups
        Those whose words are marked, in the order of their colours.
    sides
        Reference and text.
    """

    title: str
    condition: str
    words: str
    distance: str
    scorer: str
    groups: tuple[str, ...]
    sides: tuple[TextSide, ...]


def written_articles(table: pl.DataFrame, *, name: str, title: str, room: Room) -> ViewText:
    """Write a view of kind `articles`; `article_pairs` says what its table holds."""
    articles = article_pairs(table)[: room.examples]
    if not articles:
        return ViewText()
    return ViewText(written("texts_beside_references.html.j2", articles=articles))


def article_pairs(table: pl.DataFrame) -> list[ArticlePair]:
    """Put texts and their references into writing, in the table's order.

    Parameters
    ----------
    table
        Columns title, words, condition, distance, scorer, reference and generated; and lists of
        marks (start, end, group) and figures (end, group, score) in both: reference_spans,
        generated_spans, reference_scores and generated_scores.

    Raises
    ------
    InputError
        A column is missing.
    """
    require(table, *_NEEDED, *_MARKS)
    return [_pair(row) for row in table.iter_rows(named=True)]


def _pair(row: dict[str, Any]) -> ArticlePair:
    marked = [mark for name in _MARKS for mark in row[name] or []]
    groups = tuple(sorted({str(mark["group"]) for mark in marked}))
    return ArticlePair(
        title=one_line(row["title"] or "–", 160),
        condition=one_line(row["condition"] or "", 60),
        words=one_line(row["words"] or "", 60),
        distance=quantity(row["distance"], "number"),
        scorer=one_line(row["scorer"] or "", 60),
        groups=tuple(one_line(group, 60) for group in groups),
        sides=tuple(_side(row, side, groups) for side in _SIDES),
    )


def _side(row: dict[str, Any], side: str, groups: tuple[str, ...]) -> TextSide:
    text = row[side] or ""
    place = {group: number % _COLOURS for number, group in enumerate(groups)}
    end = min(len(text), _LONGEST)
    marks: list[tuple[int, int, str, str]] = [
        (mark["start"], mark["end"], mark["group"], "") for mark in row[f"{side}_spans"] or []
    ]
    marks += [
        (mark["end"], mark["end"], mark["group"], quantity(mark["score"], "number", signed=True))
        for mark in row[f"{side}_scores"] or []
        if mark["score"] is not None
    ]
    pieces, at = [], 0
    for start, stop, group, score in sorted(marks):
        if start < at or stop > end:
            continue
        pieces.append(Piece("text", safe_text(text[at:start])))
        name, colour = one_line(group, 60), place[group]
        if score:
            pieces.append(Piece("score", score, name, colour))
        else:
            pieces.append(Piece("word", safe_text(text[start:stop]), name, colour))
        at = stop
    pieces.append(Piece("text", safe_text(text[at:end])))
    cut = f"Cut: the first {end:,} of {len(text):,} characters are shown."
    return TextSide(_SIDES[side], tuple(pieces), cut if end < len(text) else "")
