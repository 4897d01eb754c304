"""Rules about how large a difference between groups may be."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from slant.gating.allowance import Allowance
from slant.gating.check import Check, about
from slant.gating.harmful import doubt, harmful_ways, judged, logs, worst_excess
from slant.reports.null_words import smallest_detectable
from slant.reports.numbers import interval_text, quantity, value_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.gating.check import Status
    from slant.gating.policy import Rule
    from slant.meanings import Meanings
    from slant.records import Finding


def judge_limit(rule: Rule, findings: Sequence[Finding], meanings: Meanings) -> list[Check]:
    """Judge every comparison that a limit is about.

    It fails if a difference is sure (`slant.records.is_sure`) and its 95% interval lies beyond the
    limit whole, unless what scored the texts leans as far by itself. It passes if the interval
    lies within, or if the run would have seen a difference as large as the rule says it must.
    Anything else is inconclusive.

    Parameters
    ----------
    rule
        The limit.
    findings
        All of one model.
    meanings
        What differences mean.
    """
    compared = [f for f in judged(rule, findings, meanings) if f.is_comparison]
    metrics = {(f.study, f.metric) for f in compared}
    compared = [f for f in compared if (f.study, f.restates) not in metrics]
    seen = _detectable(compared, findings)
    return [_judge(rule, f, seen[_family(f)], meanings) for f in compared]


def _family(finding: Finding) -> tuple[str, str, str]:
    return finding.study, finding.metric, finding.contrast


def _detectable(
    compared: Sequence[Finding], findings: Sequence[Finding]
) -> dict[tuple[str, str, str], float | None]:
    """Say how large a difference must be to be seen, by family, as the report says it."""
    own: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    families: dict[tuple[str, str, str], list[Finding]] = defaultdict(list)
    wanted = {_family(f) for f in compared}
    for finding in findings:
        own[finding.study, finding.metric].append(finding)
        if _family(finding) in wanted and finding.value is not None:
            families[_family(finding)].append(finding)
    return {key: smallest_detectable(families[key], own[key[:2]]) for key in wanted}


def _judge(rule: Rule, f: Finding, detectable: float | None, meanings: Meanings) -> Check:
    status, why = _rule_on(rule, f, detectable, meanings)
    return Check(rule.name, status, about(f), why, f.model, f)


def _rule_on(
    rule: Rule, f: Finding, detectable: float | None, meanings: Meanings
) -> tuple[Status, str]:
    if f.value is None:
        return "inconclusive", f"it could not be measured: {f.reason or 'no reason recorded'}"
    low, high, target = f.low, f.high, f.target or 0.0
    if f.scale == "ratio":
        low, high, target = logs(low), logs(high), logs(f.target or 1.0) or 0.0
    excess = worst_excess(harmful_ways(rule, f, meanings), low, high, target)
    if excess is None:
        return "inconclusive", "it has no interval"
    found, limit = f"{value_text(f)} ({interval_text(f)})", rule.at_most
    if excess.low > limit.amount:
        if f.is_within_ruler:
            own = quantity(f.ruler or 0.0, f.scale, signed=True)
            why = f"what scored the texts leans as far by itself: {own} between neutral sentences"
            return "inconclusive", f"{found} is beyond {limit}, but {why} about these groups"
        if f.is_sure:
            return "fail", f"{found}: all of the interval is beyond {limit}"
        return "inconclusive", f"{found} is beyond {limit}, but not sure: {doubt(f)}"
    if excess.high <= limit.amount:
        return "pass", f"{found}: all of the interval is within {limit}"
    if detectable is not None and detectable <= rule.seen.amount:
        seen = Allowance(detectable, f.scale)
        return "pass", f"{found}: not beyond {limit}, and the run could see {seen}"
    known = "is not known" if detectable is None else f"is {Allowance(detectable, f.scale)}"
    why = f"{found}: too small an audit: what it could see with 80% power {known}, and it must "
    return "inconclusive", f"{why}see {rule.seen}"
