"""The first screen: who is harmed, who is favoured, what was not seen, what was asked, how sure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.reports.families import by_family, count_tested, totals
from slant.reports.model_words import model_words
from slant.reports.null_words import smallest_detectable
from slant.reports.numbers import quantity
from slant.reports.safe_text import one_line
from slant.reports.told_first import MOST, told_first
from slant.reports.wording import is_with_itself, outcome_words, wording

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.meanings import Meanings
    from slant.records import Finding
    from slant.reports.about import About
    from slant.reports.told_first import Told, ToldFirst

_FAVOURED = 3
_REASONS = 3
_COVERAGE_FLOOR = 0.9


@dataclass(frozen=True)
class Front:
    """What stands on the first screen.

    Attributes
    ----------
    first
        All sure differences by what they mean.
    harms
        The worst, at most seven: harms, and what is unfavourable where there are fewer.
    favoured
        The strongest that favour somebody.
    further
        How many more groups and themes are told of as harms, unfavourable and favourable.
    unseen
        What could not be seen: too small, not measured, refused.
    asked
        What was asked of which model.
    relied
        How far this may be relied on.
    """

    first: ToldFirst
    harms: tuple[Told, ...]
    favoured: tuple[Told, ...]
    further: Mapping[str, int]
    unseen: tuple[str, ...]
    asked: tuple[str, ...]
    relied: tuple[str, ...]


def front(findings: Sequence[Finding], meanings: Meanings, about: About) -> Front:
    """Put the first screen together.

    Parameters
    ----------
    findings
        Of the whole run.
    meanings
        What differences mean.
    about
        The run.
    """
    first = told_first(findings, meanings)
    # What is told of the same group and theme as a harm, too, stands behind what is only good.
    favoured = tuple(sorted(first.favourable, key=lambda each: bool(each.against))[:_FAVOURED])
    harms = first.worse[:MOST]
    shown = {id(each) for each in harms}
    further = {
        "harms": sum(id(each) not in shown for each in first.harms),
        "unfavourable": sum(id(each) not in shown for each in first.unfavourable),
        "favourable": len(first.favourable) - len(favoured),
        "neutral": len(first.neutral),
        "control": len(first.control),
    }
    return Front(
        first, harms, favoured, further, _unseen(findings), _asked(findings, about),
        _relied(findings, about),
    )  # fmt: skip


def _unseen(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Say what was too small to be seen, by study, and what was not measured."""
    told = []
    for (_, _, metric), family in by_family(findings).items():
        compared = [f for f in family if f.contrast == "vs_rest" and f.value is not None]
        smallest = smallest_detectable(compared, family) if compared else None
        if smallest is not None and all(f.scale == "share" for f in compared):
            size = quantity(smallest, "share", signed=True).removeprefix("+")
            how_large = "of any size" if smallest >= 1 else f"under {size}"
            told.append(f"{wording(metric).name.lower()} {how_large}")
    lines = []
    if told:
        shown = list(dict.fromkeys(told))
        more = f" and {len(shown) - _REASONS} more" if len(shown) > _REASONS else ""
        lines.append(
            f"Differences too small for this many questions: {', '.join(shown[:_REASONS])}{more} "
            "(80% power)."
        )
    missing = [f for f in findings if f.value is None and not is_with_itself(f)]
    reasons = Counter(f.reason or "no reason was recorded" for f in missing)
    for reason, count in reasons.most_common(1):
        rest = len(missing) - count
        others = f"; {rest:,} more for other reasons" if rest else ""
        lines.append(f"Not measured ({count:,}): {one_line(reason, 160).rstrip('.')}{others}.")
    return tuple(lines)


def _asked(findings: Sequence[Finding], about: About) -> tuple[str, ...]:
    groups = {(f.axis, f.group) for f in findings if not f.is_control}
    studies = {f.study for f in findings}
    asked = sum(about.counts.values())
    lines = [
        (
            f"{asked:,} questions of {number(len(studies), 'study', 'studies')} about "
            f"{number(len(groups), 'group', 'groups')}; suite {one_line(about.suite, 60)}, method "
            f"{about.method}."
        )
    ]
    for name, printed in about.models.items():
        system = printed.get("system")
        held = f", with a system prompt (SHA-256 {one_line(str(system), 12)})" if system else ""
        lines.append(f"{model_words(name, printed)}{held or ', without a system prompt'}.")
    if about.audit.purpose:
        lines.append(f"Made to answer: {one_line(about.audit.purpose, 300)}")
    lines += [
        f"Left out: {one_line(each.what, 120)} ({one_line(each.why, 160)})."
        for each in about.audit.left_out[:_REASONS]
    ]
    return tuple(lines)


def _relied(findings: Sequence[Finding], about: About) -> tuple[str, ...]:
    lines = []
    if about.changed:
        names = ", ".join(one_line(name, 60) for name in about.changed)
        lines.append(f"Changed since slant wrote it: {names}. Do not rely on this.")
    if about.incomplete:
        lines.append("The run is not complete: every figure is provisional.")
    counts = dict(about.counts)
    asked = sum(counts.values())
    if asked and counts.get("answered", 0) / asked < _COVERAGE_FLOOR:
        lines.append(f"Of {asked:,} questions: {outcome_words(counts)}.")
    for study in dict.fromkeys(f.study for f in findings):
        own = [f for f in findings if f.study == study and not f.is_comparison]
        counted = totals(own)
        whole = sum(counted.values())
        if whole and counted["answered"] / whole < _COVERAGE_FLOOR:
            share = quantity(counted["answered"] / whole, "share")
            lines.append(f"{study}: only {share} answered.")
    tested = sum(map(count_tested, by_family(findings).values()))
    beyond = "chance and mere words give" if any(f.placebo for f in findings) else "chance gives"
    lines.append(
        f"{tested:,} comparisons were tested; sure means more than {beyond}, after adjusting for "
        "their number."
    )
    bare = dict.fromkeys(
        f.study for f in findings if f.is_comparison and f.is_sure and f.placebo is None
    )
    if bare:
        lines.append(
            f"Not held against groups that cannot matter (months, invented peoples): "
            f"{', '.join(one_line(study, 40) for study in bare)}. What is sure there may be due to "
            "the words that name a group, and not to the group."
        )
    lines.append("It holds for these prompts, groups and settings, on that day.")
    return tuple(lines)


def number(count: int, one: str, many: str) -> str:
    """Write a count and what is counted."""
    return f"{count:,} {one if count == 1 else many}"
