"""Pairs of sentences that differ in the group only, with the answers that each of them got."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, TypeAlias

from slant.reports.environment import written
from slant.reports.figures.select import require
from slant.reports.numbers import quantity
from slant.reports.safe_text import excerpt, one_line
from slant.reports.view_text import ViewText

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from slant.reports.page_budget import Room

Spans: TypeAlias = list[tuple[int, int]]

MOST = 60
"""How many pairs a page shows."""

_TEXTS = ("axis", "pair", "group", "other", "statement", "other_statement")
_NUMBERS = ("p_biased", "other_p_biased", "gap")

# Whatever stands between blanks, without the punctuation around it. Letters of no script are
# listed: vowel signs are not letters to a regular expression, and would fall out of their words.
_PUNCTUATION = r".,;:!?…\"“”„«»()\[\]"
_WORD = re.compile(rf"[^\s{_PUNCTUATION}]+|[{_PUNCTUATION}]")

_COMPARED = 400
"""Most words between a common beginning and end that are compared one by one."""

_UNKNOWN = "not known"
_FINE = 0.05
"""Gaps below this need a decimal in percent."""


@dataclass(frozen=True)
class Side:
    """One sentence of a pair.

    Attributes
    ----------
    group
        Whom it is about.
    pieces
        Consecutive parts of the sentence, each with whether it differs from the other's.
    notice
        What was left out of it, in words; empty when nothing was.
    percent
        Probability of the answer that contradicts the label; None if not known.
    value
        The same in words.
    """

    group: str
    pieces: tuple[tuple[str, bool], ...]
    notice: str
    percent: float | None
    value: str


@dataclass(frozen=True)
class SentencePair:
    """Two sentences that differ in the group only.

    Attributes
    ----------
    axis, template
        Where they come from.
    sides
        The two sentences, that of the column `group` first.
    gap
        How far apart the answers are, in words.
    """

    axis: str
    template: str
    sides: tuple[Side, Side]
    gap: str


def written_pairs(table: pl.DataFrame, *, name: str, title: str, room: Room) -> ViewText:
    """Write a view of kind `pairs`; `sentence_pairs` says what its table holds."""
    pairs = sentence_pairs(table)[: room.examples]
    return ViewText(written("pairs_of_sentences.html.j2", pairs=pairs)) if pairs else ViewText()


def sentence_pairs(table: pl.DataFrame) -> list[SentencePair]:
    """Put pairs of sentences into writing, the largest gap first.

    Parameters
    ----------
    table
        Columns axis, pair, group, other, statement, other_statement, p_biased, other_p_biased
        (0 to 1) and gap (their difference).

    Returns
    -------
    list of SentencePair
        At most `MOST`.

    Raises
    ------
    InputError
        A column is missing.
    """
    import polars as pl

    require(table, *_TEXTS, *_NUMBERS)
    known = table.select(
        pl.col(_TEXTS).cast(pl.String).fill_null("–"),
        pl.col(_NUMBERS).cast(pl.Float64).fill_nan(None),
    )
    size = pl.col("gap").abs()
    worst = known.sort(size, descending=True, nulls_last=True, maintain_order=True).head(MOST)
    return [_pair(row) for row in worst.iter_rows(named=True)]


def _pair(row: dict[str, Any]) -> SentencePair:
    gap = row["gap"]
    fine = gap is not None and abs(gap) < _FINE
    spans = differing(row["statement"], row["other_statement"])
    first = _side(row["group"], row["statement"], spans[0], row["p_biased"], fine=fine)
    second = _side(row["other"], row["other_statement"], spans[1], row["other_p_biased"], fine=fine)
    apart = _UNKNOWN if gap is None else quantity(abs(gap), "share", signed=True, fine=fine)
    return SentencePair(
        axis=one_line(row["axis"].replace("_", " "), 60),
        template=one_line(row["pair"], 80),
        sides=(first, second),
        gap=apart.removeprefix("+"),
    )


def _side(group: str, text: str, spans: Spans, share: float | None, *, fine: bool) -> Side:
    shown = excerpt(text, spans)
    return Side(
        group=one_line(group, 80),
        pieces=shown.pieces,
        notice=shown.notice,
        percent=None if share is None else round(100 * min(max(share, 0.0), 1.0), 1),
        value=_UNKNOWN if share is None else quantity(share, "share", fine=fine),
    )


def differing(one: str, other: str) -> tuple[Spans, Spans]:
    """Find the words by which two texts differ.

    Parameters
    ----------
    one, other
        Any texts.

    Returns
    -------
    tuple of list
        [start, end) offsets in the one and in the other. Neighbouring words are one span.

    Examples
    --------
    >>> differing("Women lie often.", "Old men lie often.")
    ([(0, 5)], [(0, 7)])
    """
    left = [found.span() for found in _WORD.finditer(one)]
    right = [found.span() for found in _WORD.finditer(other)]
    words = [one[start:end] for start, end in left]
    others = [other[start:end] for start, end in right]
    # Only what lies between is compared: comparing all of two long texts takes minutes.
    head = _alike(words, others)
    tail = _alike(words[head:][::-1], others[head:][::-1])
    end, other_end = len(words) - tail, len(others) - tail
    blocks = [(head, end, head, other_end)]
    if max(end, other_end) - head <= _COMPARED:
        matcher = SequenceMatcher(None, words[head:end], others[head:other_end], autojunk=False)
        blocks = [
            (head + a, head + b, head + c, head + d)
            for kind, a, b, c, d in matcher.get_opcodes()
            if kind != "equal"
        ]
    return (
        [(left[a][0], left[b - 1][1]) for a, b, _, _ in blocks if a < b],
        [(right[c][0], right[d - 1][1]) for _, _, c, d in blocks if c < d],
    )


def _alike(words: Sequence[str], others: Sequence[str]) -> int:
    """Count the words that two texts begin with."""
    pairs = zip(words, others, strict=False)
    return next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(words), len(others)))
