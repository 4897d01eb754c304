"""Models beside each other: of every study that several were asked, pictures of all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from slant.reports.drawings import Drawings
from slant.reports.pictures import picture
from slant.reports.verdict import in_order, verdicts
from slant.reports.wording import wording
from slant.studies.study import Analysis, Figure

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slant.records import Finding
    from slant.reports.pictures import Picture
    from slant.studies.section import Section

_ROWS = 100
_MOST = 12
"""Studies that are shown so."""

_FIGURES = 24
"""Pictures of a study's own, of all studies together."""


def across_models(sections: Iterable[Section]) -> list[Picture]:
    """Draw what each study found about every model: one picture a study, and those of its own.

    The first shows the measure that the verdict tells first, compared as the verdict compares it.
    Models stand beside each other on one scale; whether they differ is no part of it.

    Parameters
    ----------
    sections
        What each study concluded about each model.

    Returns
    -------
    list of Picture
        None where only one model was asked.
    """
    several = _of_several(sections)
    drawn = [_picture(own, place) for place, own in enumerate(several[:_MOST], start=1)]
    asked = [pair for own in several for pair in figures_of_all(own)]
    for place, (together, figure) in enumerate(asked[:_FIGURES], start=_MOST + 1):
        drawn.append(_shown(figure, together, place))
    return [each for each in drawn if each is not None]


def figures_of_all(sections: Iterable[Section]) -> list[tuple[Section, Figure]]:
    """List the pictures of their own in which studies show all models of a run.

    Returns
    -------
    list of tuple
        What is drawn from, with the findings about all models, and the picture.
    """
    found = []
    for own in _of_several(sections):
        findings = [f for section in own for f in section.analysis.findings]
        found += [
            (replace(own[0], analysis=Analysis(findings, figures=[figure])), figure)
            for figure in own[0].analysis.beside
        ]
    return found


def _of_several(sections: Iterable[Section]) -> list[list[Section]]:
    by_study: dict[str, list[Section]] = {}
    for section in sections:
        by_study.setdefault(section.label, []).append(section)
    return [own for own in by_study.values() if len({each.model for each in own}) > 1]


def _picture(sections: list[Section], place: int) -> Picture | None:
    findings = [f for section in sections for f in section.analysis.findings]
    judged = in_order(verdicts(findings))
    metric = judged[0].metric if judged else ""
    shown = _alike([f for f in findings if f.metric == metric and f.value is not None])
    if len({f.model for f in shown}) < 2:
        return None
    name = f"{sections[0].label}: {wording(metric).name.lower()}, model by model"
    return _drawn(Figure("forest", name), sections[0], shown, place)


def _drawn(figure: Figure, first: Section, findings: list[Finding], place: int) -> Picture:
    return _shown(figure, replace(first, analysis=Analysis(findings, figures=[figure])), place)


def _shown(figure: Figure, together: Section, place: int) -> Picture:
    return picture(figure, place, Drawings(together), f"models-p{place}", most=_ROWS)


def _alike(findings: list[Finding]) -> list[Finding]:
    """Keep one contrast, that with the rest if there is one, under one condition."""
    contrasts = [f.contrast for f in findings]
    if not contrasts:
        return []
    contrast = "vs_rest" if "vs_rest" in contrasts else contrasts[0]
    own = [f for f in findings if f.contrast == contrast]
    first = max(own, key=lambda f: (not f.condition, abs(f.effect or f.value or 0.0)))
    return [f for f in own if f.condition == first.condition and f.axis == first.axis]
