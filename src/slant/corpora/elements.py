"""Elements of SGML or XML, found one by one in one pass, however broken the mark-up is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def elements(text: str, names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Find elements that do not overlap: what stands in their opening tag, and what they hold.

    An element reaches to the first end tag of its name; one that is never closed is passed over.

    Parameters
    ----------
    text
        The mark-up.
    names
        What the elements may be called; case does not matter.
    """
    opening = re.compile(rf"<({'|'.join(names)})\b", re.IGNORECASE)
    unclosed: set[str] = set()
    at = 0
    while found := opening.search(text, at):
        at = found.end()
        name = found[1].lower()
        if name in unclosed:
            continue
        inside = text.find(">", at) + 1
        if not inside:
            return
        closing = re.compile(rf"</{name}\s*+>", re.IGNORECASE).search(text, inside)
        if closing is None:
            unclosed.add(name)  # nor will any later one be: it is not looked for again
            continue
        yield text[at : inside - 1], text[inside : closing.start()]
        at = closing.end()


def without_tags(markup: str) -> str:
    """Put a space for every tag; a `<` without its `>` stays."""
    pieces, at = [], 0
    while (start := markup.find("<", at)) >= 0 and (end := markup.find(">", start)) >= 0:
        pieces.append(markup[at:start])
        at = end + 1
    return " ".join([*pieces, markup[at:]])
