"""All that was found about one group, across studies and models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.routing import Route

from slant.errors import InputError, unknown
from slant.reports.association_view import cell_view
from slant.reports.cards import bare_cards
from slant.reports.evidence import exhibits
from slant.reports.families import is_significant, ranked
from slant.reports.interval_glyph import scale
from slant.reports.wording import heading_of, is_with_itself, words_of
from slant.reports.write import meanings_of
from slant.web import links
from slant.web.asked import groups_asked
from slant.web.overview import found as found_of
from slant.web.pages.overview import asked_run
from slant.web.render import page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response

    from slant.records import Finding
    from slant.reports.association_view import CellView
    from slant.reports.cards import Card
    from slant.reports.evidence import Exhibit
    from slant.studies.section import Section
    from slant.web.open_run import OpenRun

_MOST = 60
_OPEN = 8
"""How many comparisons of a study stand in the open."""


@dataclass(frozen=True)
class Line:
    """A finding in a list: in writing, what it is of, and in what more general respect."""

    card: Card
    words: str
    small: str


@dataclass(frozen=True)
class StudyOfGroup:
    """What one study found about a group.

    Attributes
    ----------
    number, section
        Which study.
    compared, own
        Comparisons, surest first, and the group's own figures.
    open
        How many comparisons stand in the open.
    more
        How many are left out.
    differs
        How many comparisons are more than chance.
    unmeasured
        Findings without a value.
    quotes, kept
        Examples, and how many the study kept.
    transcripts, pairs
        Addresses of the answers about the group; empty where nothing was asked about it.
    """

    number: int
    section: Section
    compared: list[Line]
    own: list[Line]
    open: int
    more: int
    differs: int
    unmeasured: list[Finding]
    quotes: list[Exhibit]
    kept: int
    transcripts: str
    pairs: str


def group(request: Request) -> Response:
    """Show what was found about a group."""
    run = asked_run(request)
    axis, name = request.query_params.get("axis", ""), request.query_params.get("group", "")
    known = _groups(run)
    # No address can hold half a character, and a link to such a group has another in its place.
    spelt = {(links.storable(a), links.storable(g)): (a, g) for a, g in reversed(known)}
    if (axis, name) not in spelt:
        raise _no_group(known, axis, name)
    axis, name = spelt[axis, name]
    studies, faults = [], []
    for heading in run.headings():
        try:
            section = run.section(heading.number)
        except InputError as error:
            faults.append(str(error))
            continue
        found = _study(run, heading.number, section, axis, name)
        studies += [found] if found is not None else []
    place = known.index((axis, name))
    beside = [known[at] if 0 <= at < len(known) else None for at in (place - 1, place + 1)]
    tested = [line.card for each in studies for line in each.compared if line.card.q]
    sure = [card for card in tested if is_significant(card.finding)]
    return page(
        request,
        "group.html.j2",
        run=run,
        axis=axis,
        group=name,
        studies=studies,
        faults=faults,
        tested=len(tested) + sum(each.more for each in studies),
        sure=ranked(card.finding for card in sure),
        unmeasured=sum(len(each.unmeasured) for each in studies),
        together=_together(run, axis, name),
        several=len(found_of(run).together.models) > 1,
        evidence=lambda finding: links.finding_page(run.name, finding),
        previous=beside[0],
        following=beside[1],
    )


def _together(run: OpenRun, axis: str, name: str) -> list[CellView]:
    """Tell theme by theme what all measures say about the group, under whatever name."""
    own = meanings_of(run.run).group(axis, name)
    return [
        cell_view(cell)
        for cell in found_of(run).together.cells
        if (cell.first.axis, cell.first.group) == own
        and (len(cell.readings) > 1 or cell.standing != "none")
    ]


def _groups(run: OpenRun) -> list[tuple[str, str]]:
    """List the groups that something was found about, each axis's together."""
    found = list(dict.fromkeys((f.axis, f.group) for f in run.findings().values()))
    axes = list(dict.fromkeys(axis for axis, _ in found))
    return sorted(found, key=lambda each: axes.index(each[0]))


def _no_group(known: Sequence[tuple[str, str]], axis: str, name: str) -> InputError:
    axes = {each for each, _ in known}
    if axis not in axes:
        return unknown("axis", axis, axes)
    return unknown(f"group of the axis {axis}", name, {each for a, each in known if a == axis})


def _study(
    run: OpenRun, number: int, section: Section, axis: str, name: str
) -> StudyOfGroup | None:
    everything = section.analysis.findings
    about = [f for f in everything if (f.axis, f.group) == (axis, name) and not is_with_itself(f)]
    if not about:
        return None
    metrics = {f.metric for f in about}
    # Odds ratios only say again what rates say.
    told = [f for f in about if f.value is not None and f.restates not in metrics]
    compared = [f for f in told if f.is_comparison]
    compared = sorted(ranked(compared), key=lambda f: not is_significant(f))
    differs = sum(is_significant(f) for f in compared)
    own = [f for f in told if not f.is_comparison]
    quotes = [quote for quote in section.analysis.quotes if quote.group == name]
    asked = {"study": section.label, "model": section.model, "axis": axis, "group": name}
    groups = groups_asked(run, section)
    alone = sum(each == axis for each, _ in groups) < 2
    return StudyOfGroup(
        number=number,
        section=section,
        compared=_lines(compared[:_MOST], everything, f"s{number}-c"),
        own=_lines(own[:_MOST], everything, f"s{number}-o"),
        open=max(_OPEN, min(differs, 2 * _OPEN)),
        more=max(0, len(compared) - _MOST),
        differs=differs,
        unmeasured=[f for f in about if f.value is None],
        quotes=exhibits(quotes, f"s{number}"),
        kept=len(quotes),
        transcripts=links.transcripts_page(run.name, **asked) if (axis, name) in groups else "",
        pairs=""
        if (axis, name) not in groups or alone
        else links.pairs_page(run.name, number, axis=axis, a=name),
    )


def _lines(rows: Sequence[Finding], everything: Sequence[Finding], name: str) -> list[Line]:
    """Put findings of several metrics into a list; each keeps the scale of its own kind."""
    kinds = {(f.metric, f.contrast) for f in rows}
    scales = {
        kind: scale(f for f in everything if (f.metric, f.contrast) == kind and f.value is not None)
        for kind in kinds
    }
    lines = []
    for place, f in enumerate(rows, start=1):
        family = [each for each in everything if each.metric == f.metric]
        card = bare_cards([f], family, f"{name}{place}", scales[f.metric, f.contrast])[0]
        words = words_of(f).name
        if f.is_comparison and f.contrast != "vs_rest":
            words = f"{words}: {heading_of(f).lower()}"
        lines.append(Line(card, f.condition or words, words if f.condition else ""))
    return lines


ROUTES = [Route("/run/{run}/group", group)]
