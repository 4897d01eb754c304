"""Where a finding stands against chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from slant.reports.verdict import SIGNIFICANT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding

Significance: TypeAlias = Literal["above", "below", "within", "plain"]
"""More than chance, less than chance, possibly chance, or not tested."""

SIGNIFICANCE_WORDS: dict[Significance, str] = {
    "above": "▲ more",
    "below": "▼ less",
    "within": "could be chance",
    "plain": "not tested",
}


def significance(finding: Finding, family: Sequence[Finding]) -> Significance:
    """Say where a finding stands.

    A group's own figure tests nothing; it takes the significance of its comparison with the rest.

    Parameters
    ----------
    finding
        Which one.
    family
        Findings to look the comparison up in.
    """
    tested = finding if finding.is_comparison else _comparison(finding, family)
    if tested is None:
        return "plain"
    expected = tested.target if tested.chance is None else tested.chance.expected
    return place(tested.value, tested.q, expected)


def place(value: float | None, q: float | None, expected: float | None) -> Significance:
    """Say where a comparison stands, given its q-value and what chance would give."""
    if value is None or q is None:
        return "plain"
    if q >= SIGNIFICANT:
        return "within"
    return "above" if value > (expected or 0.0) else "below"


def same_subject(one: Finding, other: Finding) -> bool:
    """Tell whether two findings are about the same figure of the same group."""
    return _subject(one) == _subject(other)


def _subject(finding: Finding) -> tuple[str, ...]:
    f = finding
    return f.study, f.metric, f.model, f.axis, f.group, f.condition


def _comparison(finding: Finding, family: Sequence[Finding]) -> Finding | None:
    for other in family:
        if other.contrast == "vs_rest" and same_subject(other, finding):
            return other
    return None
