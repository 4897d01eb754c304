"""Everything behind one number."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.routing import Route

from slant.errors import InputError
from slant.reports.cards import bare_cards
from slant.reports.families import ranked
from slant.reports.figures.null_histogram import null_table
from slant.reports.figures.theme import NARROW, WIDE
from slant.reports.interval_glyph import scale
from slant.reports.numbers import chance_text
from slant.reports.observations import Asked, observations
from slant.reports.pictures import Picture
from slant.reports.svg import drawing, labelled
from slant.reports.wording import DIRECTIONS, heading_of, is_with_itself, words_of
from slant.reports.write import meanings_of
from slant.reports.written_table import written_table
from slant.signature import one_line
from slant.web import links
from slant.web.asked import asked, measures_of
from slant.web.finding_answers import behind
from slant.web.lazy_svg import lazy_svg
from slant.web.links import finding_id
from slant.web.pages.overview import asked_run
from slant.web.render import page
from slant.web.sample import ORDERS, SCORES, SampleQuery, sample
from slant.web.signature_words import parameters
from slant.web.tables_about import tables_about

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request

    from slant.records import Finding
    from slant.reports.observations import Observation
    from slant.web.open_run import OpenRun

_MOST = 40
_GROUPS = 400
_OBSERVED = 10


_PICTURE = re.compile(rf"null-({WIDE}|{NARROW})\.svg")
_TITLE = "What chance alone gives, draw by draw, and where this number stands"


def finding(request: Request) -> Response:
    """Show a finding with the answers it rests on."""
    run = asked_run(request)
    shown = asked_finding(run, request.path_params["finding"])
    everything = list(run.findings().values())
    own = [f for f in everything if (f.study, f.model) == (shown.study, shown.model)]
    family = [f for f in own if f.metric == shown.metric]
    compared = _compared(shown, family)
    on = scale([*compared, shown])
    number = run.section_of(shown)
    return page(
        request,
        "finding.html.j2",
        run=run,
        finding=shown,
        card=bare_cards([shown], family, "this", on)[0],
        heading=heading_of(shown),
        metric=words_of(shown).name,
        direction=DIRECTIONS.get(shown.direction, ""),
        compared=bare_cards(compared[:_GROUPS], family, "group", on),
        more=max(0, len(compared) - _GROUPS),
        meant=meanings_of(run.run).of(shown),
        observed=_observed(run, shown, number),
        elsewhere=_elsewhere(shown, own),
        number=number,
        signature=one_line(shown.signature),
        parameters=parameters(
            shown.signature, {} if number is None else run.section(number).parameters
        ),
        null=_null(run, shown),
        why_no_null=_why_no_null(shown),
        **_answers(request, run, shown, number),
    )


def _observed(run: OpenRun, shown: Finding, number: int | None) -> list[Observation]:
    """Show what the number rests on, in sentences."""
    if number is None:
        return []
    files = ("answers.parquet", "scores.parquet")
    asked = run.remembered("asked questions", files, lambda: Asked(run.run))
    return observations(asked, run.section(number), shown, _OBSERVED)


def _null(run: OpenRun, shown: Finding) -> Picture | None:
    """Prepare the picture of the null; none where its draws are not known."""
    if shown.value is None or shown.chance is None or shown.chance.histogram is None:
        return None
    at = links.finding_page(run.name, shown)
    draws = sum(shown.chance.histogram.counts)
    wide, narrow = (
        labelled(
            lazy_svg(f"{at}/null-{width}.svg"),
            name=f"null-{width}",
            title=_TITLE,
            description="The table below the picture holds every bin.",
        )
        for width in (WIDE, NARROW)
    )
    bins = null_table(shown).select("from", "to", "draws")
    return Picture(
        name="null",
        file=f"slant-null-{finding_id(shown)}",
        title=_TITLE,
        wide=wide,
        narrow=narrow,
        failure="",
        facts=[f"{draws:,} draws", f"Chance alone: {chance_text(shown)}"],
        signatures=[],
        table=written_table(bins, len(bins)),
    )


def _why_no_null(shown: Finding) -> str:
    if shown.value is None:
        return ""
    if shown.chance is None:
        return "No chance line was worked out for this number."
    if shown.signature.keys() & {"null", "chance"}:
        return (
            "The run was concluded by a slant that did not keep what chance drew; slant rescore "
            "concludes it anew."
        )
    return "What chance alone gives follows from a formula here: nothing was drawn."


def null_picture(request: Request) -> Response:
    """Give the picture of the null behind a finding."""
    from slant.reports.figures.null_histogram import null

    run = asked_run(request)
    shown = asked_finding(run, request.path_params["finding"])
    named = _PICTURE.fullmatch(request.path_params["file"])
    if named is None:
        raise InputError("a finding has no such picture")
    width = int(named[1])
    svg = drawing(null(null_table(shown), title=_TITLE, width=width))
    return Response(svg, media_type="image/svg+xml")


def asked_finding(run: OpenRun, name: str) -> Finding:
    """Find a finding by its id.

    Raises
    ------
    InputError
        The run has none of this id.
    """
    found = run.findings().get(name)
    if found is None:
        raise InputError(
            f"{run.name} has no finding {name!r}: it may have been concluded anew since the link "
            "was made; the study's page lists what it found"
        )
    return found


def _compared(shown: Finding, family: Sequence[Finding]) -> list[Finding]:
    """List the same figure of all groups, largest effect first."""
    same = (shown.axis, shown.condition, shown.is_comparison)
    return ranked(
        f
        for f in family
        if (f.axis, f.condition, f.is_comparison) == same
        and (f.contrast == shown.contrast or not f.is_comparison)
        and not is_with_itself(f)
    )


def _elsewhere(shown: Finding, own: Sequence[Finding]) -> list[tuple[Finding, str, Any]]:
    """List the group's other findings in this study: this metric first, surest first."""
    others = [
        f
        for f in own
        if (f.axis, f.group) == (shown.axis, shown.group)
        and f is not shown
        and not is_with_itself(f)
    ]
    others.sort(key=lambda f: (f.metric != shown.metric, 2.0 if f.q is None else f.q))
    kept = others[:_MOST]
    cards = [bare_cards([f], own, f"other-{n}")[0] for n, f in enumerate(kept, start=1)]
    return [
        (f, f"{words_of(f).name}: {heading_of(f)}", card)
        for f, card in zip(kept, cards, strict=True)
    ]


def _answers(request: Request, run: OpenRun, shown: Finding, number: int | None) -> dict[str, Any]:
    query = request.query_params
    rests = behind(run, shown, query.get("measure"))
    tables = []
    if number is not None and (rests is None or not rests.measure):
        tables = tables_about(run.section(number), shown.group, shown.condition)
    if rests is None:
        return {"rests": None, "tables": tables}
    wanted = SampleQuery.asked(query)
    at = links.finding_page(run.name, shown)

    def turned(**changes: object) -> str:
        wish = {"measure": query.get("measure", ""), **wanted.query(**changes)}
        rest = links.address(**wish).removeprefix("/")
        return f"{at}{rest}#answers"

    about = {"study": rests.study, "model": rests.model}
    conditions = asked(run).filter(**about, axis=rests.axis, group=rests.group)["condition"]
    named = len(conditions) > 0
    if named:  # else a slot of the questions tells of the group, which no table filters by
        about |= {"axis": rests.axis, "group": rests.group}
    if rests.condition in conditions:
        about["condition"] = rests.condition
    return {
        "rests": rests,
        "tables": tables,
        "measures": measures_of(run, rests.model, rests.study),
        "sample": sample(rests, wanted),
        "wanted": wanted,
        "orders": ORDERS,
        "scores": SCORES,
        "turned": turned,
        "transcripts": links.transcripts_page(run.name, **about),
        "pairs": links.pairs_page(
            run.name, number, axis=rests.axis, a=rests.group, measure=rests.measure
        )
        if number is not None and named
        else "",
    }


ROUTES = [
    Route("/run/{run}/finding/{finding}", finding),
    Route("/run/{run}/finding/{finding}/{file}", null_picture),
]
