"""The report: one HTML file that needs nothing else and trusts nothing that a model said."""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from slant.meanings import load_meanings
from slant.reports.audit_words import audit_words
from slant.reports.bias_card import bias_card
from slant.reports.environment import asset, environment, styles
from slant.reports.front import front
from slant.reports.glossary import glossary
from slant.reports.overview import glance
from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from slant.meanings import Meanings
    from slant.records import Finding
    from slant.reports.about import About
    from slant.reports.association_view import AssociationsView
    from slant.reports.model_view import ModelsView
    from slant.reports.observations import Observation
    from slant.reports.pictures import Picture
    from slant.reports.views import SectionView


def render(
    views: Sequence[SectionView],
    about: About,
    beside: Sequence[Picture] = (),
    meanings: Meanings | None = None,
    together: AssociationsView | None = None,
    models: ModelsView | None = None,
) -> str:
    """Write a report as one self-contained HTML file.

    The file loads nothing: its content security policy allows only its own script and style
    sheet. Every text is escaped, and whatever a reader could not see is written out.

    Parameters
    ----------
    views
        What each study concluded about each model, each with identifiers of its own.
    about
        The run behind it.
    beside
        Pictures of several models (`across_models`).
    meanings
        What differences mean for people; the packaged ratings if not given.
    together
        What several measures say about the same groups and themes.
    models
        How several models lean.
    """
    meanings = meanings or load_meanings()
    sections = [view.section for view in views]
    findings = [finding for section in sections for finding in section.analysis.findings]
    style, script = styles(), asset("report.js")
    for name in dict.fromkeys(name for view in views for name in view.assets):
        style, script = style + asset(f"{name}.css"), script + asset(f"{name}.js")
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            about=about,
            audit_words=audit_words(about),
            created=date_words(about.created),
            views=views,
            beside=beside,
            together=together,
            models=models,
            glance=glance(sections, meanings),
            front=front(findings, meanings, about),
            evidence=_evidence(views),
            observed=_observed(views),
            meant=meanings.of,
            glossary=glossary(),
            groups=len({(each.axis, each.group) for each in findings if not each.is_control}),
            sensitive=sum(view.sensitive for view in views),
            card=escape(bias_card(sections, about, meanings)),
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            policy=policy(style, script),
            place=lambda number: f"#{views[number].name}",
        )
    )


def date_words(created: str) -> str:
    """Write the day of a moment as people do, or what stands there if it is none."""
    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return one_line(created)
    return f"{moment.day} {moment:%B %Y}"


def policy(style: str, script: str) -> str:
    """Write the content security policy of a page that holds one style sheet and one script."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _observed(views: Sequence[SectionView]) -> Callable[[Finding], Sequence[Observation]]:
    """Give what a finding rests on, as far as that is in the page."""
    seen = {key: each for view in views for key, each in view.observations.items()}
    return lambda finding: seen.get(id(finding), ())


def _evidence(views: Sequence[SectionView]) -> Callable[[Finding], str]:
    """Tell where in the page a finding is unfolded: its card, or else its study."""
    places = {id(f): view.name for view in views for f in view.section.analysis.findings}
    places |= {id(card.finding): card.name for view in views for card in view.cards()}
    return lambda finding: f"#{places[id(finding)]}"
