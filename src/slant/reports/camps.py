"""Groups that fall into two camps: told as one difference, and not as one of every group."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.records import VS_REST
from slant.stats.two_camps import two_camps

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from slant.records import Finding


@dataclass(frozen=True)
class Camps:
    """Two camps of groups, each with its differences from the median of the others.

    Attributes
    ----------
    upper, lower
        Those with the higher and with the lower values, in the order they came.
    """

    upper: tuple[Finding, ...]
    lower: tuple[Finding, ...]

    @property
    def leader(self) -> Finding:
        """The sure difference that stands for all: the one with the largest effect."""
        sure = [each for each in (*self.upper, *self.lower) if each.is_sure]
        return max(sure, key=lambda each: (abs(each.effect or 0.0), abs(each.value or 0.0)))


def camps_of(findings: Iterable[Finding]) -> Iterator[Camps]:
    """Find the comparisons of groups of one axis, in one metric and condition, that are two camps.

    Parameters
    ----------
    findings
        Of one study, model and metric.
    """
    compared: dict[tuple[str, str], list[Finding]] = defaultdict(list)
    groups: dict[str, set[str]] = defaultdict(set)
    for finding in findings:
        if finding.value is not None:
            groups[finding.axis].add(finding.group)
            if finding.contrast == VS_REST and finding.scale != "ratio":
                compared[finding.axis, finding.condition].append(finding)
    for (axis, _), own in compared.items():
        if sorted(each.group for each in own) == sorted(groups[axis]):  # else only some are told
            upper = two_camps([each.value or 0.0 for each in own], [each.is_sure for each in own])
            if upper is not None:
                pairs = list(zip(own, upper, strict=True))
                yield Camps(
                    tuple(each for each, above in pairs if above),
                    tuple(each for each, above in pairs if not above),
                )


def counted_once(sure: Sequence[Finding], family: Iterable[Finding]) -> list[Finding]:
    """Keep of each two camps the leader alone.

    Parameters
    ----------
    sure
        Sure differences of a study, model and metric.
    family
        All findings of these.
    """
    told_by_another = {
        id(each)
        for camps in camps_of(family)
        for each in (*camps.upper, *camps.lower)
        if each is not camps.leader
    }
    return [each for each in sure if id(each) not in told_by_another]


def camps_led_by(finding: Finding, family: Iterable[Finding]) -> Camps | None:
    """Give the two camps that a finding stands for, if it does."""
    return next((camps for camps in camps_of(family) if camps.leader is finding), None)
