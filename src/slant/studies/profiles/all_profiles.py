"""Every profile that was asked for as a row, and in full only those that are looked into.

A profile in full takes kilobytes, and of many only a few thousand are compared: these are read
again from their answers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from slant.studies.profiles.people import MOST

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from slant.studies.profiles.people import Person
    from slant.studies.profiles.profile import Profile, Read, Reply
    from slant.studies.profiles.schema import TraitField

QUOTED = 3
"""Profiles of each group that are shown."""

_KINDS = {"number": pl.Float64, "text": pl.String, "list": pl.String}


@dataclass(frozen=True)
class AllProfiles:
    """All profiles, in the order in which they were asked for.

    Attributes
    ----------
    table
        `name`, `group`, `gender`, `ethnicity` (null of nobody known), `condition`, `status`, `run`,
        `repaired`, whether anything was read (`is there`), and the fields; lists are joined.
    strays
        Profiles nobody asked for, by condition and kind: `invented` or `repeated`.
    profiles
        In full, in the same order: all that groups can be compared by, and the first of each group.
    """

    table: pl.DataFrame
    strays: Counter[tuple[str, str]]
    profiles: list[Profile]

    @property
    def conditions(self) -> list[str]:
        """How profiles were asked for, in order."""
        return self.table["condition"].unique(maintain_order=True).to_list()


def read_all(
    parts: Callable[[], Iterator[list[Reply]]],
    read: Callable[[Iterable[Reply]], Read],
    people: Mapping[str, Person],
    fields: Sequence[TraitField],
    axes: Callable[[Collection[str]], Iterable[Mapping[str, str]]],
) -> AllProfiles:
    """Read all profiles, a part at a time.

    Parameters
    ----------
    parts
        Begins to give the answers anew; all answers about one profile are in the same part.
    read
        Reads profiles from the answers of a part.
    people
        Whom names stand for.
    fields
        What profiles hold.
    axes
        Gives, for the names that are there, the group of each name on each axis of comparison.
    """
    strays: Counter[tuple[str, str]] = Counter()
    rows = [_rows([], people, fields)]
    for part in parts():
        found = read(part)
        strays += found.strays
        rows.append(_rows(found.profiles, people, fields))
    table = pl.concat(rows)
    names = table["name"].unique(maintain_order=True).to_list()
    wanted = set(_looked_into(table, list(axes(names))).iter_rows())
    profiles: list[Profile] = []
    for part in parts() if wanted else ():
        some = [
            reply
            for reply in part
            if any((reply.condition, reply.run, name) in wanted for name in reply.names)
        ]
        profiles += [
            each for each in read(some).profiles if (each.condition, each.run, each.name) in wanted
        ]
    return AllProfiles(table, strays, profiles)


def _rows(
    profiles: Sequence[Profile], people: Mapping[str, Person], fields: Sequence[TraitField]
) -> pl.DataFrame:
    about = ("name", "group", "gender", "ethnicity", "condition", "status")
    schema: dict[str, type[pl.DataType]] = {
        **dict.fromkeys(about, pl.String),
        "run": pl.Int64,
        "repaired": pl.Boolean,
        "is there": pl.Boolean,
        **{field.name: _KINDS[field.kind] for field in fields},
    }
    rows = []
    for each in profiles:
        person = people.get(each.name)
        row: dict[str, object] = {
            "name": each.name, "condition": each.condition, "status": each.status,
            "run": each.run, "repaired": each.repaired, "is there": bool(each.values),
        }  # fmt: skip
        if person:
            row |= {"group": person.group, "gender": person.gender, "ethnicity": person.ethnicity}
        for field in fields:
            value = each.values.get(field.name)
            row[field.name] = ", ".join(value) if isinstance(value, list) else value
        rows.append(row)
    return pl.DataFrame(rows, schema=schema)


def _looked_into(table: pl.DataFrame, axes: Sequence[Mapping[str, str]]) -> pl.DataFrame:
    """Pick condition, run and name of the profiles that are compared or quoted.

    Compared are the first of every name, so many that few enough are left in each condition.
    """
    key = ["condition", "run", "name"]
    there = table.filter("is there")
    known = there.filter(pl.col("group").is_not_null())
    parts = [known.filter(pl.int_range(pl.len()).over("group") < QUOTED).select(key)]
    for groups in axes:
        names = pl.Series(list(groups), dtype=pl.String)
        own = there.filter(pl.col("name").is_in(names.implode()))
        most = MOST // pl.col("name").n_unique().over("condition")
        first = pl.int_range(pl.len()).over("condition", "name") < pl.max_horizontal(most, 1)
        parts.append(own.filter(first).select(key))
    return pl.concat(parts).unique()
