"""What a study could see of each of its measures, as its report says it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.records import VS_REST
from slant.reports.families import by_family
from slant.reports.null_words import smallest_detectable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding, Scale


@dataclass(frozen=True)
class Visible:
    """What a study can see of one measure.

    Attributes
    ----------
    metric, scale
        Which.
    difference
        The smallest difference of a group from the others that is found with 80% power.
    """

    metric: str
    scale: Scale
    difference: float


def visible(findings: Sequence[Finding], study: str) -> list[Visible]:
    """Say what a study could see of each of its measures."""
    found = []
    for (label, _, metric), family in by_family(findings).items():
        compared = [f for f in family if f.is_comparison and not f.is_control]
        rest = [f for f in compared if f.contrast == VS_REST] or compared
        measured = [f for f in rest if f.value is not None and f.q is not None]
        # Where nothing varies, nothing tells how much it might with fewer or more answers.
        if label != study or not any(f.value for f in family):
            continue
        smallest = smallest_detectable(measured, family) if measured else None
        if smallest is not None:
            found.append(Visible(metric, measured[0].scale, smallest))
    return found
