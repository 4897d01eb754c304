"""What became of the profiles: counts for every table, and their findings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeAlias

import polars as pl

from slant.stats import wilson
from slant.studies.filing import Measured, Subject
from slant.studies.profiles.metrics import COMPLETENESS
from slant.studies.profiles.people import EVERYONE
from slant.studies.profiles.profile import STATUSES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Finding
    from slant.studies.filing import Filing
    from slant.studies.profiles.all_profiles import AllProfiles

STRAYS = ("invented", "repeated")
"""Profiles that nobody asked for."""

Outcomes: TypeAlias = "Mapping[str, Mapping[str, int]]"
"""What became of the profiles of every condition."""


def by_condition(profiles: pl.DataFrame) -> dict[str, dict[str, int]]:
    """Count the four outcomes of every condition, one a profile.

    A profile that is not in an answer, or in no readable one, is unparseable.
    """
    counts: dict[str, Counter[str]] = {}
    counted = profiles.group_by("condition", "status", maintain_order=True).len()
    for condition, status, count in counted.iter_rows():
        counts.setdefault(condition, Counter())[status] = count
    return {
        condition: {
            "answered": own["complete"] + own["incomplete"],
            "refused": own["refused"],
            "unparseable": own["unparseable"] + own["missing"],
            "error": own["error"],
        }
        for condition, own in counts.items()
    }


def outcome_table(every: AllProfiles) -> pl.DataFrame:
    """Count what became of the profiles of every condition and group, and of nobody's."""
    own = every.table.select(
        "condition", "status", "repaired", pl.col("group").fill_null("unknown")
    )
    counted = own.with_row_index("first").group_by("condition", "group", maintain_order=True).agg(
        pl.col("first").min(),
        pl.len().cast(pl.Int64).alias("asked"),
        *((pl.col("status") == status).sum().cast(pl.Int64).alias(status) for status in STATUSES),
        pl.col("repaired").sum().cast(pl.Int64),
    )  # fmt: skip
    numbers = pl.col("asked", *STATUSES, "repaired")
    whole = counted.group_by("condition", maintain_order=True).agg(
        pl.lit(EVERYONE).alias("group"), pl.col("first").min(), numbers.sum()
    )
    stray = [pl.lit(0, pl.Int64).alias(kind) for kind in STRAYS]
    table = pl.concat([whole, counted.select(whole.columns)]).with_columns(stray)
    for (condition, kind), count in every.strays.items():
        here = (pl.col("condition") == condition) & (pl.col("group") == EVERYONE)
        table = table.with_columns(pl.when(here).then(count).otherwise(kind).alias(kind))
    return table.sort("first", maintain_order=True).drop("first")


def completeness_findings(file: Filing, became: Outcomes, profiles: pl.DataFrame) -> list[Finding]:
    """Give the share of the profiles asked for that are complete, by condition."""
    findings = []
    counted = profiles.group_by("condition", maintain_order=True).agg(
        (pl.col("status") == "complete").sum(), pl.len()
    )
    for condition, complete, n in counted.iter_rows():
        low, high = wilson(complete, n)
        whom = Subject("profiles", EVERYONE, became[condition], condition)
        share = Measured(complete / n, float(low), float(high), n, n)
        findings.append(file(COMPLETENESS, whom, share))
    return findings
