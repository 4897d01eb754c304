"""How well groups are told apart by their profiles: findings and tables."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from slant.records import versus
from slant.stats.distinguishability import Distinguishability, Share, distinguishability
from slant.stats.name_means import NameMean, name_mean
from slant.studies.filing import Measured, Subject, adjusted, family_q, known
from slant.studies.profiles.metrics import (
    ACCURACY,
    IMPORTANCE,
    LEAVING_OUT,
    RECOGNITION,
    REQUEST,
    TELLING_APART,
)
from slant.studies.profiles.people import every_group

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding
    from slant.stats.profile_kernel import Field
    from slant.studies.filing import Filing
    from slant.studies.profiles.outcomes import Outcomes
    from slant.studies.profiles.people import Cast
    from slant.studies.profiles.schema import TraitField

_HOW = {"classifier": "kernel-ridge(1)", "cv": "names(5)"}

CONFUSION = pl.Schema(
    {
        "view": pl.String, "group": pl.String, "descriptor": pl.String, "share": pl.Float64,
        "value": pl.Float64, "p": pl.Float64, "q": pl.Float64, "effect": pl.Float64,
    }
)  # fmt: skip
IMPORTANCES = pl.Schema(
    {
        "axis": pl.String, "condition": pl.String, "field": pl.String, "value": pl.Float64,
        "low": pl.Float64, "high": pl.Float64, "p": pl.Float64, "q": pl.Float64,
    }
)  # fmt: skip


@dataclass(frozen=True)
class ToldApart:
    """A cast, and how well its groups are told apart."""

    cast: Cast
    found: Distinguishability


def tell_apart(
    casts: Sequence[Cast],
    fields: Sequence[TraitField],
    resamples: int,
    rng: np.random.Generator,
) -> list[ToldApart]:
    """Tell the groups of every cast apart."""
    return [
        ToldApart(
            each,
            distinguishability(
                _fields(each, fields), each.who, each.code, resamples=resamples, rng=rng
            ),
        )
        for each in casts
    ]


def _fields(each: Cast, fields: Sequence[TraitField]) -> dict[str, Field]:
    return {
        field.name: (field.kind, [profile.values.get(field.name) for profile in each.profiles])
        for field in fields
    }


def accuracy_findings(
    file: Filing, became: Outcomes, told: Sequence[ToldApart], resamples: int
) -> list[Finding]:
    """Give accuracies, and each group's share; a family of q-values each."""
    what = replace(
        TELLING_APART,
        effect_name="beyond_chance",
        how={**_HOW, "ci": "wilson(names)", "null": f"names({resamples},folds)"},
    )
    overall, by_group = [], []
    for each in told:
        cast, found = each.cast, each.found
        sure = replace(what, target=1 / len(cast.groups))
        whom = _whom(cast, every_group(cast.axis), became)
        names = np.bincount(cast.code, minlength=len(cast.groups))
        overall.append(file(sure, whom, _share(found.accuracy, len(cast.profiles), len(cast.code))))
        profiles = np.bincount(cast.code[cast.who], minlength=len(cast.groups))
        for place, (group, share) in enumerate(zip(cast.groups, found.groups, strict=True)):
            measured = _share(share, int(profiles[place]), int(names[place]))
            recognised = replace(sure, metric=RECOGNITION)
            by_group.append(file(recognised, _whom(cast, group, became), measured))
    return [*adjusted(overall, ACCURACY), *adjusted(by_group, RECOGNITION)]


def _whom(cast: Cast, group: str, became: Outcomes) -> Subject:
    return Subject(cast.axis, group, became[cast.condition], cast.condition)


def _share(share: Share, n: int, names: int) -> Measured:
    return Measured(
        share.value, share.low, share.high, n, names, p=share.p,
        effect=share.value - share.chance.expected, chance=share.chance,
    )  # fmt: skip


def request_findings(
    file: Filing, became: Outcomes, told: Sequence[ToldApart], first: str
) -> list[Finding]:
    """Say what each condition changes against the first, by names that have profiles in both."""
    base = {each.cast.axis: each for each in told if each.cast.condition == first}
    changes = [
        (each, _change(base[each.cast.axis], each))
        for each in told
        if each.cast.condition != first and each.cast.axis in base
    ]
    what = replace(
        TELLING_APART, metric=REQUEST, contrast=versus(first), kind="difference", target=0.0,
        how={**_HOW, "ci": "student(names,permuted)"},
    )  # fmt: skip
    nothing = "no group has two names with profiles in both conditions"
    found = []
    for each, (change, names) in changes:
        measured = Measured(n=names, unit_count=names, reason=nothing)
        if change is not None:
            measured = replace(measured, value=change.value, low=change.low, high=change.high,
                               p=change.p)  # fmt: skip
        whom = _whom(each.cast, every_group(each.cast.axis), became)
        found.append(file(what, whom, measured))
    return adjusted(found, REQUEST)


def _change(base: ToldApart, other: ToldApart) -> tuple[NameMean | None, int]:
    """Give the mean difference over groups, and the number of names it rests on."""
    before = dict(zip(base.cast.names, base.found.correct.tolist(), strict=True))
    by_group: dict[str, list[float]] = {}
    for name, code, right in zip(
        other.cast.names, other.cast.code, other.found.correct, strict=True
    ):
        if name in before:
            by_group.setdefault(other.cast.groups[code], []).append(float(right) - before[name])
    parts = [np.array(each) for each in by_group.values() if len(each) > 1]
    if not parts:
        return None, 0
    spread = math.hypot(base.found.spread, other.found.spread)
    return name_mean(parts, spread), sum(map(len, parts))


def importance_findings(
    file: Filing, became: Outcomes, told: Sequence[ToldApart]
) -> tuple[list[Finding], pl.DataFrame]:
    """Say by how much accuracy falls when a field is shuffled, and list it."""
    what = replace(
        LEAVING_OUT, how={**_HOW, "shuffled": "profiles(20)", "ci": "student(names,permuted)"}
    )
    findings = adjusted(
        [
            file(
                what,
                _whom(each.cast, name.rpartition(".")[2], became),
                Measured(item.value, item.low, item.high, len(each.cast.profiles),
                         len(each.cast.code), p=item.p),
            )
            for each in told
            for name, item in each.found.importance.items()
        ],
        IMPORTANCE,
    )  # fmt: skip
    table = [(f.axis, f.condition, f.group, f.value, f.low, f.high, f.p, f.q) for f in findings]
    return findings, pl.DataFrame(table, schema=IMPORTANCES, orient="row")


def confusion_table(told: Sequence[ToldApart]) -> pl.DataFrame:
    """List how often profiles of a group are assigned to a group, against chance.

    `value` is the share minus its mean when names are permuted, `effect` the same in standard
    deviations; q-values hold over the cells of a view.
    """
    rows = []
    for each in told:
        found = each.found
        q = family_q(found.confusion_p)
        difference = found.confusion - found.confusion_expected
        effect = np.divide(
            difference, found.confusion_spread, out=np.zeros_like(difference),
            where=found.confusion_spread > 0,
        )  # fmt: skip
        rows += [
            (
                view_of(each.cast), actual, assigned, float(found.confusion[i, j]),
                float(difference[i, j]), float(found.confusion_p[i, j]), known(q[i, j]),
                float(effect[i, j]),
            )
            for i, actual in enumerate(each.cast.groups)
            for j, assigned in enumerate(each.cast.groups)
        ]  # fmt: skip
    return pl.DataFrame(rows, schema=CONFUSION, orient="row")


def view_of(each: Cast) -> str:
    """Name a cast in tables that hold several."""
    return f"{each.axis} · {each.condition}"
