"""Which way a difference would do harm, and between which bounds it lies that way."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from slant.records import SURE, VS_REST, too_few
from slant.reports.wording import is_with_itself

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from slant.gating.policy import Rule
    from slant.meanings import Meanings
    from slant.records import Finding


@dataclass(frozen=True, slots=True)
class Excess:
    """How far something lies beyond where it should be, on the side where that does harm.

    Attributes
    ----------
    low, high
        Ends of its 95% interval; a ratio's are logarithms.
    """

    low: float
    high: float


def judged(rule: Rule, findings: Iterable[Finding], meanings: Meanings) -> Iterator[Finding]:
    """List what a rule is about: what it selects, on its scale, that could do harm.

    Controls, a group compared with itself, and what only says again on another scale what is
    judged already are left out.
    """
    for finding in findings:
        if finding.is_control or is_with_itself(finding) or not rule.holds(finding):
            continue
        if finding.scale == rule.at_most.scale and harmful_ways(rule, finding, meanings):
            yield finding


def harmful_ways(rule: Rule, finding: Finding, meanings: Meanings) -> tuple[int, ...]:
    """Say which way a figure would be of the kinds that a rule is about: +1 for more, −1 for less.

    A group's own figure goes by what it would mean if the others had another.
    """
    contrast = finding.contrast if finding.is_comparison else VS_REST
    return tuple(
        way
        for way in (1, -1)
        if meanings.of(
            replace(finding, contrast=contrast, value=2.0**way if finding.scale == "ratio" else way)
        ).kind
        in rule.kinds
    )


def worst_excess(
    ways: Iterable[int], low: float | None, high: float | None, target: float
) -> Excess | None:
    """Turn an interval into how far it lies beyond a target, the way that is worst.

    Parameters
    ----------
    ways
        Which ways do harm.
    low, high
        The interval; `None` where there is none.
    target
        Where it should be, on the same scale.
    """
    if low is None or high is None or not (math.isfinite(low) and math.isfinite(high)):
        return None
    sides = [(low - target, high - target) if way > 0 else (target - high, target - low)
             for way in ways]  # fmt: skip
    return Excess(max(low for low, _ in sides), max(high for _, high in sides))


def logs(value: float | None) -> float | None:
    """Give the logarithm of a ratio; `None` where it has none."""
    return math.log(value) if value is not None and 0 < value < math.inf else None


def doubt(finding: Finding) -> str:
    """Say why a difference is not sure."""
    if too_few(finding.unit, finding.unit_count):
        return f"it rests on {finding.unit_count} {finding.unit} only"
    if finding.shown_q is None:
        return "it was not tested"
    if finding.shown_q >= SURE:
        return f"q is {finding.shown_q:.2f} among all that was tested"
    if not finding.beats_placebo:
        return "groups that cannot matter differ as much"
    return "its interval holds the value of a model that does not lean"
