"""Words of texts, for searching: the same whatever their case and accents.

A word is a run of letters, digits and the marks on them. Scripts that leave no space between words
(Chinese, Japanese, Thai, Lao, Khmer, Burmese) are taken letter by letter, so that any part of their
texts can be found.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import polars as pl

from slant.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

Strings = TypeVar("Strings", pl.Expr, pl.Series)

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = rf"[{_UNSPACED}]\p{{M}}*|[[\p{{L}}\p{{N}}\p{{M}}]--[{_UNSPACED}]]+"
_PIECE = re.compile(r'"([^"]*)(?:"|$)|([^\s"]+)')
_MOST = 50
"""Words that a search may have."""


@dataclass(frozen=True)
class Piece:
    """Part of a search: words that stand one after the other.

    Attributes
    ----------
    words
        As `folded` writes them; one or more.
    prefix
        Whether the last one may go on.
    """

    words: tuple[str, ...]
    prefix: bool = False


def words_of(texts: Strings) -> Strings:
    """Find the words of texts, as they are spelt, in order: a list for each text."""
    return texts.str.extract_all(_WORD)


def folded(words: Strings) -> Strings:
    """Make words alike that differ in case, accents or form (ﬁ, ½) only; what is left may be empty.

    Compatibility decomposition (Unicode NFKD), without marks, in lower case.
    """
    plain = words.str.normalize("NFKD").str.replace_all(r"\p{M}+", "").str.to_lowercase()
    return plain.str.replace_all("ς", "σ", literal=True)


def pieces(search: str) -> tuple[Piece, ...]:
    """Read a search: words, "phrases in quotes" and beginnings of words with a star.

    All pieces must be found for an answer to match. A quote that is left open goes to the end;
    whatever else stands there is text to look for, never a command.

    Returns
    -------
    tuple of Piece
        Without repetitions; empty when there is no word in the search.

    Raises
    ------
    InputError
        There are more than 50 words.
    """
    found: dict[Piece, None] = {}
    for match in _PIECE.finditer(search.replace("\0", " ")):
        spelt = match[1] if match[1] is not None else match[2]
        text = pl.Series([spelt.encode("utf-8", "replace").decode()])
        words = folded(words_of(text).explode().drop_nulls())
        kept = tuple(word for word in words if word)
        if kept:
            found[Piece(kept, spelt.rstrip().endswith("*"))] = None
            if sum(len(piece.words) for piece in found) > _MOST:
                raise InputError(f"a search may have {_MOST} words: leave some out")
    return tuple(found)


def places(texts: Sequence[str], search: Sequence[Piece]) -> list[list[tuple[int, int]]]:
    """Find what a search matches in texts.

    Returns
    -------
    list
        For each text the [start, end) offsets of matches of any piece, in order of their start.
    """
    every = pl.Series("word", texts, dtype=pl.String)
    spelt = words_of(every).to_list()
    flat = pl.Series([word for words in spelt for word in words], dtype=pl.String)
    alike = iter(folded(flat).to_list())
    found = []
    for text, words in zip(texts, spelt, strict=True):
        spans, plain, at = [], [], 0
        for word in words:
            start = text.index(word, at)
            at = start + len(word)
            if normal := next(alike):
                spans.append((start, at))
                plain.append(normal)
        found.append(
            sorted(
                {
                    (spans[first][0], spans[last][1])
                    for piece in search
                    for first, last in _occurrences(piece, plain)
                }
            )
        )
    return found


def _occurrences(piece: Piece, words: list[str]) -> list[tuple[int, int]]:
    length, last = len(piece.words), piece.words[-1]
    return [
        (start, start + length - 1)
        for start in range(len(words) - length + 1)
        if all(words[start + k] == piece.words[k] for k in range(length - 1))
        and (
            words[start + length - 1].startswith(last)
            if piece.prefix
            else words[start + length - 1] == last
        )
    ]
