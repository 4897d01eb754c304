"""Findings as a page shows them: lists ranked by effect, and a table of the groups' own figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.reports.evidence import exhibits, matching
from slant.reports.families import ranked
from slant.reports.interval_glyph import interval_glyph, scale
from slant.reports.numbers import (
    chance_text,
    interval_text,
    placebo_text,
    probability,
    quantity,
    value_text,
)
from slant.reports.significance import place_words, same_subject, significance
from slant.reports.wording import DIRECTIONS, heading_of, is_difference, wording
from slant.signature import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from slant.records import Finding
    from slant.reports.evidence import Exhibit
    from slant.reports.interval_glyph import IntervalGlyph, Scale
    from slant.reports.significance import Significance
    from slant.studies.study import Quote


@dataclass(frozen=True)
class Card:
    """One finding, in writing.

    Attributes
    ----------
    name
        Identifier, unique in the page.
    finding
        What it shows.
    significance, words
        Where it stands against chance, as a name and in words.
    value, interval, chance, placebo, target, q, p, effect, own
        Its numbers in writing; empty where there are none. `own` is the group's own figure.
    strip
        The small picture.
    quotes, kept
        Examples, and how many the study kept.
    examples_at
        Name of the card that shows this group's examples, when it is another.
    open
        Whether it is unfolded at first.
    """

    name: str
    finding: Finding
    significance: Significance
    words: str
    value: str
    interval: str
    chance: str
    placebo: str
    target: str
    q: str
    p: str
    effect: str
    own: str
    glyph: IntervalGlyph | None
    quotes: list[Exhibit]
    kept: int
    examples_at: str
    open: bool


@dataclass(frozen=True)
class CardList:
    """Cards of one contrast, ranked, and how many findings have none."""

    heading: str
    cards: list[Card]
    more: int = 0


@dataclass(frozen=True)
class MetricView:
    """Everything that one metric says.

    Attributes
    ----------
    name, heading
        Identifier in the page, and the metric in plain words.
    metric
        The metric's own name.
    notes
        Which way it improves.
    comparisons
        One list a contrast, those with the rest first; then the same as odds ratios.
    rates, more_rates
        The groups' own figures, largest first, and how many are left out.
    signatures
        What the own figures depend on.
    """

    name: str
    heading: str
    metric: str
    notes: list[str]
    comparisons: list[CardList]
    rates: list[Card]
    more_rates: int
    signatures: list[str]

    def cards(self) -> Iterator[Card]:
        """Give every finding that can be unfolded, and the groups' own figures."""
        for part in self.comparisons:
            yield from part.cards
        yield from self.rates


def metric_views(
    findings: Iterable[Finding], quotes: Sequence[Quote], prefix: str, most: int
) -> list[MetricView]:
    """Arrange the findings of a section that have a value.

    Parameters
    ----------
    findings
        All of them.
    quotes
        The section's examples; a group's are shown once, on the first card about it.
    prefix
        Of the identifiers.
    most
        Cards of one contrast, and rows of the table of own figures.
    """
    measured = [finding for finding in findings if finding.value is not None]
    families: dict[str, list[Finding]] = {finding.metric: [] for finding in measured}
    for finding in measured:
        base = finding.restates
        families[base if base in families else finding.metric].append(finding)
    families = {metric: family for metric, family in families.items() if family}
    shelf = _Shelf(quotes)
    return [
        _metric(metric, family, f"{prefix}-m{number}", shelf, most)
        for number, (metric, family) in enumerate(families.items(), start=1)
    ]


class _Shelf:
    """Hands out each group's quotes once, and remembers where they went."""

    def __init__(self, quotes: Sequence[Quote]):
        self.quotes, self.places = quotes, dict[tuple[str, str], str]()

    def take(self, finding: Finding, name: str) -> tuple[list[Exhibit], int, str]:
        found = matching(self.quotes, finding)
        place = self.places.setdefault((finding.group, finding.condition), name)
        if not found or place != name:
            return [], len(found), place if found else ""
        return exhibits(found, name), len(found), ""


def _metric(metric: str, family: list[Finding], name: str, shelf: _Shelf, most: int) -> MetricView:
    lists: dict[tuple[str, str], list[Finding]] = {}
    for finding in family:
        if finding.is_comparison:
            lists.setdefault((finding.metric, finding.contrast), []).append(finding)
    contrasts = sorted(lists, key=lambda key: (key[0] != metric, key[1] != "vs_rest"))
    comparisons = []
    for number, (measure, contrast) in enumerate(contrasts, start=1):
        order = ranked(lists[measure, contrast])
        cards = _cards(order[:most], family, f"{name}-c{number}", shelf)
        more = len(order) - len(cards)
        comparisons.append(CardList(heading_of(order[0]), cards, more))
    own = [f for f in family if not f.is_comparison]
    own.sort(key=lambda f: -(f.value or 0.0))
    return MetricView(
        name=name,
        heading=wording(metric).name,
        metric=metric,
        notes=[DIRECTIONS[d] for d in dict.fromkeys(f.direction for f in own)],
        comparisons=comparisons,
        rates=_cards(own[:most], family, f"{name}-r", shelf if not contrasts else _Shelf([])),
        more_rates=max(0, len(own) - most),
        signatures=list(dict.fromkeys(one_line(f.signature) for f in own)),
    )


def bare_cards(
    rows: Sequence[Finding], family: Sequence[Finding], name: str, on: Scale | None = None
) -> list[Card]:
    """Put findings into writing, in their order and without quotes.

    Parameters
    ----------
    rows
        The findings.
    family
        Where to look up what a group's own figure and its comparison are.
    name
        Prefix of the identifiers.
    on
        Scale of the strips; fitted around the rows if not given.
    """
    return _cards(rows, family, name, _Shelf([]), on)


def _cards(
    rows: Sequence[Finding],
    family: Sequence[Finding],
    name: str,
    shelf: _Shelf,
    on: Scale | None = None,
) -> list[Card]:
    on = on or scale(rows)
    cards = []
    for number, finding in enumerate(rows, start=1):
        place = significance(finding, family)
        quotes, kept, elsewhere = shelf.take(finding, f"{name}-{number}")
        cards.append(
            Card(
                name=f"{name}-{number}",
                finding=finding,
                significance=place,
                words=place_words(place, finding),
                value=value_text(finding),
                interval=interval_text(finding),
                chance=chance_text(finding),
                placebo=placebo_text(finding),
                target=_target(finding),
                q="" if finding.shown_q is None else probability("q", finding.shown_q),
                p="" if finding.p is None else probability("p", finding.p),
                effect="" if finding.effect is None else _effect(finding.effect),
                own=_own(finding, family),
                glyph=interval_glyph(finding, on, place),
                quotes=quotes,
                kept=kept,
                examples_at=elsewhere,
                open=number == 1 and place in ("above", "below") and bool(quotes),
            )
        )
    return cards


def _effect(effect: float) -> str:
    return quantity(round(effect, 2), "number", signed=True)


def _target(finding: Finding) -> str:
    if finding.target is None:
        return ""
    signed = is_difference(finding.contrast, finding.scale)
    return quantity(finding.target, finding.scale, signed=signed)


def _own(finding: Finding, family: Sequence[Finding]) -> str:
    if not finding.is_comparison:
        return ""
    for other in family:
        if not other.is_comparison and same_subject(other, finding):
            interval = interval_text(other)
            return value_text(other) + (f" ({interval})" if interval else "")
    return ""
