"""Quotes, as a page shows them: cut, marked, and blurred where they hurt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.reports.numbers import plain
from slant.reports.safe_text import Excerpt, excerpt, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.records import Finding
    from slant.studies.study import Quote

MOST = 3
"""How many quotes a group shows."""

_PROMPT = 300


@dataclass(frozen=True)
class Exhibit:
    """One quote.

    Attributes
    ----------
    name
        Identifier, unique in the page.
    prompt
        What was asked.
    condition
        The circumstances; may be empty.
    excerpt
        What came back.
    score
        The score in writing; empty when there is none.
    sensitive
        Whether it is blurred until the reader asks.
    """

    name: str
    prompt: str
    condition: str
    excerpt: Excerpt
    score: str
    sensitive: bool


def matching(quotes: Iterable[Quote], finding: Finding) -> list[Quote]:
    """Find a finding's quotes: of its group, its measure, and its condition where it has one."""
    return [
        quote
        for quote in quotes
        if quote.group == finding.group
        and quote.measure in ("", finding.measure)
        and (not finding.condition or quote.condition == finding.condition)
    ]


def exhibits(quotes: Sequence[Quote], name: str) -> list[Exhibit]:
    """Prepare the first few quotes, in the study's order.

    Parameters
    ----------
    quotes
        Those of one group.
    name
        Prefix of their identifiers.
    """
    return [
        Exhibit(
            name=f"{name}-q{number}",
            prompt=one_line(quote.prompt, _PROMPT),
            # A condition that is the prompt's template says nothing that the prompt does not.
            condition="" if "{" in quote.condition else one_line(quote.condition),
            excerpt=excerpt(quote.text, quote.spans),
            score="" if quote.value is None else plain(quote.value),
            sensitive=quote.sensitive,
        )
        for number, quote in enumerate(quotes[:MOST], start=1)
    ]
