"""A policy, judged on a run and what it is compared with."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from slant.comparison.compare import compare
from slant.comparison.side import paired_sides
from slant.errors import InputError
from slant.gating.baseline import compared_remarks
from slant.gating.check import Check, Gated
from slant.gating.floors import coverage_remarks, judge_floors
from slant.gating.limits import judge_limit
from slant.gating.regressions import judge_regression
from slant.reports.write import meanings_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.comparison.compare import Comparison
    from slant.comparison.side import Side
    from slant.gating.policy import Policy, Waiver
    from slant.meanings import Meanings


def gate(
    sides: Sequence[Side],
    policy: Policy,
    baseline: Sequence[Side] | None = None,
    today: date | None = None,
) -> Gated:
    """Judge a policy.

    Parameters
    ----------
    sides
        Models of the run that is judged.
    policy
        The rules.
    baseline
        Models of what it is compared with.
    today
        By which waivers expire; the day in UTC when left out.

    Raises
    ------
    InputError
        The policy names what was not measured, needs a baseline and has none, or the baseline is
        incomplete or shares nothing with the run.
    """
    policy.check_baseline(given=baseline is not None)
    findings = [finding for side in sides for finding in side.findings]
    before = [finding for side in baseline or () for finding in side.findings]
    policy.check_names([*findings, *before])
    run, content = sides[0].run, policy.content
    meanings = meanings_of(run)
    models = {side.model for side in sides}
    pairs: list[Comparison] = []
    checks = [*_complete(sides), *judge_floors(content.floor, run, models, "the run")]
    if baseline is not None:
        pairs = [compare(*pair) for pair in _matched(baseline, sides)]
        others = {side.model for side in baseline}
        checks += judge_floors(content.floor, baseline[0].run, others, "the baseline")
    for rule in content.limit:
        found = [c for side in sides for c in judge_limit(rule, side.findings, meanings)]
        checks += found or [_nothing(rule.name)]
    for rule in content.regression:
        found = [c for pair in pairs for c in judge_regression(rule, pair.changes, meanings)]
        checks += found or [_nothing(rule.name)]
    day = today or datetime.now(UTC).date()
    waived, remarks = _waive(checks, content.waiver, day)
    remarks = [
        *compared_remarks(pairs, sides), *coverage_remarks(pairs),
        *_unjudged(checks, sides, policy, meanings), *remarks,
    ]  # fmt: skip
    other = None if baseline is None else str(baseline[0].run.directory)
    return Gated(content.name, str(run.directory), other, tuple(waived), tuple(remarks))


def _matched(baseline: Sequence[Side], sides: Sequence[Side]) -> list[tuple[Side, Side]]:
    """Pair the models of baseline and run.

    Raises
    ------
    InputError
        They have nothing in common, or the baseline is incomplete.
    """
    run = baseline[0].run
    if why := run.incomplete:
        raise InputError(
            f"the baseline {run.directory} is not complete: {why}. Ask again what it lacks with "
            f"`slant resume {run.directory}`, or name another"
        )
    return paired_sides([baseline, sides])


def _complete(sides: Sequence[Side]) -> list[Check]:
    why = sides[0].run.incomplete
    said = f"it is not complete: {why}"
    return [Check("complete", "inconclusive", "the run", said)] if why else []


def _nothing(rule: str) -> Check:
    return Check(
        rule, "inconclusive", "the run",
        "nothing that was measured is of the kinds, on the scale and of the names that this rule "
        "is about",
    )  # fmt: skip


def _waive(
    checks: Sequence[Check], waivers: Sequence[Waiver], today: date
) -> tuple[list[Check], list[str]]:
    """Attach waivers to what they are about, and say which have expired or are of no use."""
    remarks = [
        f"the waiver of {each.rule!r} by {each.by} expired on {each.expires}: it waives nothing"
        for each in waivers
        if each.expires < today
    ]
    valid = [each for each in waivers if each.expires >= today]
    used: set[int] = set()
    waived = []
    for check in checks:
        number = next((n for n, each in enumerate(valid) if _is_about(each, check)), None)
        if number is not None and check.status != "pass":
            used.add(number)
            check = replace(check, waiver=valid[number])
        waived.append(check)
    remarks += [
        f"the waiver of {each.rule!r} by {each.by} is not needed: what it is about does not fail"
        for number, each in enumerate(valid)
        if number not in used
    ]
    return waived, remarks


def _is_about(waiver: Waiver, check: Check) -> bool:
    if waiver.rule != check.rule:
        return False
    return waiver.is_empty if check.finding is None else waiver.holds(check.finding)


def _unjudged(
    checks: Sequence[Check], sides: Sequence[Side], policy: Policy, meanings: Meanings
) -> list[str]:
    """Say which sure harms no rule judged: their scale is another, or a rule selects others."""
    if not policy.content.limit:
        return []
    judged = {id(check.finding) for check in checks}
    metrics = {(f.study, f.model, f.metric) for side in sides for f in side.findings}
    left = [
        f
        for side in sides
        for f in side.findings
        if f.is_sure
        and not f.is_control
        and id(f) not in judged
        and (f.study, f.model, f.restates) not in metrics
        and meanings.of(f).kind == "harm"
    ]
    if not left:
        return []
    names = ", ".join(dict.fromkeys(f"{f.metric} ({f.scale})" for f in left))
    harms = "1 sure harm is" if len(left) == 1 else f"{len(left):,} sure harms are"
    return [f"{harms} judged by no rule: {names}"]
