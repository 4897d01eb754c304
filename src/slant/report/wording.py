"""Plain words for the names that findings carry."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.records import OUTCOMES
from slant.report.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Finding

Unit: TypeAlias = Literal["share", "number", "ratio"]

_VERSUS = "vs:"
_SHARES = ("_rate", "_share")
_ODDS = "_odds_ratio"


@dataclass(frozen=True)
class Wording:
    """How a metric is spoken of.

    Attributes
    ----------
    name
        A heading.
    says
        What follows "Prompts about GROUP", with `{value}` for the figure.
    unit
        `share` for values between 0 and 1, shown in percent; `ratio` for those where 1 stands
        for no difference.
    whom
        What stands before the group's name at the beginning of a sentence.
    leans
        What follows the group's name in a comparison, with `{more}` (more or less) and
        `{condition}`; empty for the usual words.
    """

    name: str
    says: str
    unit: Unit
    whom: str = "Prompts about"
    leans: str = ""


@cache
def _known() -> dict[str, Wording]:
    text = files("slant.report").joinpath("wording.toml").read_text(encoding="utf-8")
    return {metric: Wording(**entry) for metric, entry in tomllib.loads(text).items()}


def wording(metric: str) -> Wording:
    """Find the words for a metric, or make them from its name."""
    if metric in _known():
        return _known()[metric]
    base = restated(metric)
    if base is not None:
        return Wording(f"{wording(base).name} as odds ratios", "have odds of {value}", "ratio")
    name = one_line(metric.replace("_", " "))
    says = "score {value} on “" + name.replace("{", "{{").replace("}", "}}") + "”"
    unit: Unit = "share" if metric.endswith(_SHARES) else "number"
    return Wording(name[:1].upper() + name[1:], says, unit)


def restated(metric: str) -> str | None:
    """Name the rate whose differences a metric only says again, as odds ratios."""
    return metric.removesuffix(_ODDS) + "_rate" if metric.endswith(_ODDS) else None


def is_comparison(contrast: str) -> bool:
    """Tell a comparison from a group's own figure."""
    return contrast == "vs_rest" or contrast.startswith(_VERSUS)


def is_difference(metric: str, contrast: str) -> bool:
    """Tell whether a figure is a difference, which has a sign, and not a ratio."""
    return is_comparison(contrast) and wording(metric).unit != "ratio"


def is_with_itself(finding: Finding) -> bool:
    """Tell whether a finding compares a group with itself, which says nothing."""
    return finding.contrast == _VERSUS + finding.group


def reference(contrast: str) -> str:
    """Say what a comparison compares with."""
    if contrast == "vs_rest":
        return "the median of the other groups"
    return contrast.removeprefix(_VERSUS)


def contrast_words(contrast: str, metric: str) -> str:
    """Say what a contrast shows, as a heading."""
    if is_difference(metric, contrast):
        return f"Difference from {reference(contrast)}"
    if is_comparison(contrast):
        return f"Odds ratio to {reference(contrast)}"
    return wording(metric).name


def scale_words(metric: str, contrast: str) -> str:
    """Say what a scale shows, along which findings are placed; shares are in percent."""
    words, comparison = wording(metric), is_comparison(contrast)
    if words.unit == "ratio":
        return "odds ratio"
    if words.unit == "share":
        return "percentage points" if comparison else f"{words.name.lower()}, %"
    return f"difference in {words.name.lower()}" if comparison else words.name.lower()


def outcome_words(counts: Mapping[str, int]) -> str:
    """Write the four outcomes with their counts."""
    return ", ".join(f"{counts.get(name, 0):,} {OUTCOME_WORDS[name]}" for name in OUTCOMES)


OUTCOME_WORDS = {
    "answered": "answered",
    "refused": "refused",
    "unparseable": "unparseable",
    "error": "failed",
}

DIRECTIONS = {
    "lower_is_better": "lower is better",
    "higher_is_better": "higher is better",
    "closer_to_target": "closer to the target is better",
}
