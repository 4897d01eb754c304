"""The report as a PDF that can be printed, filed and signed: 8 to 12 pages of A4.

Contents, who is harmed with the sentences behind it, every sure difference, what each study found,
what could not be seen, how it was measured, limits, references, and what repeats it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from slant.meanings import KIND_WORDS
from slant.reports.audit_words import audit_words
from slant.reports.difference_words import plain_sentence
from slant.reports.families import differences
from slant.reports.figures import draw
from slant.reports.model_words import model_words
from slant.reports.numbers import interval_text, probability, value_text
from slant.reports.observations import Asked, observations
from slant.reports.overview import glance
from slant.reports.printed import Printed
from slant.reports.safe_text import one_line
from slant.reports.svg import png_of, svg_of
from slant.reports.verdict import in_order, told, verdicts
from slant.reports.views import placed_figures
from slant.reports.wording import NO_HARM, outcome_words, wording

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.engine.run import Run
    from slant.meanings import Meanings
    from slant.records import Finding
    from slant.reports.about import About
    from slant.reports.front import Front
    from slant.studies.section import Section

_SENTENCES = 2
_ROWS = 60
"""Differences in the table at most: about two pages."""

_TOLD = 5
_METHOD = 1_200
_REASONS = 5
_SOURCE = re.compile(r"Sources?: (.+)$", re.DOTALL)

LIMITS = """\
An audit shows what was asked, of this model, on that day. It cannot show that a model is fair: \
groups, languages, settings and uses that were not asked about may differ.
That no difference was found does not show that there is none: small ones need more questions.
What a difference would mean for people is rated, not measured; the ratings are a file, and \
docs/meanings.md says who made them.
The sentences shown as evidence were picked because they tell most. They are examples of a \
finding, and no fair picture of all answers."""


def report_on_paper(
    run: Run,
    sections: Sequence[Section],
    about: About,
    front: Front,
    meanings: Meanings,
    hashes: Mapping[str, str],
) -> Printed:
    """Say what the PDF of a run holds.

    Parameters
    ----------
    run, sections
        A run that has come to conclusions, and these.
    about, front
        What the report says about it, and its first screen.
    meanings
        What differences mean for people.
    hashes
        SHA-256 of files of the run, by name; they stand on the last page.
    """
    models = "; ".join(model_words(name, printed) for name, printed in about.models.items())
    pages = Printed(about.title, f"{about.created[:10]} · {about.suite} · {models}")
    _who(pages, about)
    pages.new_page()
    _harms(pages, run, sections, front)
    _rest_of_front(pages, front)
    pages.new_page()
    _differences(pages, sections, meanings)
    _studies(pages, sections, meanings)
    _unmeasured(pages, sections)
    _methods(pages, sections)
    pages.heading("Limits")
    pages.items(LIMITS.splitlines())
    _references(pages, sections)
    _repeat(pages, about, hashes)
    return pages


def _who(pages: Printed, about: About) -> None:
    said = audit_words(about)
    if said:
        pages.heading("Who asked, and what for")
        pages.table(["", ""], said, [0.25, 0.75])
    if about.incomplete:
        pages.paragraph(f"Not complete, and so provisional: {about.incomplete}")


def _harms(pages: Printed, run: Run, sections: Sequence[Section], front: Front) -> None:
    pages.heading("Who is harmed, and how")
    asked = Asked(run)
    places = {id(f): section for section in sections for f in section.analysis.findings}
    if not front.harms:
        pages.paragraph(NO_HARM)
    for each in front.harms:
        pages.heading(f"{each.group}: {each.theme or each.meaning.kind}", 2)
        pages.paragraph(plain_sentence(each.sentence))
        if each.standing:
            pages.paragraph(each.standing, "Small")
        elif each.against:
            pages.paragraph(f"{len(each.against)} further figures say the opposite.", "Small")
        section = places.get(id(each.finding))
        seen = [] if section is None else observations(asked, section, each.finding, _SENTENCES)
        for one in seen:
            for side in one.sides:
                text = "".join(part for part, _ in side.pieces)
                shown = f"{side.asked} … {text}" if side.asked else text
                pages.paragraph(f"{shown}{f'  ({side.figure})' if side.figure else ''}", "Sentence")
            if one.words:
                pages.paragraph(one.words, "Small")
    more = front.further
    if more["harms"] or more["unfavourable"]:
        pages.paragraph(
            f"{more['harms']} more harms and {more['unfavourable']} more unfavourable differences "
            "stand in the table of all sure differences."
        )


def _rest_of_front(pages: Printed, front: Front) -> None:
    pages.heading("Who is favoured")
    pages.items([plain_sentence(each.sentence) for each in front.favoured])
    if not front.favoured:
        pages.paragraph("Nobody for sure.")
    for title, lines in (
        ("What could not be seen", front.unseen),
        ("What was asked", front.asked),
        ("How far to rely on it", front.relied),
    ):
        pages.heading(title)
        pages.items(lines or ("Everything that was asked for was measured.",))


def _differences(pages: Printed, sections: Sequence[Section], meanings: Meanings) -> None:
    findings = [f for section in sections for f in section.analysis.findings]
    known = [(meanings.of(finding), finding) for finding in differences(findings)]
    known.sort(key=lambda each: each[0].rank)
    pages.heading("All sure differences, by what they mean")
    pages.paragraph(
        "Sure: q < .05 among all tests of the report, an interval that leaves out the target, and "
        "at least five prompts, scenes, chains, analogies or pairs."
    )
    rows = [
        [KIND_WORDS[meaning.kind], one_line(finding.group, 60), _what(finding),
         _number(finding), _sure(finding), one_line(finding.study, 30)]
        for meaning, finding in known[:_ROWS]
    ]  # fmt: skip
    head = ["meaning", "group", "what", "difference (95% interval)", "how sure", "study"]
    pages.table(head, rows, [0.13, 0.16, 0.27, 0.2, 0.14, 0.1])
    if not known:
        pages.paragraph("None: no comparison is sure.")
    if len(known) > _ROWS:
        pages.paragraph(f"{len(known) - _ROWS:,} more stand in findings.json.", "Small")


def _what(finding: Finding) -> str:
    name = wording(finding.metric).name.lower()
    return one_line(f"{finding.condition}: {name}" if finding.condition else name, 90)


def _number(finding: Finding) -> str:
    interval = interval_text(finding)
    return f"{value_text(finding)}{f' ({interval})' if interval else ''}"


def _sure(finding: Finding) -> str:
    q = "" if finding.shown_q is None else f"{probability('q', finding.shown_q)}, "
    return f"{q}n = {finding.n:,}"


def _studies(pages: Printed, sections: Sequence[Section], meanings: Meanings) -> None:
    pages.heading("What each study found")
    overview = {study.number: study for study in glance(sections).studies}
    for number, section in enumerate(sections):
        pages.heading(section.title, 2)
        seen = overview.get(number)
        if seen is not None and seen.tested:
            pages.paragraph(f"{seen.sure} of {seen.tested:,} comparisons are sure.")
        judged = in_order(verdicts(section.analysis.findings, meanings))
        lines = [
            plain_sentence(sentence)
            for verdict in judged[: told(judged)]
            for sentence, _ in verdict.sentences[:1]
        ]
        pages.items(lines[:_TOLD])
        if not lines:
            pages.paragraph("This study came to no finding.")
        if any(each.differs for each in judged) or any(each.telling for each in judged[:1]):
            _picture(pages, section)


def _picture(pages: Printed, section: Section) -> None:
    """Add the first picture of a study in which something is to be seen."""
    for _, figure in placed_figures(section)[:1]:
        title = one_line(figure.title, 240)
        try:
            pages.picture(png_of(svg_of(draw(figure, section))), title)
        except Exception as error:  # a plug-in's drawing may raise anything
            pages.paragraph(f"{title}: cannot be drawn ({type(error).__name__}).", "Small")


def _unmeasured(pages: Printed, sections: Sequence[Section]) -> None:
    gaps = [(study.label, gap) for study in glance(sections).studies for gap in study.gaps]
    pages.heading("What could not be measured")
    pages.items([
        f"{label}: {gap.what} ({gap.count:,}): {gap.reason}" for label, gap in gaps[:_REASONS * 3]
    ])  # fmt: skip
    if not gaps:
        pages.paragraph("Everything that was asked for was measured.")


def _methods(pages: Printed, sections: Sequence[Section]) -> None:
    pages.heading("Method")
    for study, text in _by_study(sections).items():
        pages.heading(study, 2)
        pages.paragraph(_whole_sentences(_SOURCE.sub("", text).strip()))


def _whole_sentences(text: str) -> str:
    """Keep the sentences at the beginning that have room, and say that there are more."""
    if len(text) <= _METHOD:
        return text
    kept = text[:_METHOD].rpartition(". ")[0] or text[:_METHOD]
    return f"{kept}. (More in report.html.)"


def _references(pages: Printed, sections: Sequence[Section]) -> None:
    pages.heading("References")
    found = [_SOURCE.search(text) for text in _by_study(sections).values()]
    pages.items(list(dict.fromkeys(" ".join(each[1].split()) for each in found if each)))
    pages.paragraph(
        "Statistics: docs/statistics.md; what a difference means: docs/meanings.md.", "Small"
    )


def _by_study(sections: Sequence[Section]) -> Mapping[str, str]:
    return {section.title: section.method_text for section in sections}


def _repeat(pages: Printed, about: About, hashes: Mapping[str, str]) -> None:
    pages.heading("What exactly was asked, and on what")
    pages.paragraph(f"Questions: {outcome_words(about.counts)}.")
    pages.paragraph(f"Repeat it with slant {about.version}, method {about.method}, seed "
                    f"{about.seed}: {one_line(about.command, 400)}")  # fmt: skip
    for name, printed in about.models.items():
        pages.heading(name, 2)
        rows = [(key, one_line(str(value), 200)) for key, value in printed.items()]
        pages.table(["fingerprint", ""], rows, [0.25, 0.75])
    rows = [(key, one_line(str(value), 120)) for key, value in about.environment.items()]
    pages.heading("Versions", 2)
    pages.table(["", ""], rows, [0.25, 0.75])
    pages.heading("Files of the run that this rests on", 2)
    pages.table(["file", "SHA-256"], list(hashes.items()), [0.25, 0.75])
