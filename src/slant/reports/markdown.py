"""Findings as tables in GitHub-flavoured Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from slant.reports.families import totals
from slant.reports.numbers import (
    chance_text,
    interval_text,
    placebo_share_text,
    plain,
    probability,
    value_text,
)
from slant.reports.safe_text import one_line
from slant.reports.told_first import worst_lines
from slant.reports.verdict import verdicts
from slant.reports.wording import NO_HARM, is_with_itself, outcome_words, wording
from slant.signature import one_line as signature_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from slant.meanings import Meanings
    from slant.records import Finding
    from slant.reports.difference_words import Sentence
    from slant.studies.section import Section

_HEADER = (
    "| group | contrast | value [low, high] | n | chance | q | effect |\n"
    "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
)
_LONGEST = 600
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}
_MARKUP = re.compile(r"([\\`*_\[\]{}|~!$])")
_LINKS = re.compile(r"(?i)(https?|ftp)://|www\.|mailto:")


def harms(sections: Sequence[Section], meanings: Meanings) -> str:
    """List the worst differences of a run, or say that there is none."""
    findings = [finding for section in sections for finding in section.analysis.findings]
    return "\n".join(f"- {escaped(each)}" for each in worst_lines(findings, meanings)) or NO_HARM


def markdown(findings: Iterable[Finding]) -> str:
    """Write one table for each study, metric and model, beneath its verdict.

    Parameters
    ----------
    findings
        What to write, in this order; those with the rest compared come first within a table.

    Returns
    -------
    str
        Ends in a line feed; empty without findings. Names are escaped: they may come from a
        hostile file.
    """
    families: dict[tuple[str, str, str], list[Finding]] = {}
    for finding in findings:
        if is_with_itself(finding):
            continue
        key = finding.study, finding.model, finding.metric
        families.setdefault(key, []).append(finding)
    judged = verdicts(finding for family in families.values() for finding in family)
    sentences = {(v.study, v.model, v.metric): v.sentences for v in judged}
    blocks = []
    for (study, model, metric), family in families.items():
        blocks.append(f"### {escaped(wording(metric).name)}: {escaped(model)}")
        lines = [f"- {marked_sentence(s)}" for s, _ in sentences.get((study, model, metric), ())]
        if lines:
            blocks.append("\n".join(lines))
        blocks += [_table(family), _foot(study, family)]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _table(family: Sequence[Finding]) -> str:
    ordered = sorted(family, key=lambda f: (f.contrast != "vs_rest", f.is_comparison))
    return "\n".join([_HEADER, *map(_row, ordered)])


def _row(finding: Finding) -> str:
    interval = interval_text(finding).replace("–", ", ").replace(" to ", ", ")
    value = value_text(finding) + (f" [{interval}]" if interval else "")
    if finding.value is None:
        value = f"not measured: {escaped(finding.reason or 'no reason recorded')}"
    condition = f" ({finding.condition})" if finding.condition else ""
    q = (
        ""
        if finding.shown_q is None
        else probability("", finding.shown_q).strip().removeprefix("= ")
    )
    cells = [
        escaped(finding.group),
        escaped(finding.contrast + condition),
        value,
        f"{finding.n:,}",
        "; ".join(filter(None, (chance_text(finding), placebo_share_text(finding)))),
        q.replace("<", "&lt;").replace(">", "&gt;"),
        "" if finding.effect is None else plain(round(finding.effect, 2)),
    ]
    return "| " + " | ".join(cells) + " |"


def _foot(study: str, family: Sequence[Finding]) -> str:
    """Name the study, what became of the questions, and what the figures depend on."""
    own = [f for f in family if not f.is_comparison] or family
    counts = outcome_words(totals(own))
    signatures = ", ".join(dict.fromkeys(code(signature_line(f.signature)) for f in family))
    return f"<sub>{escaped(study)}: {counts}. {signatures}</sub>"


def marked_sentence(sentence: Sentence) -> str:
    """Write a sentence of the verdict, the group in bold."""
    parts = ((_unmarked(part.text), part.role) for part in sentence)
    return "".join(f"**{text}**" if role == "group" else text for text, role in parts)


def code(text: str) -> str:
    """Write text as code, from which it cannot break out."""
    return "`" + one_line(text, _LONGEST).replace("`", "'") + "`"


def escaped(text: str) -> str:
    """Write text on one line that no reader of Markdown takes for mark-up, HTML or a link."""
    return _unmarked(one_line(text, _LONGEST))


def _unmarked(text: str) -> str:
    """Keep text from being read as Markdown, as HTML or as a link."""
    text = re.sub("[&<>@]", lambda match: _ENTITIES[match[0]], text)
    text = _LINKS.sub(lambda match: match[0][:-1] + f"&#{ord(match[0][-1])};", text)
    return _MARKUP.sub(r"\\\1", text)
