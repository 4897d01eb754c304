"""The report: one HTML file that needs nothing else and trusts nothing that a model said."""

from __future__ import annotations

import base64
import hashlib
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from slant.report.markdown import markdown
from slant.report.numbers import plain
from slant.report.palette import DARK, LIGHT, css
from slant.report.visible import one_line, visible
from slant.report.wording import OUTCOME_WORDS, outcome_words, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Environment

    from slant.report.about import About
    from slant.report.views import SectionView

_LONGEST = 20_000

_LEADS_ON_TOP = 3
"""So many sections show their first figure beside the verdict, the others in their own place."""


def render(views: Sequence[SectionView], about: About) -> str:
    """Write a report as one self-contained HTML file.

    The file loads nothing: its content security policy allows only its own script and style
    sheet. Every text is escaped, and whatever a reader could not see is written out.

    Parameters
    ----------
    views
        What each study concluded about each model, each with identifiers of its own.
    about
        The run behind it.
    """
    findings = [finding for view in views for finding in view.section.analysis.findings]
    style, script = _styles(), _asset("report.js")
    if any(view.graphs for view in views):
        style, script = style + _asset("graph.css"), script + _asset("graph.js")
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            about=about,
            created=_date(about.created),
            views=views,
            leads_on_top=_LEADS_ON_TOP,
            groups=len({(finding.axis, finding.group) for finding in findings}),
            sensitive=sum(view.sensitive for view in views),
            card=escape(markdown(findings)),
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            policy=_policy(style, script),
        )
    )


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("slant.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_seen,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        line=one_line,
        plain=_plain,
        svg=Markup,  # only ever given what `labelled` made
    )
    environment.globals.update(
        wording=wording, outcome_words=outcome_words, outcome_names=OUTCOME_WORDS
    )
    return environment


def _seen(value: Any) -> Any:
    """Make every text that enters the page visible, and none of them endless."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    if len(value) > _LONGEST:
        value = f"{value[:_LONGEST]}… (cut: {_LONGEST:,} of {len(value):,} characters are shown)"
    return visible(value)


def _plain(value: Any) -> str:
    """Write a value of a fingerprint or of the environment."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_plain(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value))
    if isinstance(value, float):
        return plain(value)
    return one_line(str(value), 400)


def _date(created: str) -> str:
    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return one_line(created)
    return f"{moment.day} {moment:%B %Y}"


def _styles() -> str:
    """Write the style sheet, with the palette that charts share."""
    light, dark = css(LIGHT), css(DARK)
    colours = (
        f":root{{color-scheme:light;{light}}}"
        f"@media screen and (prefers-color-scheme:dark){{"
        f":root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}"
    )
    return colours + _asset("report.css")


@cache
def _asset(name: str) -> str:
    return files("slant.report").joinpath("templates", name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
