"""Which name or field the recognition of groups hangs on, and what to add more of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.studies.profiles.people import every_group
from slant.studies.profiles.telling_apart import view_of
from slant.studies.study import Figure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slant.studies.profiles.telling_apart import ToldApart

LEFT_OUT, VARIANCE = "recognition_left_out", "recognition_variance"
_SHOWN = 40
"""Names of a group that are left out one by one: those that matter most."""

_MORE = {
    "names": ("more names", "names of one group that differ"),
    "profiles": ("more runs, or more names", "having so few profiles of each name"),
}


def left_out_table(told: Sequence[ToldApart]) -> pl.DataFrame:
    """List how well groups are recognised with one name, or one field, left out.

    Returns
    -------
    polars.DataFrame
        `axis` (with the condition), `group`, `left_out` (`wording` for a name of the group;
        `prompt` for a field, of all groups together), `which`, `value` without it, and `all`, with
        everything: shares of profiles, less what chance would give.
    """
    names = ("axis", "group", "left_out", "which")
    schema: dict[str, pl.DataType] = {name: pl.String() for name in names}
    schema |= {"value": pl.Float64(), "all": pl.Float64()}
    rows = [row for each in told for row in (*_without_names(each), *_without_fields(each))]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _without_names(each: ToldApart) -> Iterator[tuple[str, str, str, str, float, float]]:
    cast, chance = each.cast, 1 / len(each.cast.groups)
    for code, group in enumerate(cast.groups):
        members = np.flatnonzero(cast.code == code)
        own = each.found.correct[members]
        mean = float(own.mean())
        for at in np.argsort(-np.abs(own - mean), kind="stable")[:_SHOWN].tolist():
            less = float(np.delete(own, at).mean())
            name = cast.names[members[at]]
            yield view_of(cast), group, "wording", name, less - chance, mean - chance


def _without_fields(each: ToldApart) -> Iterator[tuple[str, str, str, str, float, float]]:
    cast, found = each.cast, each.found
    whole = found.accuracy.value - 1 / len(cast.groups)
    for field, lost in found.importance.items():
        yield view_of(cast), every_group(cast.axis), "prompt", field, whole - lost.value, whole


def variance_table(told: Sequence[ToldApart]) -> pl.DataFrame:
    """Say what makes recognition unsure, as shares of its variance.

    Were profiles of a group recognised or not by luck alone, the share of a name's m profiles would
    vary by p(1 − p)/m; what names of one group vary beyond that is their own.

    Returns
    -------
    polars.DataFrame
        `group` (`names`, `profiles`), `value` (share of 1); empty where nothing varies.
    """
    total, luck = 0.0, 0.0
    for each in told:
        profiles = np.bincount(each.cast.who, minlength=len(each.cast.code))
        for code in range(len(each.cast.groups)):
            mine = each.cast.code == code
            own = each.found.correct[mine]
            total += float(own.var(ddof=1))
            luck += float(own.mean() * (1 - own.mean()) * (1 / profiles[mine]).mean())
    schema = {"group": pl.String, "value": pl.Float64}
    if not total > 0:
        return pl.DataFrame(schema=schema)
    share = min(luck / total, 1.0)
    return pl.DataFrame([("names", 1 - share), ("profiles", share)], schema=schema, orient="row")


def hangs_on(
    told: Sequence[ToldApart], condition: str
) -> tuple[dict[str, pl.DataFrame], list[Figure]]:
    """Say what the recognition of groups hangs on: tables, and pictures of one condition."""
    shown = [each for each in told if each.cast.condition == condition]
    if not shown:
        return {}, []
    variance = variance_table(shown)
    said = _advice(variance)
    drawn = [
        Figure(
            "left_out",
            "What it hangs on: recognition with one name of the group left out, or one field: "
            f"{view_of(each.cast)}. {said}".strip(),
            LEFT_OUT,
            {"axis": view_of(each.cast), "unit": "share", "wording": "names", "prompt": "fields",
             "what": "recognised beyond chance"},
        )
        for each in shown
    ]  # fmt: skip
    if not variance.is_empty():
        drawn.append(
            Figure("bars", "What makes recognition unsure: shares of its variance", VARIANCE,
                   {"unit": "share"})
        )  # fmt: skip
    return {LEFT_OUT: left_out_table(told), VARIANCE: variance}, drawn


def _advice(variance: pl.DataFrame) -> str:
    if variance.is_empty():
        return ""
    worst, share = max(variance.iter_rows(), key=lambda row: float(row[1]))
    more, where = _MORE[worst]
    return f"Add {more}: {share:.0%} of what makes this unsure comes from {where}."
