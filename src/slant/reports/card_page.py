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

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.meanings import Meanings
    from slant.reports.about import About
    from slant.reports.pictures import Picture
    from slant.studies.section import Section


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
            picture_of=_picture(sections, {id(finding) for finding in told[:1]}),
            style=Markup(style),  # noqa: S704 - our own file
            policy=policy(style, ""),
        )
    )


def _picture(sections: Sequence[Section], told: set[int]) -> Picture | None:
    """Draw the first figure of the study that the card tells of first."""
    for section in sections:
        if any(id(finding) in told for finding in section.analysis.findings):
            for place, figure in placed_figures(section)[:1]:
                return picture(figure, place, Drawings(section), "card", most=ROOMS[0].rows)
    return None
