"""Plain words for the names that findings carry."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from slant.records import OUTCOMES, compared_with, is_comparison
from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Finding, Scale


@dataclass(frozen=True)
class Wording:
    """How a metric is spoken of.

    Attributes
    ----------
    name
        A heading.
    says
        What follows "Prompts about GROUP", with `{value}` for the figure.
    whom
        What stands before the group's name at the beginning of a sentence.
    leans
        What follows the group's name in a comparison, with `{more}` (more or less) and
        `{condition}`; empty for the usual words.
    """

    name: str
    says: str
    whom: str = "Prompts about"
    leans: str = ""


@cache
def _known() -> dict[str, Wording]:
    text = files("slant.reports").joinpath("wording.toml").read_text(encoding="utf-8")
    return {metric: Wording(**entry) for metric, entry in tomllib.loads(text).items()}


def wording(metric: str, restates: str = "") -> Wording:
    """Find the words for a metric, or make them from its name.

    Parameters
    ----------
    metric
        Its name.
    restates
        The metric whose differences it only says again, as odds ratios.
    """
    if metric in _known():
        return _known()[metric]
    if restates:
        return Wording(f"{wording(restates).name} as odds ratios", "have odds of {value}")
    name = one_line(metric.replace("_", " "))
    says = "score {value} on “" + name.replace("{", "{{").replace("}", "}}") + "”"
    return Wording(name[:1].upper() + name[1:], says)


def words_of(finding: Finding) -> Wording:
    """Find the words for what a finding measures."""
    return wording(finding.metric, finding.restates)


def is_difference(contrast: str, scale: Scale) -> bool:
    """Tell whether a figure is a difference, which has a sign, and not a ratio."""
    return is_comparison(contrast) and scale != "ratio"


def is_with_itself(finding: Finding) -> bool:
    """Tell whether a finding compares a group with itself, which says nothing."""
    return compared_with(finding.contrast) == finding.group


def reference(contrast: str) -> str:
    """Say what a comparison compares with."""
    return compared_with(contrast) or "the median of the other groups"


def contrast_words(contrast: str, metric: str, scale: Scale) -> str:
    """Say what a contrast shows, as a heading."""
    if is_difference(contrast, scale):
        return f"Difference from {reference(contrast)}"
    if is_comparison(contrast):
        return f"Odds ratio to {reference(contrast)}"
    return wording(metric).name


def heading_of(finding: Finding) -> str:
    """Say what a finding shows, as a heading."""
    return contrast_words(finding.contrast, finding.metric, finding.scale)


def scale_words(metric: str, contrast: str, scale: Scale) -> str:
    """Say what a scale shows, along which findings are placed; shares are in percent."""
    name, comparison = wording(metric).name.lower(), is_comparison(contrast)
    if scale == "ratio":
        return "odds ratio"
    if scale == "share":
        return "percentage points" if comparison else f"{name}, %"
    return f"difference in {name}" if comparison else name


def outcome_words(counts: Mapping[str, int]) -> str:
    """Write the four outcomes with their counts."""
    return ", ".join(f"{counts.get(name, 0):,} {OUTCOME_WORDS[name]}" for name in OUTCOMES)


OUTCOME_WORDS = {
    "answered": "answered",
    "refused": "refused",
    "unparseable": "unparseable",
    "error": "failed",
}

NO_HARM = "No difference that would harm anybody is sure."
"""What is said first of a run that has no harm to tell of."""

DIRECTIONS = {
    "lower_is_better": "lower is better",
    "higher_is_better": "higher is better",
    "closer_to_target": "closer to the target is better",
}
