"""Findings of any study whose groups are measured on the same units: sentences, pairs, scenes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.records import VS_REST
from slant.studies.filing import Measured, adjusted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding
    from slant.stats.inference import GroupMeans
    from slant.studies.filing import Filing, Quantity, Subject

RESAMPLES = 10_000


def difference_from_rest(own: Quantity, *, paired: bool = True) -> Quantity:
    """Say how means over units are compared: with the median of the other groups' means."""
    return own.against(
        VS_REST,
        effect_name="cohen_d_paired" if paired else "cohen_d",
        null=f"permutation({RESAMPLES},{own.unit})",
    )


def mean_of(result: GroupMeans, row: int, n: int, units: int) -> Measured:
    """Give a group's own mean."""
    return Measured(*result.own.ends(row), n=n, unit_count=units)


def difference_of(result: GroupMeans, row: int, n: int, units: int) -> Measured:
    """Give a group's difference from the others."""
    rest = result.vs_rest
    return Measured(
        *rest.ends(row), n=n, unit_count=units,
        p=rest.p[row], effect=result.effect[row], chance=rest.chance[row],
    )  # fmt: skip


def blocked_findings(
    file: Filing, own: Quantity, groups: Sequence[Subject], result: GroupMeans, units: int
) -> list[Finding]:
    """Give the groups' means, then their differences from the others, a family of q-values.

    Parameters
    ----------
    own
        What the mean is.
    groups
        In the order of the result.
    result
        Of comparing them.
    units
        How many units they have in common.
    """
    compared = difference_from_rest(own)
    means = [file(own, whom, mean_of(result, row, units, units)) for row, whom in enumerate(groups)]
    differences = [
        file(compared, whom, difference_of(result, row, units, units))
        for row, whom in enumerate(groups)
    ]
    return [*means, *adjusted(differences, f"{own.metric} {VS_REST}")]
