"""How pages are written: everything that enters one is escaped, visible and not endless."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from slant.reports.glossary import with_terms
from slant.reports.numbers import plain
from slant.reports.palette import DARK, LIGHT, css
from slant.reports.safe_text import one_line, safe_text
from slant.reports.significance import own_significance
from slant.reports.wording import NO_HARM, OUTCOME_WORDS, outcome_words, wording
from slant.signature import one_line as signature_line

if TYPE_CHECKING:
    from jinja2 import Environment

_LONGEST = 20_000


@cache
def environment(*packages: str) -> Environment:
    """Make the environment of the report's templates.

    Parameters
    ----------
    packages
        Packages whose folder `templates` comes before the report's own.
    """
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    loaders = [PackageLoader(package, "templates") for package in (*packages, "slant.reports")]
    made = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_seen,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        line=one_line,
        signature_line=signature_line,
        plain=_plain,
        terms=with_terms,
        svg=Markup,  # only ever given what `labelled` made
    )
    made.globals.update(
        wording=wording,
        outcome_words=outcome_words,
        outcome_names=OUTCOME_WORDS,
        no_harm=NO_HARM,
        own_significance=own_significance,
    )
    return made


def written(template: str, **values: object) -> Markup:
    """Write a template of the report, which is a piece of a page."""
    # All that enters a template is escaped there.
    return Markup(environment().get_template(template).render(**values))  # noqa: S704


def _seen(value: Any) -> Any:
    """Make every text that enters the page visible, and none of them endless."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    if len(value) > _LONGEST:
        value = f"{value[:_LONGEST]}… (cut: {_LONGEST:,} of {len(value):,} characters are shown)"
    return safe_text(value)


def _plain(value: Any) -> str:
    """Write a value of a fingerprint or of the environment."""
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_plain(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value))
    if isinstance(value, float):
        return plain(value)
    return one_line(str(value), 400)


def styles() -> str:
    """Write the report's style sheet, with the palette that charts share."""
    light, dark = css(LIGHT), css(DARK)
    colours = (
        f":root{{color-scheme:light;{light}}}"
        f"@media screen and (prefers-color-scheme:dark){{"
        f":root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}"
    )
    return colours + asset("report.css")


@cache
def asset(name: str) -> str:
    """Read a file beside the report's templates."""
    return files("slant.reports").joinpath("templates", name).read_text(encoding="utf-8")
