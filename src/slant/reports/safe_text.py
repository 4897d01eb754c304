"""Makes text that a model wrote safe to look at: nothing hidden, nothing endless.

Escaping for HTML, SVG or Markdown is the business of whoever writes these; this module takes
care of what escaping leaves alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_HIDDEN = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, except tab and line feed
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff"  # halves of a character
    "\ufdd0-\ufdef\ufffe\uffff"  # never characters
    "\U000e0000-\U000e007f"  # tags: a whole alphabet that nobody sees
    "]"
)

_MARKS = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_PILED = re.compile(f"({_MARKS}{{4}})({_MARKS}+)")


def safe_text(text: str) -> str:
    """Write out the characters that a reader could not see or that reorder what is seen.

    Control and bidirectional formatting characters, zero-width spaces, tags and lone surrogates
    become their code points, such as ⟦U+202E⟧. Tabs, line feeds and the joiners that many
    scripts need stay. Of more than four accents piled on one another, the rest are counted: no
    language needs them, and they would cover the lines around.
    """
    text = text.replace("\r\n", "\n")
    text = _PILED.sub(lambda match: f"{match[1]}⟦{len(match[2])} more marks⟧", text)
    return _HIDDEN.sub(lambda match: f"⟦U+{ord(match[0]):04X}⟧", text)


def one_line(text: str, limit: int = 120) -> str:
    """Make text fit a label: visible, on one line, cut with an ellipsis beyond `limit`."""
    line = " ".join(text[: 4 * limit].split())
    whole = len(text) <= 4 * limit and len(line) <= limit
    return safe_text(line if whole else line[: limit - 1].rstrip() + "…")


def file_name(text: str, most: int = 60) -> str:
    """Make of text what a file may be called everywhere: small Latin letters, digits, hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text[:1000].lower()).strip("-")[:most].strip("-")


@dataclass(frozen=True)
class Excerpt:
    """A readable part of a text.

    Attributes
    ----------
    pieces
        Consecutive parts, each with whether it is marked.
    notice
        What was left out, in words; empty when nothing was.
    """

    pieces: tuple[tuple[str, bool], ...]
    notice: str = ""


def excerpt(text: str, spans: Sequence[tuple[int, int]] = (), limit: int = 600) -> Excerpt:
    """Cut a text to what a reader takes in, keeping the first marked part in sight.

    Blanks before the text are left out.

    Parameters
    ----------
    text
        Whatever a model said.
    spans
        [start, end) offsets to mark; those outside the text are ignored, overlaps are merged.
    limit
        Longest excerpt, in characters.
    """
    blank = len(text) - len(text.lstrip())
    text = text[blank:]
    merged = _merged([(start - blank, end - blank) for start, end in spans], len(text))
    start = 0
    if merged and merged[0][1] > limit:
        start = max(0, merged[0][0] - limit // 3)
    end = min(len(text), start + limit)
    pieces: list[tuple[str, bool]] = [("…", False)] if start else []
    position = start
    for left, right in merged:
        if right <= position or left >= end:
            continue
        pieces.append((text[position:left], False))
        pieces.append((text[max(left, position) : min(right, end)], True))
        position = min(right, end)
    pieces.append((text[position:end], False))
    if end < len(text):
        pieces.append(("…", False))
    notice = ""
    if end - start < len(text):
        first = "" if start else "the first "
        notice = f"Cut: {first}{end - start:,} of {len(text):,} characters are shown."
    return Excerpt(tuple((safe_text(part), mark) for part, mark in pieces if part), notice)


def _merged(spans: Sequence[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted((max(0, start), min(end, length)) for start, end in spans):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
