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
    from collections.abc import Mapping, Sequence

    from slant.records import Finding
    from slant.studies.filing import Filing
    from slant.studies.profiles.people import Person
    from slant.studies.profiles.profile import Profile, Read
    from slant.studies.profiles.schema import TraitField


Outcomes: TypeAlias = "Mapping[str, Mapping[str, int]]"
"""What became of the profiles of every condition."""


def by_condition(read: Read) -> dict[str, dict[str, int]]:
    """Count the four outcomes of every condition, one a profile.

    A profile that is not in an answer, or in no readable one, is unparseable.
    """
    counts: dict[str, Counter[str]] = {}
    for each in read.profiles:
        counts.setdefault(each.condition, Counter())[each.status] += 1
    return {
        condition: {
            "answered": own["complete"] + own["incomplete"],
            "refused": own["refused"],
            "unparseable": own["unparseable"] + own["missing"],
            "error": own["error"],
        }
        for condition, own in counts.items()
    }


def outcome_table(read: Read, people: Mapping[str, Person]) -> pl.DataFrame:
    """Count what became of the profiles of every condition and group, and of nobody's."""
    rows: dict[tuple[str, str], Counter[str]] = {}
    for each in read.profiles:
        person = people.get(each.name)
        for group in (EVERYONE, person.group if person else "unknown"):
            own = rows.setdefault((each.condition, group), Counter())
            own[each.status] += 1
            own["repaired"] += each.repaired
    for (condition, kind), count in read.strays.items():
        rows.setdefault((condition, EVERYONE), Counter())[kind] += count
    columns = [*STATUSES, "repaired", "invented", "repeated"]
    table = [
        {"condition": condition, "group": group, "asked": sum(own[s] for s in STATUSES)}
        | {name: own[name] for name in columns}
        for (condition, group), own in rows.items()
    ]
    return pl.DataFrame(table)


def completeness_findings(file: Filing, became: Outcomes, read: Read) -> list[Finding]:
    """Give the share of the profiles asked for that are complete, by condition."""
    findings = []
    for condition in dict.fromkeys(each.condition for each in read.profiles):
        own = [each for each in read.profiles if each.condition == condition]
        complete = sum(each.status == "complete" for each in own)
        low, high = wilson(complete, len(own))
        whom = Subject("profiles", EVERYONE, became[condition], condition)
        share = Measured(complete / len(own), float(low), float(high), len(own), len(own))
        findings.append(file(COMPLETENESS, whom, share))
    return findings


def profile_table(
    profiles: Sequence[Profile], people: Mapping[str, Person], fields: Sequence[TraitField]
) -> pl.DataFrame:
    """List every profile; lists are joined."""
    kinds = {"number": pl.Float64, "text": pl.String, "list": pl.String}
    about = ("name", "group", "gender", "ethnicity", "condition", "status")
    schema: dict[str, type[pl.DataType]] = {
        **dict.fromkeys(about, pl.String),
        "run": pl.Int64,
        "repaired": pl.Boolean,
        **{field.name: kinds[field.kind] for field in fields},
    }
    rows = []
    for each in profiles:
        person = people.get(each.name)
        row: dict[str, object] = {
            "name": each.name, "condition": each.condition, "status": each.status,
            "run": each.run, "repaired": each.repaired,
        }  # fmt: skip
        if person:
            row |= {"group": person.group, "gender": person.gender, "ethnicity": person.ethnicity}
        for field in fields:
            value = each.values.get(field.name)
            row[field.name] = ", ".join(value) if isinstance(value, list) else value
        rows.append(row)
    return pl.DataFrame(rows, schema=schema)
