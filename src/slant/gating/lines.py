"""A gate's result as a terminal shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.reports.safe_text import one_line

if TYPE_CHECKING:
    from slant.gating.check import Check, Gated

VERDICTS = {
    "pass": "Passed",
    "fail": "Failed",
    "inconclusive": "Inconclusive: nothing failed, but the audit cannot rule it out",
}
_SHOWN = 8
_LONGEST = 400


def lines(result: Gated) -> list[str]:
    """Tell what came out: the verdict, what fails, what is inconclusive or waived, and remarks."""
    several = len({check.model for check in result.checks} - {""}) > 1
    told = [f"{headline(result)}."]
    for outcome in ("fail", "inconclusive", "waived"):
        found = result.with_outcome(outcome)
        told += [f"  {outcome}: {sentence(check, named=several)}" for check in found[:_SHOWN]]
        if len(found) > _SHOWN:
            told.append(f"  {outcome}: {len(found) - _SHOWN:,} more; --json has all")
    return told + [f"  note: {one_line(remark, _LONGEST)}" for remark in result.remarks]


def headline(result: Gated) -> str:
    """Say in a line what came out."""
    count = {name: len(result.with_outcome(name)) for name in ("fail", "inconclusive", "waived")}
    return (
        f"{VERDICTS[result.status]} by policy {one_line(result.policy, 80)}: "
        f"{len(result.checks):,} checks, {count['fail']:,} failed, {count['inconclusive']:,} "
        f"inconclusive, {count['waived']:,} waived"
    )


def sentence(check: Check, *, named: bool = False) -> str:
    """Tell one check.

    Parameters
    ----------
    check
        Which.
    named
        Whether to say of which model it is.
    """
    whose = f"{check.model}: " if named and check.model else ""
    waiver = check.waiver
    by = (
        ""
        if waiver is None
        else f" (waived by {waiver.by} until {waiver.expires}: {waiver.reason})"
    )
    return one_line(f"{check.rule}: {whose}{check.about}: {check.why}{by}", _LONGEST)
