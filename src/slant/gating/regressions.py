"""Rules about how much worse something may be than it was in a baseline."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from slant.gating.allowance import Allowance
from slant.gating.check import Check, about
from slant.gating.harmful import harmful_ways, judged, worst_excess
from slant.records import SURE
from slant.reports.numbers import quantity, span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.comparison.change import Change
    from slant.gating.check import Status
    from slant.gating.policy import Rule
    from slant.meanings import Meanings


def judge_regression(rule: Rule, changes: Sequence[Change], meanings: Meanings) -> list[Check]:
    """Judge every change that a rule is about: of comparisons, and of groups' own figures.

    It fails if a change for the worse is more than chance among all changes of its study, and its
    95% interval lies beyond the limit whole. It passes if the interval lies within, or if the two
    runs would have shown a change as large as the rule says they must. What a side lacks is not
    judged; what was not measured in the same way is inconclusive.

    Parameters
    ----------
    rule
        The rule.
    changes
        From the baseline to the run.
    meanings
        What differences mean.
    """
    by_finding = {id(change.second): change for change in changes if _on_both_sides(change)}
    seconds = [change.second for change in by_finding.values() if change.second is not None]
    return [
        Check(rule.name, *_rule_on(rule, by_finding[id(f)], meanings), f.model, f)
        for f in judged(rule, seconds, meanings)
    ]


def _on_both_sides(change: Change) -> bool:
    return change.first is not None and change.second is not None and change.first.value is not None


def _rule_on(rule: Rule, change: Change, meanings: Meanings) -> tuple[Status, str, str]:
    _, second = change.both
    what = about(second)
    if second.value is None:
        reason = second.reason or "no reason recorded"
        return "inconclusive", what, f"it could not be measured any more: {reason}"
    if change.caveats:
        fields = ", ".join(
            f"{each.words} ({each.first}, then {each.second})" for each in change.caveats
        )
        return "inconclusive", what, f"not the same measurement as in the baseline: {fields}"
    ways = harmful_ways(rule, second, meanings)
    excess = worst_excess(ways, change.low, change.high, 0.0)
    if excess is None or change.value is None or change.q is None:
        return "inconclusive", what, "a side has no interval: the change cannot be tested"
    limit, found = rule.at_most, _found(change)
    even = math.log(second.target or 1.0) if second.scale == "ratio" else second.target or 0.0
    now = math.log(second.value) if second.scale == "ratio" else second.value
    harm = max(way * (now - even) for way in ways)
    if excess.low > limit.amount:
        if second.is_comparison and harm <= limit.amount:
            return "pass", what, f"{found}: a favour that is gone, and no harm beyond {limit}"
        if change.q < SURE:
            return "fail", what, f"{found}: worse than the baseline by more than {limit}"
        return (
            "inconclusive",
            what,
            f"{found} is beyond {limit}, but q is {change.q:.2f} among all changes",
        )
    if excess.high <= limit.amount:
        return "pass", what, f"{found}: all of the interval is within {limit}"
    if change.detectable is not None and change.detectable <= rule.seen.amount:
        seen = Allowance(change.detectable, second.scale)
        return "pass", what, f"{found}: not beyond {limit}, and a change of {seen} had been seen"
    known = (
        "not known"
        if change.detectable is None
        else str(Allowance(change.detectable, second.scale))
    )
    why = f"{found}: too few answers: the smallest change that had been seen with 80% power is "
    return "inconclusive", what, f"{why}{known}, and {rule.seen} must be"


def _found(change: Change) -> str:
    """Write a change and its interval."""
    scale = change.shown.scale
    value, low, high = change.value or 0.0, change.low or 0.0, change.high or 0.0
    if scale == "ratio":
        value, low, high = math.exp(value), math.exp(low), math.exp(high)
        return f"change {quantity(value, scale)} times ({span(low, high, scale)})"
    fine = high - low < 0.05 and scale == "share"
    written = quantity(value, scale, signed=True, fine=fine)
    return f"change {written} ({span(low, high, scale, fine=fine)})"
