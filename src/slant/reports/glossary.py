"""The words of a report and what they mean: a text's first use of each links to its entry."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from markupsafe import Markup, escape

from slant.reports.safe_text import safe_text


@dataclass(frozen=True)
class Term:
    """One word of the glossary.

    Attributes
    ----------
    key
        Its entry is `term-` and this.
    title
        What the entry is called.
    names
        How it stands in a text.
    text
        What it means.
    """

    key: str
    title: str
    names: tuple[str, ...]
    text: str


@cache
def glossary() -> tuple[Term, ...]:
    """Read the glossary, in the order in which a report explains it."""
    read = files("slant.reports").joinpath("glossary.toml").read_text(encoding="utf-8")
    return tuple(
        Term(each["key"], each["title"], tuple(each["names"]), each["text"])
        for each in tomllib.loads(read)["term"]
    )


@cache
def _pattern() -> tuple[re.Pattern[str], dict[str, str]]:
    keys = {name: term.key for term in glossary() for name in term.names}
    longest_first = sorted(keys, key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?!\w)"), keys


def with_terms(text: str) -> Markup:
    """Escape a text, and link each term's first place in it to the glossary.

    Parameters
    ----------
    text
        A line of the report's own.
    """
    pattern, keys = _pattern()
    shown, linked, done = safe_text(text), set[str](), 0
    parts = []
    for found in pattern.finditer(shown):
        key = keys[found[0]]
        if key in linked:
            continue
        linked.add(key)
        link = Markup('<a class="term" href="#term-{}">{}</a>').format(key, found[0])
        parts += [escape(shown[done : found.start()]), link]
        done = found.end()
    return Markup("").join([*parts, escape(shown[done:])])
