"""Findings of one study, model and metric: which of them are compared, and which differ."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from slant.records import OUTCOMES
from slant.reports.camps import counted_once

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from slant.records import Finding


def by_family(
    findings: Iterable[Finding],
) -> dict[tuple[str, str, str], list[Finding]]:
    """Put together what is about one study, model and metric, without what is only said again."""
    families: dict[tuple[str, str, str], list[Finding]] = defaultdict(list)
    for finding in findings:
        families[finding.study, finding.model, finding.metric].append(finding)
    return {key: family for key, family in families.items() if not _is_repeated(key, families)}


def _is_repeated(
    key: tuple[str, str, str], families: Mapping[tuple[str, str, str], Sequence[Finding]]
) -> bool:
    study, model, _ = key
    return any(
        each.restates and (study, model, each.restates) in families for each in families[key]
    )


def compared_in(family: Sequence[Finding]) -> list[Finding]:
    """Pick what a verdict judges: comparisons with the rest, else any, else tested figures."""
    compared = [f for f in family if f.contrast == "vs_rest"]
    compared = compared or [f for f in family if f.is_comparison]
    return compared or [f for f in family if f.q is not None]


def count_tested(family: Sequence[Finding]) -> int:
    """Count the comparisons that a verdict judges and that have a test."""
    return sum(f.q is not None and f.value is not None for f in compared_in(family))


def differing_in(family: Sequence[Finding]) -> list[Finding]:
    """Pick what is more than chance of that, two camps as one difference; largest effect first."""
    sure = [f for f in compared_in(family) if f.value is not None and is_significant(f)]
    return ranked(counted_once(sure, family))


def differences(findings: Iterable[Finding]) -> list[Finding]:
    """List what is more than chance, largest effect first, each difference once.

    Of every study, model and metric, the same comparisons count as for its verdict.
    """
    return ranked(f for family in by_family(findings).values() for f in differing_in(family))


def is_significant(finding: Finding) -> bool:
    """Tell whether a finding is more than chance would give."""
    return finding.is_sure


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings by the size of their effect, largest first; those without a value last."""
    return sorted(findings, key=_rank)


def _rank(finding: Finding) -> tuple[bool, float, float]:
    value = abs(finding.value or 0.0)
    return finding.value is None, -abs(finding.effect or 0.0), -value


def totals(findings: Iterable[Finding]) -> dict[str, int]:
    """Add up outcomes."""
    counts = dict.fromkeys(OUTCOMES, 0)
    for finding in findings:
        for outcome in OUTCOMES:
            counts[outcome] += finding.outcomes.get(outcome, 0)
    return {str(outcome): count for outcome, count in counts.items()}
