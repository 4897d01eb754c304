"""Persons by group, from a table of the user's, found in texts by named entity recognition."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.errors import InputError
from slant.groups.language_model import recogniser
from slant.table_file import read_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import polars as pl
    from numpy.typing import NDArray

_POSSESSIVE = re.compile(r"['’]s$")
_AT_ONCE = 256
_LONGEST = 100_000
"""Characters that are read at once; a longer text is read in parts."""


@dataclass(frozen=True)
class PersonNames:
    """Persons and the group each is of.

    Attributes
    ----------
    groups
        Name, lower case → group.
    file
        Where they come from.
    notes
        What was left out, in words.
    """

    groups: Mapping[str, str] = field(hash=False)
    file: Path
    notes: tuple[str, ...] = ()

    @cached_property
    def _any(self) -> list[str]:
        return list(self.groups)

    def count(self, texts: pl.Series, order: Sequence[str]) -> NDArray[np.float64]:
        """Count mentions by group.

        A mention is an entity that the recogniser takes for a person and whose name is in the
        table, as a whole: *Obama* is not *Barack Obama* unless the table has both. Only texts in
        which such a name stands are read.

        Returns
        -------
        numpy.ndarray
            Shape (texts, groups).
        """
        column = {group: place for place, group in enumerate(order)}
        counts = np.zeros((len(texts), len(order)))
        held = texts.str.to_lowercase().str.contains_any(self._any).fill_null(value=False)
        places = np.flatnonzero(held.to_numpy())
        for place, (_, _, group) in self._found([texts[int(place)] for place in places]):
            counts[places[place], column[group]] += 1
        return counts

    def spans(self, text: str) -> list[tuple[int, int, str]]:
        """Find where persons of the table stand in a text: start, end, group."""
        lower = text.casefold()
        if not any(name in lower for name in self.groups):
            return []
        return [span for _, span in self._found([text])]

    def _found(self, texts: Sequence[str]) -> Iterator[tuple[int, tuple[int, int, str]]]:
        parts = (
            (text[start : start + _LONGEST], (place, start))
            for place, text in enumerate(texts)
            for start in range(0, len(text), _LONGEST)
        )
        documents: Any = recogniser().pipe(parts, as_tuples=True, batch_size=_AT_ONCE)
        for document, (place, start) in documents:
            for entity in document.ents:
                name = _POSSESSIVE.sub("", entity.text).strip()
                group = self.groups.get(name.casefold())
                if entity.label_ == "PERSON" and group is not None:
                    begin = start + entity.start_char
                    yield place, (begin, begin + len(name), group)


def read_person_names(path: Path) -> PersonNames:
    """Read a table with the columns `name` and `group`.

    A name that stands for two groups is left out, and said so.

    Raises
    ------
    InputError
        The table cannot be read, lacks a column, or is empty.
    """
    groups: dict[str, set[str]] = defaultdict(set)
    blank = 0
    for line, row in read_rows(path):
        if "name" not in row or "group" not in row:
            raise InputError(
                f"expected columns name and group; found {', '.join(row)}", file=path, line=line
            )
        name, group = (str(row[key] or "").strip() for key in ("name", "group"))
        if name and group:
            groups[" ".join(name.split()).casefold()].add(group)
        else:
            blank += 1
    if not groups:
        raise InputError("there are no names: expected columns name and group", file=path)
    torn = sorted(name for name, found in groups.items() if len(found) > 1)
    notes = []
    if torn:
        some = ", ".join(torn[:3]) + (" …" if len(torn) > 3 else "")
        notes.append(
            f"{len(torn)} names of {path.name} stand for two groups and were left out: {some}."
        )
    if blank:
        notes.append(f"{blank} rows of {path.name} lack a name or a group and were left out.")
    kept = {name: next(iter(found)) for name, found in groups.items() if len(found) == 1}
    return PersonNames(kept, path, tuple(notes))
