"""What a run comes to in a few numbers: `summary.json`, so that lists need not read it all."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from slant.engine.conclusions import SUMMARY
from slant.reports.families import differences
from slant.whole_file import write_whole

if TYPE_CHECKING:
    from slant.engine.run import Run


@dataclass(frozen=True)
class Summary:
    """Counts of a run.

    Attributes
    ----------
    questions
        How many questions were asked.
    findings
        How many findings there are.
    differences
        How many of them are differences that are more than chance.
    unmeasured
        How many have no value.
    """

    questions: int
    findings: int
    differences: int
    unmeasured: int


def summary(run: Run) -> Summary:
    """Give a run's counts: those that are stored, or else counted now.

    Raises
    ------
    InputError
        The findings cannot be read.
    """
    try:
        stored = json.loads(run.path(SUMMARY).read_text(encoding="utf-8"))
        return Summary(**{name: int(value) for name, value in stored.items()})
    except (OSError, ValueError, RecursionError, ArithmeticError, TypeError, AttributeError):
        return counted(run)


def counted(run: Run) -> Summary:
    """Count what a run came to."""
    findings = run.finding_list()
    return Summary(
        questions=sum(run.outcomes.values()),
        findings=len(findings),
        differences=len(differences(findings)),
        unmeasured=sum(finding.value is None for finding in findings),
    )


def write_summary(run: Run) -> None:
    """Store a run's counts."""
    write_whole(run.path(SUMMARY), json.dumps(asdict(counted(run))) + "\n")
