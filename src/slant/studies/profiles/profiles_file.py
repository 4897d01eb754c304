"""Profiles that the user has already: the published tables, or one JSON object a line.

Columns `name` and either `ethnicity` and `gender` or `group`; optional `model` and `condition`.
Everything else is read as the fields of the schema: nested or as `a.b`, lists or texts.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from slant.errors import InputError
from slant.groups.names import capitalised, gender_of
from slant.studies.profiles.people import Person
from slant.studies.user_file import user_rows

if TYPE_CHECKING:
    from slant.studies.user_file import Source

FILE = "file"
"""What the slot `way` holds where a profile comes from a file."""

_KEPT = ("name", "ethnicity", "gender", "group", "model", "condition")


def read_profiles(source: Source) -> pl.DataFrame:
    """Read profiles as `ProfilesStudy.analyse` takes them.

    Raises
    ------
    InputError
        There are no records, one has no name, or nothing says which group a name stands for.
    """
    file = source if isinstance(source, Path) else None
    seen: Counter[tuple[str, ...]] = Counter()
    rows: list[dict[str, Any]] = []
    for line, record in user_rows(source):
        known = {str(key).strip().casefold(): key for key in record}
        told = {name: _text(record[known[name]]) if name in known else "" for name in _KEPT}
        if not told["name"]:
            raise InputError(
                "this profile has no name: expected name, and ethnicity and gender or group",
                file=file,
                line=line,
            )
        person = _person(told, file, line)
        content = {
            str(key): value
            for key, value in record.items()
            if key and str(key).strip().casefold() not in _KEPT and value is not None
        }
        model = told["model"] or (file.stem if file else "table")
        condition = told["condition"] or "as given"
        about = (model, condition, told["name"], person.group)
        slots = {
            "way": FILE,
            "names": json.dumps([told["name"]], ensure_ascii=False),
            "gender": person.gender,
            "ethnicity": person.ethnicity,
        }
        rows.append(
            {
                "model": model,
                "axis": "profiles",
                "group": person.group,
                "condition": condition,
                "slots": json.dumps(slots, ensure_ascii=False),
                "prompt": f"A profile of {told['name']}",
                "outcome": "answered",
                "text": json.dumps(content, ensure_ascii=False, default=str),
                "position": len(rows),
                "item": str(len(rows)),
                "sample": seen[about],
            }
        )
        seen[about] += 1
    if not rows:
        raise InputError(
            "there are no profiles: expected records with name, and ethnicity and gender or group",
            file=file,
        )
    return pl.DataFrame(rows)


def _text(value: Any) -> str:
    return "" if value is None or value != value else str(value).strip()


def _person(told: dict[str, str], file: Path | None, line: int) -> Person:
    ethnicity = capitalised(told["ethnicity"])
    gender = gender_of(told["gender"])
    if ethnicity and gender:
        return Person(f"{ethnicity} {gender}", gender, ethnicity)
    group = told["group"] or ethnicity or gender
    if not group:
        raise InputError(
            f"nothing says which group {told['name']!r} stands for: expected the columns "
            "ethnicity and gender, or group",
            file=file,
            line=line,
        )
    return Person(group)
