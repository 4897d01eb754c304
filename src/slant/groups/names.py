"""Given names: who stands for a group in a sentence.

A name says nothing about a person for certain. It stands for a group as far as models, and people,
take it so; `docs/names.md` says how the packaged list was made, and what it cannot show.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slant.errors import InputError, unknown
from slant.table_file import read_rows
from slant.toml_file import read_packaged

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from contextlib import AbstractContextManager

_COLUMNS = {
    "name": ("name", "firstname", "first_name", "first name", "first"),
    "gender": ("gender", "genni", "sex"),
    "ethnicity": ("ethnicity", "ethnea"),
}
"""What columns may be called: by us, by Siddique et al. (2024), and in Genni + Ethnea."""

_GENDERS = {"m": "Male", "male": "Male", "f": "Female", "female": "Female"}

_NAMED = 10
"""How many names a note gives before it only counts."""


@dataclass(frozen=True)
class Name:
    """A given name, and the group that it stands for.

    Attributes
    ----------
    name
        As it is written in a sentence: `Kazuyo`.
    gender
        `Female`, `Male`, or whatever the list says.
    ethnicity
        For example `Japanese`.
    """

    name: str
    gender: str
    ethnicity: str

    @property
    def group(self) -> str:
        """Ethnicity and gender: `Japanese Female`."""
        return f"{self.ethnicity} {self.gender}"


@dataclass(frozen=True)
class NameTable:
    """Names, and what was left out of them.

    Attributes
    ----------
    names
        In the order of their file.
    notes
        What was left out and why, counted, in words; empty if nothing was.
    source
        Where they come from.
    """

    names: tuple[Name, ...]
    notes: tuple[str, ...]
    source: str


def name_lists() -> list[str]:
    """List the names of the lists that slant brings along."""
    return sorted(read_packaged("names", "lists.toml").data)


def load_names(name_or_path: str | Path, *, keep_duplicates: bool = False) -> NameTable:
    """Load a list of names.

    Parameters
    ----------
    name_or_path
        The name of a list that slant brings along (`global`), or the path of a table (CSV, TSV,
        JSON Lines, Parquet) with the columns name, gender and ethnicity. The table that Siddique
        et al. (2024) published and tables of Genni + Ethnea are read as they are. M, F, male and
        female become Male and Female; a group written in capitals (ARAB) becomes Arab.
    keep_duplicates
        Keep a name that stands in two groups in both, as the publication does.

    Returns
    -------
    NameTable
        A name that is there twice in its group counts once; one that stands in two groups is left
        out of both, and so is a group with a single name, whose spread nothing would show. All of
        that is noted.

    Raises
    ------
    InputError
        There is no such list or file, a column is missing, a cell is empty, or fewer than two
        groups are left.
    """
    name = str(name_or_path)
    if isinstance(name_or_path, str) and not Path(name).suffix:
        if name not in name_lists():
            raise unknown("list of names", name, [*name_lists(), "a table such as names.csv"])
        entry: Mapping[str, Any] = read_packaged("names", "lists.toml").data[name]
        packaged = files("slant.data").joinpath("names", entry["file"])
        opened: AbstractContextManager[Path] = as_file(packaged)
        source = "; ".join(entry["sources"])
    else:
        opened, source = nullcontext(Path(name_or_path)), Path(name).name
    with opened as path:
        return _table(path, source, keep_duplicates=keep_duplicates)


def _table(path: Path, source: str, *, keep_duplicates: bool) -> NameTable:
    found = list(_names(path))
    counts = Counter(found)
    distinct = list(counts)
    groups = Counter(each.name for each in distinct)
    shared = [each for each in groups if groups[each] > 1]
    notes = []
    if doubles := [each.name for each in distinct if counts[each] > 1]:
        notes.append(_note("more than once in a group, counted once", doubles))
    if shared and keep_duplicates:
        notes.append(_note("in several groups, kept in each", shared))
    elif shared:
        notes.append(_note("in several groups, left out of each", shared))
        distinct = [each for each in distinct if groups[each.name] == 1]
    sizes = Counter(each.group for each in distinct)
    if lonely := [group for group in sizes if sizes[group] == 1]:
        notes.append(f"a single name each, left out: {', '.join(lonely)}")
        distinct = [each for each in distinct if sizes[each.group] > 1]
    if len({each.group for each in distinct}) < 2:
        raise InputError(
            "fewer than two groups of at least two names are left to compare"
            + (f" ({'; '.join(notes)})" if notes else "")
            + ": add names of another gender or ethnicity",
            file=path,
        )
    return NameTable(tuple(distinct), tuple(notes), source)


def _names(path: Path) -> Iterable[Name]:
    columns: dict[str, str] | None = None
    for line, row in read_rows(path):
        if columns is None:
            columns = _columns(row, path)
        values = {}
        for role, column in columns.items():
            value = str(row.get(column) or "").strip()
            if not value:
                raise InputError(
                    f"the {role} is empty: fill it in or remove the row", file=path, line=line
                )
            values[role] = value
        yield Name(
            values["name"],
            gender_of(values["gender"]),
            capitalised(values["ethnicity"]),
        )
    if columns is None:
        raise InputError(
            "there are no names: expected rows with name, gender, ethnicity", file=path
        )


def _columns(row: Mapping[str, Any], path: Path) -> dict[str, str]:
    given = {str(column).strip().casefold(): str(column) for column in row}
    columns = {}
    for role, spellings in _COLUMNS.items():
        known = [given[each] for each in spellings if each in given]
        if not known:
            raise InputError(
                f"there is no column {role!r}: found {', '.join(filter(None, given))}; expected "
                "name, gender, ethnicity",
                file=path,
                line=1,
            )
        columns[role] = known[0]
    return columns


def gender_of(word: str) -> str:
    """Write a gender as slant does: M, F, male and female are Male and Female; others stay."""
    return _GENDERS.get(word.casefold(), word)


def capitalised(text: str) -> str:
    """Write words in capitals with small letters, all but the first of each."""
    return re.sub(r"[^\W\d_]+", lambda word: word[0].capitalize(), text) if text.isupper() else text


def _note(what: str, names: list[str]) -> str:
    shown = ", ".join(names[:_NAMED]) + (" …" if len(names) > _NAMED else "")
    return f"{len(names)} name{'s' if len(names) > 1 else ''} {what}: {shown}"
