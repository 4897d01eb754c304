"""A run as a Markdown document: what the page tells, for people and programs that read text."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from slant.meanings import load_meanings
from slant.reports.audit_words import audit_words
from slant.reports.markdown import code, escaped, harms, markdown
from slant.reports.overview import glance
from slant.reports.safe_text import one_line
from slant.reports.wording import is_with_itself, outcome_words, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.meanings import Meanings
    from slant.reports.about import About
    from slant.reports.overview import Overview, StudyOverview
    from slant.studies.section import Section

_LONGEST = 20_000


def document(sections: Sequence[Section], about: About, meanings: Meanings | None = None) -> str:
    """Write a run as a Markdown document.

    Parameters
    ----------
    sections
        What each study concluded about each model.
    about
        The run behind it.
    meanings
        What differences mean for people; the packaged ratings if not given.

    Returns
    -------
    str
        What leans at a glance; for every study the verdict and all findings in tables, what could
        not be measured, what to know before trusting the figures, and how it works; then what was
        asked of which model, and the command that repeats it.
    """
    blocks = [f"# {escaped(about.title)}", f"{escaped(about.created)} · {escaped(about.suite)}"]
    if about.incomplete:
        blocks.append(f"**Not complete, and so provisional:** {escaped(about.incomplete)}")
    blocks += ["## Who is harmed, and how", harms(sections, meanings or load_meanings())]
    blocks += _glance(glance(sections, meanings))
    for section in sections:
        blocks += _section(section)
    return "\n\n".join([*blocks, *_run(about)]) + "\n"


def _glance(seen: Overview) -> list[str]:
    if not seen.studies:
        return ["This run came to no finding."]
    lines = []
    for study in seen.studies:
        lines.append(f"- **{escaped(seen.name_of(study))}**: {_count(study)}")
        lines += [
            f"  - {lean.words}: {escaped(lean.group)}, {escaped(lean.what)}: {lean.value}"
            f"{f' ({lean.interval})' if lean.interval else ''}, "
            f"{lean.support.replace('<', '&lt;')}"
            for lean in study.leans
        ]
        lines += [
            f"  - not measured ({gap.count:,}): {escaped(gap.what)}: {escaped(gap.reason)}"
            for gap in study.gaps
        ]
    return ["## At a glance", "\n".join(lines)]


def _count(study: StudyOverview) -> str:
    if not study.tested:
        return "nothing was tested"
    return f"{study.sure or 'none'} of {study.tested:,} comparisons sure"


def _section(section: Section) -> list[str]:
    analysis = section.analysis
    blocks = [
        f"## {escaped(section.title)}",
        f"{escaped(section.label)} · {escaped(section.model)}",
        markdown(analysis.findings).rstrip("\n") or "This study came to no finding.",
    ]
    missing = [f for f in analysis.findings if f.value is None and not is_with_itself(f)]
    if missing:
        lines = [
            f"- {escaped(f.group)}, {escaped(wording(f.metric).name.lower())} "
            f"({escaped(f.contrast)}{', ' + escaped(f.condition) if f.condition else ''}): "
            f"{escaped(f.reason or 'no reason was recorded')} "
            f"n = {f.n:,}; {outcome_words(f.outcomes)}"
            for f in missing
        ]
        blocks += ["### What could not be measured", "\n".join(lines)]
    if analysis.notes:
        blocks += [
            "### Before you trust these numbers",
            "\n".join(f"- {escaped(note)}" for note in analysis.notes),
        ]
    blocks.append("### How it works, and what it cannot show")
    blocks += [_long(part) for part in section.method_text.split("\n\n") if part.strip()]
    return blocks


def _run(about: About) -> list[str]:
    lines = [
        f"- slant {escaped(about.version)}, method {escaped(about.method)}, seed {about.seed}",
        f"- questions: {outcome_words(about.counts)}",
    ]
    lines += [f"- {term}: {escaped(words)}" for term, words in audit_words(about)]
    for name, printed in about.models.items():
        lines.append(f"- {escaped(name)}")
        lines += [f"  - {escaped(key)}: {code(str(value))}" for key, value in printed.items()]
    lines += [f"- {escaped(key)}: {code(str(value))}" for key, value in about.environment.items()]
    blocks = [
        "## About this run",
        "\n".join(lines),
        f"Repeat it:\n\n    {one_line(about.command, 2000)}",
    ]
    if about.larger:
        larger = "\n".join(f"- {escaped(text)}" for text in about.larger)
        blocks += ["### What a larger suite adds", larger]
    return blocks


def _long(text: str) -> str:
    """Write a paragraph of any length."""
    return " ".join(map(escaped, textwrap.wrap(text[:_LONGEST], 500)))
