"""The bias card: one page of Markdown for a model card, whatever the size of the run."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from slant.engine.environment import MEANWHILE, short_hash
from slant.meanings import load_meanings
from slant.reports.audit_words import audit_words
from slant.reports.markdown import code, escaped, harms
from slant.reports.model_words import model_words
from slant.reports.overview import glance
from slant.reports.safe_text import one_line
from slant.reports.wording import outcome_words
from slant.signature import one_line as signature_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from slant.meanings import Meanings
    from slant.reports.about import About
    from slant.reports.overview import Overview
    from slant.studies.section import Section

_ROWS = 10
_NAMES = 12
_MODELS = 4
_REASONS = 4
_SIGNATURES = 4
_GROUPS = 24

LIMITS = """\
It shows what was asked, of this model, on that day; groups, languages and settings that were not \
asked about may differ. That no difference was found does not show that there is none: small ones \
need more questions. A difference between groups is a property of the answers; whether it harms \
depends on the use."""


def bias_card(sections: Sequence[Section], about: About, meanings: Meanings | None = None) -> str:
    """Sum a run up for a model card.

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
        Markdown, at most some 9,000 characters; empty if there are no sections.
    """
    if not sections:
        return ""
    seen = glance(sections, meanings)
    parts = [
        "## Bias audit",
        _asked(sections, about),
        "**Harms, the worst first:**\n\n" + harms(sections, meanings or load_meanings()),
        _summed(seen),
        _table(seen),
        _calm(seen),
        _missing(seen),
        f"**Limits.** {LIMITS}",
        "**Signatures** of the figures above:\n\n" + _signatures(seen) if seen.sure else "",
        f"**Repeat it** with slant {escaped(about.version)}:\n\n    {_command(about)}",
    ]
    if about.incomplete:
        parts.insert(1, f"**Not complete:** {escaped(one_line(about.incomplete, 300))}")
    return "\n\n".join(part for part in parts if part) + "\n"


def _asked(sections: Sequence[Section], about: About) -> str:
    names = [
        f"{escaped(model_words(name, printed))} (fingerprint `{_short(printed)}`)"
        for name, printed in list(about.models.items())[:_MODELS]
    ]
    more = len(about.models) - len(names)
    names += [f"{more} more"] if more > 0 else []
    every = (f for section in sections for f in section.analysis.findings)
    groups = {f.group: None for f in every if not f.is_control}
    how = f"{escaped(about.created[:10])}, method {escaped(about.method)}, seed {about.seed}"
    lines = [
        f"- **Model:** {', '.join(names) or 'not known'}",
        f"- **Asked:** suite {escaped(one_line(about.suite, 80))}, {how}",
        f"- **Questions:** {outcome_words(about.counts)}",
        f"- **Studies:** {_some(dict.fromkeys(s.label for s in sections), _NAMES)}",
        f"- **Groups ({len(groups)}):** {_some(groups, _GROUPS)}",
        *(
            f"- **{term}:** {escaped(one_line(words, 300))}"
            for term, words in audit_words(about)[:_NAMES]
        ),
    ]
    return "\n".join(lines)


def _short(printed: Mapping[str, Any]) -> str:
    """Shorten a fingerprint as signatures do, which do not hold what turned out meanwhile."""
    return short_hash({key: value for key, value in printed.items() if key not in MEANWHILE})


def _summed(seen: Overview) -> str:
    if not seen.tested:
        return "No comparison between groups was tested."
    if not seen.sure:
        return f"None of {seen.tested:,} comparisons is sure (q < .05)."
    often = ", ".join(f"{escaped(group)} ({count})" for group, count in seen.groups)
    return (
        f"**{seen.sure:,} of {seen.tested:,} comparisons are sure** "
        f"(q < .05), in {seen.differing} of {len(seen.studies)} studies. Most often about {often}."
    )


def _table(seen: Overview) -> str:
    rows = []
    turns = max((len(study.leans) for study in seen.studies), default=0)
    order = [
        (study, study.leans[turn])
        for turn in range(turns)
        for study in seen.studies
        if turn < len(study.leans)
    ][:_ROWS]
    for study, lean in sorted(order, key=lambda each: seen.studies.index(each[0])):
        cells = [
            escaped(seen.name_of(study)),
            escaped(lean.group),
            escaped(one_line(lean.what, 90)),
            f"{lean.words} {lean.value}",
            lean.interval,
            lean.support.replace("<", "&lt;"),
        ]
        rows.append("| " + " | ".join(cells) + " |")
    head = "| study | group | what | difference | 95% interval | how sure |"
    return "\n".join([head, "| --- | --- | --- | ---: | ---: | --- |", *rows]) if rows else ""


def _calm(seen: Overview) -> str:
    calm = {seen.name_of(s): None for s in seen.studies if s.tested and not s.sure}
    if not calm:
        return ""
    return f"**No sure difference** in {_some(calm, _NAMES)}."


def _missing(seen: Overview) -> str:
    reasons: Counter[str] = Counter()
    for study in seen.studies:
        for gap in study.gaps:
            reasons[f"{gap.what}: {gap.reason.rstrip('.')}"] += gap.count
    if not reasons:
        return ""
    told = [f"{escaped(why)} ({count:,})" for why, count in reasons.most_common(_REASONS)]
    more = len(reasons) - len(told)
    told += [f"{more} more reasons"] if more > 0 else []
    return f"**Could not be measured:** {'; '.join(told)}."


def _signatures(seen: Overview) -> str:
    leans = [lean for study in seen.studies for lean in study.leans]
    told = (lean.finding for lean in leans)
    different = list(dict.fromkeys(signature_line(f.signature) for f in told))
    lines = [f"- {code(one_line(each, 400))}" for each in different[:_SIGNATURES]]
    more = len(different) - len(lines)
    lines += [f"- {more} more in the report"] if more > 0 else []
    return "\n".join(lines)


def _command(about: About) -> str:
    return one_line(about.command, 400)


def _some(names: Iterable[str], most: int) -> str:
    names = list(names)
    told = [escaped(one_line(name, 60)) for name in names[:most] if name]
    more = len(names) - most
    return ", ".join(told) + (f" and {more} more" if more > 0 else "")
