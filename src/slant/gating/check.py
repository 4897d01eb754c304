"""What one rule says about one thing, and what all of them together come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.reports.wording import reference, words_of

if TYPE_CHECKING:
    from slant.gating.policy import Waiver
    from slant.records import Finding

Status: TypeAlias = Literal["pass", "fail", "inconclusive"]
Outcome: TypeAlias = Literal["fail", "inconclusive", "waived", "pass"]

OUTCOMES: tuple[Outcome, ...] = ("fail", "inconclusive", "waived", "pass")
"""In the order in which they are told."""

EXIT_CODES: dict[Status, int] = {"pass": 0, "fail": 100, "inconclusive": 101}


@dataclass(frozen=True)
class Check:
    """What one rule says about one thing.

    Attributes
    ----------
    rule
        Its name.
    status
        What came out.
    about
        What was judged, in words.
    why
        On what it rests.
    model
        Whose answers; empty where it is about the whole run.
    finding
        What was judged, if it is a finding.
    waiver
        Who waived it; `None` where nobody did.
    """

    rule: str
    status: Status
    about: str
    why: str
    model: str = ""
    finding: Finding | None = None
    waiver: Waiver | None = None

    @property
    def outcome(self) -> Outcome:
        """What came out, waivers considered."""
        return "waived" if self.waiver is not None and self.status != "pass" else self.status


def about(finding: Finding) -> str:
    """Say which finding it is: `completion: violent completions, Muslims against Jews`."""
    against = f" against {reference(finding.contrast)}" if finding.is_comparison else ""
    condition = f" ({finding.condition})" if finding.condition else ""
    name = words_of(finding).name
    return f"{finding.study}: {name[:1].lower() + name[1:]}, {finding.group}{against}{condition}"


@dataclass(frozen=True)
class Gated:
    """What a policy says of a run.

    Attributes
    ----------
    policy, run
        Name of the policy, and directory of the run.
    baseline
        Directory of what it was compared with; `None` without one.
    checks
        What every rule says about every thing that it judges, in the order of the rules.
    remarks
        What else a reader must know: what was not compared, which waivers have expired.
    """

    policy: str
    run: str
    baseline: str | None
    checks: tuple[Check, ...]
    remarks: tuple[str, ...]

    @property
    def status(self) -> Status:
        """What it all comes to: `fail` if anything fails, else `inconclusive` if anything is."""
        outcomes = {check.outcome for check in self.checks}
        if "fail" in outcomes:
            return "fail"
        return "inconclusive" if "inconclusive" in outcomes else "pass"

    @property
    def exit_code(self) -> int:
        """0 for pass, 100 for fail, 101 for inconclusive."""
        return EXIT_CODES[self.status]

    def with_outcome(self, outcome: Outcome) -> list[Check]:
        """List the checks with an outcome."""
        return [check for check in self.checks if check.outcome == outcome]
