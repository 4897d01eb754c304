"""Where a finding stands against chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

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
    return "plain" if tested is None else own_significance(tested)


def own_significance(finding: Finding) -> Significance:
    """Say where a finding that was tested itself stands."""
    expected = finding.target if finding.chance is None else finding.chance.expected
    return place(finding.value, expected, None if finding.q is None else finding.is_sure)


def place(value: float | None, expected: float | None, sure: bool | None) -> Significance:
    """Say where a comparison stands, given what chance would give and whether it is sure.

    Parameters
    ----------
    value, expected
        The comparison, and what it would be by chance.
    sure
        As `slant.records.is_sure` says; `None` if it was not tested.
    """
    if value is None or sure is None:
        return "plain"
    if not sure:
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
