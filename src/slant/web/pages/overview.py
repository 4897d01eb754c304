"""A run's first page: what it found, how it stands, and where to read on."""

from __future__ import annotations

from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, RedirectResponse
from starlette.routing import Route

from slant.errors import InputError
from slant.reports.association_view import associations_view, together_folder
from slant.reports.drawings import Drawings
from slant.reports.front import front
from slant.reports.views import stored_lead
from slant.reports.write import MEANINGS, meanings_of
from slant.web import links
from slant.web.form import form, one
from slant.web.live import live_view
from slant.web.overview import Overview, found
from slant.web.render import page
from slant.web.tags import NOTE_LENGTH, TAG_LENGTH, TAGS, tags_of, write_tags

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from slant.reports.about import About
    from slant.reports.association_view import AssociationsView
    from slant.reports.front import Front
    from slant.reports.pictures import Picture
    from slant.web.open_run import OpenRun

_PICTURES = 3
"""So many studies show their first picture beside the verdict, as in the report."""


@dataclass(frozen=True)
class Faulty:
    """Reads what may be damaged; the page shows the rest all the same."""

    about: About | None
    found: Overview | None
    faults: list[str]

    @classmethod
    def of(cls, run: OpenRun) -> Faulty:
        """Read what can be read of a run."""
        faults: list[str] = []
        about = results = None
        try:
            about = run.about()
        except InputError as error:
            faults.append(str(error))
        if run.concluded:
            try:
                results = found(run)
            except InputError as error:
                faults.append(str(error))
        if run.concluded and not run.run.path("answers.parquet").exists():
            faults.append(_missing_answers(run))
        return cls(about, results, faults)


def _missing_answers(run: OpenRun) -> str:
    start = "answers.parquet is missing"
    if not run.run.path("journal.sqlite").exists():
        return (
            f"{start}, and there is no journal to rebuild it from: no answer can be shown unless a "
            "copy of the file is put back"
        )
    return (
        f"{start}: `slant rescore {run.run.directory}` rebuilds it from the journal, and so does "
        "the page of transcripts"
    )


def asked_run(request: Request) -> OpenRun:
    """Find the run that an address names.

    Raises
    ------
    InputError
        There is none of this name.
    """
    run: OpenRun = request.app.state.run_index.open(request.path_params["run"])
    return run


def overview(request: Request) -> Response:
    """Show what a run found."""
    run = asked_run(request)
    read, state = Faulty.of(run), run.state()
    results = read.found
    return page(
        request,
        "overview.html.j2",
        run=run,
        state=state,
        about=read.about,
        found=results,
        front=None if results is None or read.about is None else _front(run),
        together=None if results is None else _together(run, results),
        evidence=lambda finding: links.finding_page(run.name, finding),
        live=live_view(run, state),
        faults=[*read.faults, *([run.marks.fault] if run.marks.fault else [])],
        pictures={} if results is None else _pictures(run, results),
        counts=_counts(run),
        marks=run.marks,
        limits={"tags": TAGS, "tag": TAG_LENGTH, "note": NOTE_LENGTH},
        has_report=run.run.path("report.html").is_file(),
    )


def _front(run: OpenRun) -> Front:
    """Give what stands first: who is harmed, who is favoured, and how far to rely on it."""
    files = (
        "findings.json", MEANINGS, "run.toml", "answers.parquet", "status.json", "environment.json",
    )  # fmt: skip
    return run.remembered(
        "front",
        files,
        lambda: front(list(run.findings().values()), meanings_of(run.run), run.about()),
    )


def _together(run: OpenRun, results: Overview) -> AssociationsView | None:
    # The report draws the pictures, after the findings are written.
    files, folder = ("findings.json", MEANINGS, "report.html"), together_folder(run.run)
    return run.remembered(
        "together", files, lambda: associations_view(results.together, folder, drawn_only=True)
    )


def _pictures(run: OpenRun, results: Overview) -> dict[int, Picture]:
    """Give the first pictures of the first studies, if they are drawn already."""
    return {
        number: drawn
        for study in results.studies[:_PICTURES]
        if study.heading is not None
        and (drawn := _lead(run, number := study.heading.number)) is not None
    }


def _lead(run: OpenRun, number: int) -> Picture | None:
    # The report is written after the findings, and draws the pictures.
    files = ("findings.json", "report.html")
    return run.remembered(f"lead {number}", files, lambda: _stored_lead(run, number))


def _stored_lead(run: OpenRun, number: int) -> Picture | None:
    try:
        section = run.run.section(number)  # not kept: its tables may be large
    except InputError:
        return None  # the page says elsewhere which part is damaged
    drawings = Drawings(section, run.run.section_folder(number))
    return stored_lead(section, f"s{number + 1}", drawings)


def _counts(run: OpenRun) -> dict[tuple[str, str], dict[str, int]]:
    """Count the outcomes of each study and model."""
    return run.remembered("counts", "answers.parquet", lambda: _counted(run))


def _counted(run: OpenRun) -> dict[tuple[str, str], dict[str, int]]:
    import polars as pl

    if not run.run.path("answers.parquet").exists():
        return {}
    keys = ("study", "model", "outcome")
    counts: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    # The page says elsewhere what is damaged.
    with suppress(OSError, InputError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        for study, model, outcome, count in run.run.answers.group_by(keys).len().collect().rows():
            counts[study, model][outcome] = count
    return counts


async def mark(request: Request) -> Response:
    """Store tags and note."""
    run = asked_run(request)
    fields = await form(request)
    marks = tags_of(one(fields, "tags"), one(fields, "note"))
    await run_in_threadpool(write_tags, run.run.directory, marks)
    return RedirectResponse(links.run_page(run.name) + "#marks", 303)


def report(request: Request) -> Response:
    """Give the run's report as it lies in its directory."""
    path = asked_run(request).run.path("report.html")
    if path.is_symlink() or not path.is_file():
        raise InputError("this run has no report yet")
    # The file may come from anybody: it runs its own script, but not in the dashboard's name.
    policy = (
        "sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data: blob:; connect-src 'none'; form-action 'none'; "
        "base-uri 'none'; frame-ancestors 'none'"
    )
    return FileResponse(path, media_type="text/html", headers={"Content-Security-Policy": policy})


ROUTES = [
    Route("/run/{run}", overview),
    Route("/run/{run}/marks", mark, methods=["POST"]),
    Route("/run/{run}/report.html", report),
]
