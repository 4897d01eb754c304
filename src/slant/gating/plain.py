"""A gate's result as JSON holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from slant.finding_file import finding_to_plain
from slant.gating.check import OUTCOMES

if TYPE_CHECKING:
    from slant.gating.check import Check, Gated

SCHEMA_VERSION = 1
"""Raised whenever a reader of the older form would misread it."""


def result_to_plain(result: Gated) -> dict[str, Any]:
    """Turn a result into what JSON can hold."""
    return {
        "schema_version": SCHEMA_VERSION,
        "status": result.status,
        "exit_code": result.exit_code,
        "policy": result.policy,
        "run": result.run,
        "baseline": result.baseline,
        "counts": {outcome: len(result.with_outcome(outcome)) for outcome in OUTCOMES},
        "remarks": list(result.remarks),
        "checks": [_check(check) for check in result.checks],
    }


def _check(check: Check) -> dict[str, Any]:
    waiver = check.waiver
    return {
        "rule": check.rule,
        "outcome": check.outcome,
        "status": check.status,
        "model": check.model,
        "about": check.about,
        "why": check.why,
        "waiver": None
        if waiver is None
        else {"reason": waiver.reason, "by": waiver.by, "expires": waiver.expires.isoformat()},
        "finding": None if check.finding is None else finding_to_plain(check.finding),
    }
