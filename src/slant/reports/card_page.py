"""The bias card as a page: the first screen and one picture, in a file that needs nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from slant.meanings import load_meanings
from slant.reports.audit_words import audit_words
from slant.reports.bias_card import LIMITS
from slant.reports.drawings import Drawings
from slant.reports.environment import environment, styles
from slant.reports.families import differences
from slant.reports.front import front
from slant.reports.page import date_words, policy
from slant.reports.page_budget import ROOMS
from slant.reports.pictures import picture
from slant.reports.views import placed_figures
from slant.reports.wording import wording
from slant.studies.study import Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.meanings import Meanings
    from slant.records import Finding
    from slant.reports.about import About
    from slant.reports.pictures import Picture
    from slant.studies.section import Section


_FEW = 3
"""Fewer groups than this are no picture."""


def card_page(sections: Sequence[Section], about: About, meanings: Meanings | None = None) -> str:
    """Write the bias card as HTML: who is harmed, what was asked, and the picture of the worst.

    The file loads nothing and runs nothing; all of it prints on one or two pages.

    Parameters
    ----------
    sections
        What each study concluded about each model.
    about
        The run behind it.
    meanings
        What differences mean for people; the packaged ratings if not given.
    """
    findings = [finding for section in sections for finding in section.analysis.findings]
    style = styles()
    first = front(findings, meanings or load_meanings(), about)
    told = [each.finding for each in first.harms] or differences(findings)
    return (
        environment()
        .get_template("card.html.j2")
        .render(
            about=about,
            audit_words=audit_words(about),
            created=date_words(about.created),
            front=first,
            limits=LIMITS,
            picture_of=_picture(sections, told),
            style=Markup(style),  # noqa: S704 - our own file
            policy=policy(style, ""),
        )
    )


def _picture(sections: Sequence[Section], told: Sequence[Finding]) -> Picture | None:
    """Draw what the card tells first, beside all groups of which the same is known."""
    for finding in told[:1]:
        for section in sections:
            if any(each is finding for each in section.analysis.findings):
                figure = _of_all_groups(finding, section)
                return picture(figure, 1, Drawings(section), "card", most=ROOMS[0].rows)
    return None


def _of_all_groups(finding: Finding, section: Section) -> Figure:
    """Choose a forest of the figure, or the study's own picture where few groups have the figure.

    Of descriptors only the strongest are findings; the study's grid has all.
    """
    same = [
        each for each in section.analysis.findings
        if (each.metric, each.contrast, each.axis, each.condition)
        == (finding.metric, finding.contrast, finding.axis, finding.condition)
    ]  # fmt: skip
    if len(same) < _FEW and (placed := placed_figures(section)):
        return placed[0][1]
    name = wording(finding.metric).name
    options = {"metric": finding.metric, "contrast": finding.contrast, "axis": finding.axis}
    if finding.condition:
        options["condition"] = finding.condition
    title = f"{name}: {finding.condition}" if finding.condition else name
    return Figure("forest", title, options=options)
