"""How well groups are told apart by their profiles: findings and tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
from scipy.stats import t as student

from slant.stats import benjamini_hochberg
from slant.stats.distinguishability import Distinguishability, distinguishability
from slant.studies.profiles.filing import ACCURACY, IMPORTANCE, RECOGNITION, REQUEST, known
from slant.studies.profiles.people import every_group

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.records import Finding
    from slant.stats.profile_kernel import Field
    from slant.studies.profiles.filing import Filing
    from slant.studies.profiles.people import Cast
    from slant.studies.profiles.schema import TraitField

_HOW = "classifier:kernel-ridge(1)|cv:names(5)"

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
class Told:
    """A cast, and how well its groups are told apart."""

    cast: Cast
    found: Distinguishability


def tell_apart(
    casts: Sequence[Cast],
    fields: Sequence[TraitField],
    resamples: int,
    rng: np.random.Generator,
) -> list[Told]:
    """Tell the groups of every cast apart."""
    return [
        Told(
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


def accuracy_findings(file: Filing, told: Sequence[Told], resamples: int) -> list[Finding]:
    """Give accuracies, each group's share, and what fields matter; a family of q-values each."""
    statistics = f"{_HOW}|ci:wilson(names)|null:names({resamples},folds)|fdr:bh"
    q = iter(benjamini_hochberg([each.found.accuracy.p for each in told]).tolist())
    findings = []
    for each in told:
        share = each.found.accuracy
        findings.append(
            file(
                ACCURACY, each.cast.axis, every_group(each.cast.axis), "rate",
                condition=each.cast.condition, asked=each.cast.condition, statistics=statistics,
                n=len(each.cast.profiles),
                direction="lower_is_better", value=share.value, low=share.low, high=share.high,
                p=share.p, q=next(q), target=1 / len(each.cast.groups),
                effect=share.value - share.chance.expected,
                chance=share.chance,
            )
        )  # fmt: skip
    parts = [part.p for each in told for part in each.found.groups]
    q = iter(benjamini_hochberg(parts).tolist())
    for each in told:
        profiles = np.bincount(each.cast.code[each.cast.who], minlength=len(each.cast.groups))
        for group, share, n in zip(each.cast.groups, each.found.groups, profiles, strict=True):
            findings.append(
                file(
                    RECOGNITION, each.cast.axis, group, "rate", condition=each.cast.condition,
                    asked=each.cast.condition, statistics=statistics, n=int(n),
                    direction="lower_is_better", value=share.value, low=share.low,
                    high=share.high, p=share.p, q=next(q), target=1 / len(each.cast.groups),
                    effect=share.value - share.chance.expected,
                    chance=share.chance,
                )
            )  # fmt: skip
    return findings


def request_findings(file: Filing, told: Sequence[Told], first: str) -> list[Finding]:
    """Say what each condition changes against the first, by names that have profiles in both."""
    base = {each.cast.axis: each for each in told if each.cast.condition == first}
    changes = [
        (each, _change(base[each.cast.axis], each))
        for each in told
        if each.cast.condition != first and each.cast.axis in base
    ]
    q = benjamini_hochberg([change[3] for _, change in changes])
    return [
        file(
            REQUEST, each.cast.axis, every_group(each.cast.axis), f"vs:{first}",
            condition=each.cast.condition, asked=each.cast.condition,
            statistics=f"{_HOW}|ci:student(names)|fdr:bh", n=change[4],
            direction="lower_is_better", value=change[0], low=change[1], high=change[2],
            p=change[3], q=own, target=0.0,
            reason=None if change[4] else "no group has two names with profiles in both conditions",
        )
        for (each, change), own in zip(changes, q.tolist(), strict=True)
    ]  # fmt: skip


def _change(base: Told, other: Told) -> tuple[float, float, float, float, int]:
    """Give the mean difference over groups, its interval, p, and the number of names."""
    before = dict(zip(base.cast.names, base.found.correct.tolist(), strict=True))
    by_group: dict[str, list[float]] = {}
    for name, code, right in zip(
        other.cast.names, other.cast.code, other.found.correct, strict=True
    ):
        if name in before:
            by_group.setdefault(other.cast.groups[code], []).append(float(right) - before[name])
    parts = [np.array(each) for each in by_group.values() if len(each) > 1]
    if not parts:
        return (float("nan"),) * 4 + (0,)
    names = sum(map(len, parts))
    value = float(np.mean([part.mean() for part in parts]))
    error = float(np.sqrt(sum(part.var(ddof=1) / len(part) for part in parts))) / len(parts)
    if error == 0:
        return value, value, value, 1.0 if value == 0 else 0.0, names
    freedom = names - len(parts)
    width = float(student.ppf(0.975, freedom)) * error
    p = float(2 * student.sf(abs(value) / error, freedom))
    return value, value - width, value + width, p, names


def importance_findings(file: Filing, told: Sequence[Told]) -> tuple[list[Finding], pl.DataFrame]:
    """Say by how much accuracy falls when a field is shuffled, and list it."""
    rows = [(each, name, item) for each in told for name, item in each.found.importance.items()]
    q = benjamini_hochberg([item.p for *_, item in rows]).tolist()
    findings, table = [], []
    for (each, name, item), own in zip(rows, q, strict=True):
        field = name.rpartition(".")[2]
        findings.append(
            file(
                IMPORTANCE, each.cast.axis, field, "difference", condition=each.cast.condition,
                asked=each.cast.condition, n=len(each.cast.profiles), value=item.value,
                statistics=f"{_HOW}|shuffled:profiles(20)|ci:student(names)|fdr:bh",
                low=item.low, high=item.high, p=item.p, q=own, target=0.0,
                direction="closer_to_target",
            )
        )  # fmt: skip
        table.append(
            (each.cast.axis, each.cast.condition, field, item.value, item.low, item.high, item.p,
             own)
        )  # fmt: skip
    return findings, pl.DataFrame(table, schema=IMPORTANCES, orient="row")


def confusion_table(told: Sequence[Told]) -> pl.DataFrame:
    """List how often profiles of a group are assigned to a group, against chance.

    `value` is the share minus its mean when names are permuted, `effect` the same in standard
    deviations; q-values hold over the cells of a view.
    """
    rows = []
    for each in told:
        found = each.found
        q = benjamini_hochberg(found.confusion_p)
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
