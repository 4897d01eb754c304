"""A difference that is more than chance, in a sentence.

A sentence is a tuple of parts without any markup, so that each medium escapes and styles it in
its own way.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.reports.camps import camps_led_by
from slant.reports.numbers import (
    interval_text,
    placebo_share_text,
    probability,
    quantity,
    value_text,
)
from slant.reports.safe_text import one_line
from slant.reports.wording import reference, wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding
    from slant.reports.camps import Camps

ONE_WORDING = "Prompts with the word"
"""What a sentence begins with where a group had one name only: it is about that, and no more."""

NAME = 80


@dataclass(frozen=True)
class Part:
    """A piece of a sentence.

    Attributes
    ----------
    text
        Plain text on one line, with nothing hidden in it, but unescaped: it may name a group.
    role
        `group` is the name it is all about, `evidence` the numbers in support, `text` the rest.
    """

    text: str
    role: Literal["text", "group", "evidence"] = "text"


Sentence: TypeAlias = tuple[Part, ...]


def plain_sentence(sentence: Sentence) -> str:
    """Join the parts of a sentence."""
    return "".join(part.text for part in sentence)


def difference_sentence(finding: Finding, family: Sequence[Finding]) -> Sentence:
    """Tell a difference that is more than chance.

    Parameters
    ----------
    finding
        Which one.
    family
        All findings of the same study, model and metric, the group's own figure among them.
    """
    words = wording(finding.metric)
    camps = camps_led_by(finding, family)
    if camps is not None:
        return _camps_sentence(words.name, camps)
    own = _own(finding, family)
    whom = ONE_WORDING if finding.is_of_one_wording else words.whom
    about = Part(f"{whom} "), Part(one_line(finding.group, NAME), "group")
    where = f" (condition: {one_line(finding.condition, NAME)})" if finding.condition else ""
    evidence = Part(f"{estimate(finding)}, {support(finding)}.", "evidence")
    if not finding.is_comparison:
        lead = Part(" " + words.says.format(value=value_text(finding)))
        chance = "" if finding.chance is None else f"; by chance {finding.chance.expected:.2f}"
        known = f" ({interval_text(finding)}{chance}), {support(finding)}."
        return (*about, lead, Part(known, "evidence"))
    against = one_line(reference(finding.contrast), NAME)
    if words.leans:
        more = "more" if (finding.value or 0) > 0 else "less"
        condition = one_line(finding.condition, NAME)
        lean = words.leans.format(condition=condition, more=more, times=_times(finding.value))
        return (*about, Part(f" {lean} "), evidence)
    if own is None or own.value is None or finding.value is None:
        lead = Part(f" differ from {against} in {words.name.lower()}{where}: ")
        return (*about, lead, evidence)
    base = quantity(own.value - finding.value, own.scale, fine="." in value_text(own))
    return (
        *about,
        Part(" " + words.says.format(value=value_text(own))),
        Part(_bracketed(own), "evidence"),
        Part(f", against {base} for {against}{where}: "),
        evidence,
    )


def _camps_sentence(name: str, camps: Camps) -> Sentence:
    """Tell of two camps, by the group in them that leads."""
    first = camps.leader
    where = f" (condition: {one_line(first.condition, NAME)})" if first.condition else ""
    return (
        Part(f"{name}: two camps{where}. "),
        Part(_names(camps.upper), "group"),
        Part(" are higher than "),
        Part(_names(camps.lower), "group"),
        Part(", and there is nobody in the middle: "),
        Part(f"{one_line(first.group, NAME)} {estimate(first)}, {support(first)}.", "evidence"),
    )


def _names(findings: Sequence[Finding]) -> str:
    *most, last = (one_line(each.group, NAME) for each in findings)
    return f"{', '.join(most)} and {last}"


def _times(value: float | None) -> str:
    """Write what a log ratio means as a factor: `2.9 times`."""
    ratio = exp(min(abs(value or 0.0), 50.0))
    return f"{ratio:.2g} times" if ratio >= 10 else f"{ratio:.2f} times"


def _own(finding: Finding, family: Sequence[Finding]) -> Finding | None:
    for other in family:
        same = (other.axis, other.group, other.condition)
        mine = (finding.axis, finding.group, finding.condition)
        if same == mine and not other.is_comparison:
            return other
    return None


def estimate(finding: Finding) -> str:
    """Write the value with its interval."""
    return value_text(finding) + _bracketed(finding)


def _bracketed(finding: Finding) -> str:
    interval = interval_text(finding)
    return f" ({interval})" if interval else ""


def support(finding: Finding) -> str:
    """Write q, n, and what share of placebo differences it exceeds."""
    q = "" if finding.shown_q is None else probability("q", finding.shown_q) + ", "
    placebo = placebo_share_text(finding)
    return f"{q}n = {finding.n:,}" + (f", {placebo}" if placebo else "")
