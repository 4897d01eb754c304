"""What was judged, how far people and scorers agree, and what it changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, RedirectResponse
from starlette.routing import Route

from slant.annotations.agreement import CHANGES
from slant.annotations.agreement_findings import KAPPA
from slant.annotations.annotating import withdraw
from slant.annotations.automatic import scorers
from slant.annotations.labels import latest
from slant.annotations.ledger import Ledger
from slant.annotations.recompute import agreement_sections, is_current
from slant.errors import InputError
from slant.records import SURE
from slant.reports.drawings import Drawings
from slant.reports.numbers import (
    chance_text,
    interval_text,
    probability,
    quantity,
    span,
    value_text,
)
from slant.reports.views import placed_figures, section_view
from slant.reports.wording import contrast_words, wording
from slant.web import links, recompute_job
from slant.web.annotating import author_of, question, remember_author, said
from slant.web.form import form, one
from slant.web.numbers import page_number
from slant.web.pages.overview import asked_run
from slant.web.render import page

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request
    from starlette.responses import Response

    from slant.annotations.annotation import Annotation
    from slant.records import Finding, Scale
    from slant.reports.views import SectionView
    from slant.studies.section import Section

_PAGE = 20
_CHANGES = 60
_METRICS = (KAPPA, "scorer_error_rate", "scorer_false_alarms", "scorer_misses")


@dataclass(frozen=True)
class ScorerFigure:
    """One number about a group: its value and interval, chance, n, and how it stands out."""

    value: str
    interval: str
    chance: str
    n: int
    q: str
    differs: bool
    reason: str


@dataclass(frozen=True)
class AgreementRow:
    """How far people and a scorer agree on one group, metric by metric."""

    group: str
    figures: list[ScorerFigure]


@dataclass(frozen=True)
class AgreementTable:
    """One scorer, group by group."""

    condition: str
    axis: str
    rows: list[AgreementRow]


@dataclass(frozen=True)
class ChangedFinding:
    """A finding without and with the labels."""

    what: str
    group: str
    where: str
    without: str
    judged: str
    crossed: str


@dataclass(frozen=True)
class Agreement:
    """What follows from the annotations of one model's answers."""

    view: SectionView
    tables: list[AgreementTable]
    changes: list[ChangedFinding]
    more: int


def annotation_list(request: Request) -> Response:
    """Show all annotations, the agreement and the findings with and without."""
    run, query = asked_run(request), request.query_params
    known = scorers(run.run)
    ledger = Ledger.read(run.run.directory)
    standing = latest(ledger.lines)
    chosen = {name: query.get(name, "") for name in ("author", "measure")}
    shown = [line for line in reversed(standing) if _matches(line, chosen)]
    pages = max(1, -(-len(shown) // _PAGE))
    number = min(page_number(query.get("page", "")), pages)
    working, failed = recompute_job.state(run.run)
    found = run.remembered(
        "agreement", "judged/basis.json",
        lambda: [_agreement(*each) for each in agreement_sections(run.run)],
    )  # fmt: skip
    return page(
        request, "annotations.html.j2", run=run, scorers=known, question=question, said=said,
        standing=standing, lines=len(ledger.lines), torn=ledger.torn,
        shown=shown[(number - 1) * _PAGE : number * _PAGE], total=len(shown), number=number,
        pages=pages, chosen=chosen, author=author_of(request),
        authors=sorted({line.author for line in standing}),
        measures=sorted({line.measure for line in standing}),
        counts=_counts(standing), working=working, failed=failed, current=is_current(run.run),
        agreements=found,
    )  # fmt: skip


def _matches(line: Annotation, chosen: dict[str, str]) -> bool:
    return all(not wanted or getattr(line, name) == wanted for name, wanted in chosen.items())


def _counts(standing: list[Annotation]) -> dict[tuple[str, str, str], tuple[int, int, int]]:
    """Count, by scorer, the annotations, the blind ones and those that overrule."""
    counts: dict[tuple[str, str, str], tuple[int, int, int]] = {}
    for line in standing:
        about = (line.model, line.study, line.measure)
        every, blind, over = counts.get(about, (0, 0, 0))
        counts[about] = (every + 1, blind + line.sampled, over + line.overrules)
    return counts


def _agreement(section: Section, folder: Path) -> Agreement:
    drawings = Drawings(section, folder)
    if all(drawings.holds(figure) for _, figure in placed_figures(section)):
        view = section_view(section, f"a{folder.name}", drawings)
    else:  # drawing is for `recompute_job` and the report: here the tables must do
        bare = replace(section, analysis=replace(section.analysis, findings=[], figures=[]))
        view = section_view(bare, f"a{folder.name}", Drawings(bare))
    table = section.analysis.tables.get(CHANGES)
    rows = (
        []
        if table is None
        else [row for row in table.iter_rows(named=True) if not row.get("restates")]
    )
    return Agreement(
        view,
        _tables(section.analysis.findings),
        [_change(row) for row in rows[:_CHANGES]],
        (0 if table is None else table.height) - len(rows[:_CHANGES]),
    )


def _tables(findings: list[Finding]) -> list[AgreementTable]:
    about: dict[tuple[str, str], dict[str, dict[tuple[str, bool], Finding]]] = {}
    for f in findings:
        groups = about.setdefault((f.condition, f.axis), {})
        groups.setdefault(f.group, {})[f.metric, f.contrast == "vs_rest"] = f
    return [
        AgreementTable(
            condition,
            axis,
            [
                AgreementRow(group, [_figure(own[m, False], own.get((m, True))) for m in _METRICS])
                for group, own in groups.items()
            ],
        )
        for (condition, axis), groups in about.items()
    ]


def _figure(own: Finding, compared: Finding | None) -> ScorerFigure:
    q = None if compared is None else compared.q
    known = own.value is not None
    return ScorerFigure(
        value=value_text(own) if known else "",
        interval=interval_text(own) if known else "",
        chance=chance_text(own) if known else "",
        n=own.n,
        q="" if q is None else probability("q", q),
        differs=compared is not None and compared.is_sure,
        reason=own.reason or "",
    )


def _change(row: dict[str, Any]) -> ChangedFinding:
    scale: Scale = row.get("scale", "number")
    metric, comparison = str(row["metric"]), str(row["comparison"])
    q_before, q_after = row["q_without"], row["q_with"]
    before, after = (isinstance(q, float) and q < SURE for q in (q_before, q_after))
    return ChangedFinding(
        what=wording(metric).name
        + ("" if comparison in ("rate", "mean") else
           f": {contrast_words(comparison, metric, scale).lower()}"),
        group=str(row["group"]),
        where=", ".join(str(row[name]) for name in ("study", "condition") if row[name]),
        without=_written(row, "without"),
        judged=_written(row, "with"),
        crossed="q < .05 now" if after and not before
        else "could be chance now" if before and not after else "",
    )  # fmt: skip


def _written(row: dict[str, Any], which: str) -> str:
    comparison = str(row["comparison"])
    value, low, high, q = (row[f"{name}_{which}"] for name in ("value", "low", "high", "q"))
    if not isinstance(value, float):
        return "not measured"
    unit: Scale = row.get("scale", "number")
    signed = comparison not in ("rate", "mean") and unit != "ratio"
    text = quantity(value, unit, signed=signed)
    if isinstance(low, float) and isinstance(high, float):
        text += f" ({span(low, high, unit)})"
    return text + (f", {probability('q', q)}" if isinstance(q, float) else "")


async def recompute(request: Request) -> Response:
    """Begin to compute the findings anew with all annotations."""
    run = asked_run(request)
    if not Ledger.read(run.run.directory).lines:
        raise InputError("nobody has judged this run yet: there is nothing to compute")
    recompute_job.start(run.run)
    return RedirectResponse(links.annotations_page(run.name), 303)


async def take_back(request: Request) -> Response:
    """Withdraw a label."""
    run = asked_run(request)
    sent = await form(request)
    author = one(sent, "author")
    await run_in_threadpool(
        withdraw, run.run, one(sent, "id"), author=author, reason=one(sent, "reason")
    )
    answer = RedirectResponse(links.annotations_page(run.name), 303)
    remember_author(answer, author)
    return answer


def state(request: Request) -> Response:
    """Say whether conclusions are being drawn, for the page that waits for them."""
    working, failed = recompute_job.state(asked_run(request).run)
    return JSONResponse({"working": working, "failed": failed})


ROUTES = [
    Route("/run/{run}/annotations", annotation_list, methods=["GET"]),
    Route("/run/{run}/annotations/recompute", recompute, methods=["POST"]),
    Route("/run/{run}/annotations/withdraw", take_back, methods=["POST"]),
    Route("/run/{run}/annotations/state", state, methods=["GET"]),
]
