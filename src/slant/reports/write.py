"""Writing a run's report into its directory."""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from slant.engine.conclusions import SUMMARY
from slant.engine.environment import MEANWHILE
from slant.engine.progress import Silent
from slant.engine.run import Run
from slant.meanings import load_meanings
from slant.reports.about import About
from slant.reports.across_models import across_models
from slant.reports.association_view import associations_view, together_folder
from slant.reports.association_words import associations
from slant.reports.draw_all import draw_all, sections_of
from slant.reports.drawings import Drawings
from slant.reports.families import differences
from slant.reports.front import front
from slant.reports.model_view import models_view
from slant.reports.observations import Asked, observations
from slant.reports.page import render
from slant.reports.page_budget import LARGEST, ROOMS
from slant.reports.summary import write_summary
from slant.reports.views import section_view
from slant.studies.checksums import STATED, changed_files, remember_files, remembered
from slant.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from slant.engine.model_note import ModelNote
    from slant.engine.progress import Progress
    from slant.meanings import Meanings
    from slant.reports.observations import Observation
    from slant.reports.page_budget import Room
    from slant.reports.pictures import Picture
    from slant.reports.printed import Printed
    from slant.reports.views import SectionView
    from slant.studies.section import Section

PDF = "report.pdf"

_RESTS_ON = ("run.toml", "environment.json", "answers.parquet", "scores.parquet", "findings.json")

MEANINGS = "meanings.toml"
"""A run's own file of what differences mean; most runs have none."""


def write_report(run: Run | str | Path, progress: Progress | None = None) -> Path:
    """Write `report.html`, one file that needs no network, and return its path.

    Where people have judged the run, the last sections tell how far they agree with the scorers
    and what their labels change, as last computed by `slant rescore`. Beside it goes
    `summary.json`, which counts what the report tells.

    Parameters
    ----------
    run
        A run, or its directory.
    progress
        Who is told how far it is; nobody when not given.

    Raises
    ------
    InputError
        The run has no findings yet.
    """
    if not isinstance(run, Run):
        run = Run(run)
    path = run.path("report.html")
    progress = progress or Silent()
    draw_all(run, progress)
    shutil.rmtree(together_folder(run), ignore_errors=True)
    meanings = meanings_of(run)
    seen = _Seen(run)
    beside: list[Picture] | None = None
    models = models_view(run.finding_list(), meanings, notes_of(run))
    for room in ROOMS:
        progress.work("report", run.section_count)
        views = []
        for number, (section, folder) in enumerate(sections_of(run), start=1):
            views.append(_view(section, folder, number, room, seen, meanings))
            progress.worked()
        if beside is None:
            beside = across_models(view.section for view in views)
        told = [finding for view in views for finding in view.section.analysis.findings]
        together = associations_view(associations(told, meanings), together_folder(run))
        page = render(views, about(run), beside, meanings, together, models)
        if len(page.encode()) <= LARGEST:
            break
    write_whole(path, page)
    write_summary(run)
    drawn = run.path("sections").glob("*/drawings/*")
    remember_files(run.directory, [
        "report.html", SUMMARY, "log.jsonl",
        *(each.relative_to(run.directory).as_posix() for each in drawn),
    ])  # fmt: skip
    return path


def write_pdf(run: Run) -> Path:
    """Write `report.pdf` beside `report.html`, and return its path.

    Raises
    ------
    InputError
        The run has no findings yet, or the packages for it are not installed.
    """
    from slant.reports.pdf import report_on_paper

    told, meanings, path = about(run), meanings_of(run), run.path(PDF)
    known = remembered(run.directory)
    hashes = {name: known[name] for name in _RESTS_ON if name in known}
    sections = run.sections()
    findings = [finding for section in sections for finding in section.analysis.findings]
    seen = front(findings, meanings, told)
    path.write_bytes(_as_pdf(report_on_paper(run, sections, told, seen, meanings, hashes)))
    remember_files(run.directory, [PDF])
    return path


def _as_pdf(printed: Printed) -> bytes:
    """Print with Chromium where there is one, and otherwise, or where it fails, with reportlab."""
    from slant.reports.pdf_chromium import NotPrintedError, chromium, print_by_chromium
    from slant.reports.pdf_reportlab import set_by_reportlab

    if program := chromium():
        try:
            return print_by_chromium(printed, program)
        except NotPrintedError as error:
            printed.paragraph(f"Chromium did not print this document: {error}.", "Small")
    return set_by_reportlab(printed)


def meanings_of(run: Run) -> Meanings:
    """Load what differences mean in a run: its own file before the packaged one.

    Raises
    ------
    InputError
        The run's file is faulty.
    """
    own = run.path(MEANINGS)
    return load_meanings(own if own.exists() else None)


def notes_of(run: Run) -> dict[str, ModelNote]:
    """Give what the suite notes of the models of a run, by name."""
    return {note.name: note for note in run.config.model}


def keep_meanings(run: Run, file: Path) -> None:
    """Keep a copy of a file of meanings in a run, for all that is written of it from now on.

    Raises
    ------
    InputError
        The file is missing or faulty.
    """
    load_meanings(file)
    write_whole(run.path(MEANINGS), file.read_text(encoding="utf-8"))
    remember_files(run.directory, [MEANINGS])


class _Seen:
    """What the differences of a run rest on, read once however often the page is written."""

    def __init__(self, run: Run):
        self._asked = Asked(run)
        self._by_section: dict[int, dict[int, list[Observation]]] = {}

    def of(self, section: Section, number: int, most: int) -> dict[int, list[Observation]]:
        """Give what each difference of a section rests on, by the identity of the finding."""
        findings = section.analysis.findings
        if number not in self._by_section:
            sure = {id(finding) for finding in differences(findings)}
            self._by_section[number] = {
                place: observations(self._asked, section, finding, ROOMS[0].observations)
                for place, finding in enumerate(findings)
                if id(finding) in sure
            }
        own = self._by_section[number]
        return {id(findings[place]): found[:most] for place, found in own.items()}


def _view(
    section: Section, folder: Path, number: int, room: Room, seen: _Seen, meanings: Meanings
) -> SectionView:
    """Show a section, and let go of its tables."""
    view = section_view(section, f"s{number}", Drawings(section, folder), room, meanings)
    found = seen.of(section, number, room.observations)
    hurting = sum(each.sensitive for every in found.values() for each in every)
    view = replace(view, observations=found, sensitive=view.sensitive + hurting)
    bare = replace(section, analysis=replace(section.analysis, tables={}))
    return replace(view, section=bare)


def about(run: Run) -> About:
    """Gather what the report says about the run behind it."""
    config, environment = run.config, run.environment
    machine = {
        name: str(value)
        for name, value in environment.items()
        if name not in ("models", "packages", "slant")
    }
    models = environment.get("models", {})
    return About(
        title=config.title or config.name,
        suite=config.name,
        created=config.created.isoformat(),
        command=config.command,
        version=config.slant,
        method=config.method,
        seed=config.seed,
        environment={**machine, **environment.get("packages", {})},
        models={name: _described(model) for name, model in models.items()},
        counts=run.outcomes,
        larger=config.larger,
        incomplete=run.incomplete,
        audit=config.audit,
        changed=tuple(changed_files(run.directory, STATED)),
    )


def _described(model: Mapping[str, Any]) -> dict[str, Any]:
    """Give a model's fingerprint, and what turned out while it answered."""
    meanwhile = {name: model[name] for name in MEANWHILE if model.get(name)}
    return {**model["fingerprint"], **meanwhile}
