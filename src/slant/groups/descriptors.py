"""Descriptors: what is said about the people whose names are compared.

A descriptor ("a stutterer", "wear a turban") is written in the three verb forms that sentences
need. slant brings two lists along; a table of one's own, or a published one, is read row by row.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import StringConstraints

from slant.errors import InputError, unknown
from slant.strict import Strict
from slant.table_file import read_rows
from slant.toml_file import read_packaged

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from contextlib import AbstractContextManager

FORMS = ("am", "was", "is")
"""The verb forms of a descriptor: with I in the present, with a name in the past and present."""

_PUBLISHED_COLUMNS = {
    "partial_1": "am",
    "partial_2": "was",
    "partial_3": "is",
    "group": "label",
}
"""What the columns of Siddique et al. (2024), full_descriptors.csv, mean."""

_TRUE, _FALSE = ("true", "yes", "1"), ("false", "no", "0", "")

_NAMED = 10
"""How many descriptors a note names before it only counts."""


@dataclass(frozen=True)
class Descriptor:
    """Something that can be said about a person.

    Attributes
    ----------
    text
        What tables call it: `a stutterer`, `wear a turban`.
    forms
        The predicate by verb form: `am` (am a stutterer; wear a turban), `was` (was a stutterer;
        wore a turban), `is` (is a stutterer; wears a turban).
    axis
        What it is about: `ability`; empty if nothing is known.
    bucket
        A finer kind within the axis; empty if there is none.
    label
        The group that it belongs to in fact, for measuring how often a model finds the right
        one; empty if it belongs to none.
    sensitive
        Whether reports blur it: slurs, violence, sexual insults.
    tone
        What it would say of a person: `favourable`, `unfavourable` or `neutral`; empty if nobody
        rated it.
    """

    text: str
    forms: Mapping[str, str] = field(hash=False)
    axis: str
    bucket: str = ""
    label: str = ""
    sensitive: bool = False
    tone: str = ""


@dataclass(frozen=True)
class DescriptorTable:
    """Descriptors, and what was left out of them.

    Attributes
    ----------
    descriptors
        In the order of their file, no two alike.
    notes
        What was left out and why, counted, in words; empty if nothing was.
    source
        Where they come from.
    """

    descriptors: tuple[Descriptor, ...]
    notes: tuple[str, ...]
    source: str

    def on(self, axes: Collection[str]) -> DescriptorTable:
        """Keep the descriptors of some axes, in the same order.

        Raises
        ------
        InputError
            No axis is named, or one that no descriptor is on.
        """
        if not axes:
            raise InputError("the list of descriptor axes is empty: name at least one")
        known = {each.axis for each in self.descriptors if each.axis}
        for axis in axes:
            if axis not in known:
                raise unknown("axis of descriptors", axis, known)
        return replace(
            self, descriptors=tuple(each for each in self.descriptors if each.axis in axes)
        )


class _PackagedList(Strict):
    """One table of `descriptors/lists.toml`."""

    title: str
    file: str
    sources: tuple[str, ...]
    only: tuple[Annotated[str, StringConstraints(min_length=1)], ...] | None = None


def descriptor_lists() -> list[str]:
    """List the names of the descriptor lists that slant brings along."""
    return sorted(read_packaged("descriptors", "lists.toml").data)


def load_descriptors(name_or_path: str | Path) -> DescriptorTable:
    """Load a list of descriptors.

    Parameters
    ----------
    name_or_path
        The name of a list that slant brings along, or the path of a table (CSV, TSV, JSON Lines,
        Parquet) with the columns descriptor, am, was, is and, if wanted, axis, bucket, label,
        sensitive. The table that Siddique et al. (2024) published is read as it is: partial_1,
        partial_2, partial_3 and group are am, was, is and label. Other columns are not read.

    Returns
    -------
    DescriptorTable
        A row without a descriptor or one of its verb forms, and a descriptor that is there
        already, are left out and noted, with their lines.

    Raises
    ------
    InputError
        There is no such list or file, a column is missing, a cell holds no text, `sensitive` is
        neither true nor false, or nothing is left.
    """
    if isinstance(name_or_path, str) and not Path(name_or_path).suffix:
        if name_or_path not in descriptor_lists():
            error = unknown("list of descriptors", name_or_path, descriptor_lists())
            raise InputError(f"{error} Or give the path of a table, such as descriptors.csv.")
        return _packaged(name_or_path)
    path = Path(name_or_path)
    return _read(path, nullcontext(path), source=str(path))


def _packaged(name: str) -> DescriptorTable:
    packed = read_packaged("descriptors", "lists.toml").validate(_PackagedList, at=(name,))
    where = files("slant.data").joinpath("descriptors", packed.file)
    source = "; ".join((packed.title, *packed.sources))
    table = _read(Path(packed.file), as_file(where), source=source)
    if packed.only is None:
        return table
    chosen = set(packed.only)
    return replace(
        table, descriptors=tuple(each for each in table.descriptors if each.text in chosen)
    )


def _read(path: Path, opened: AbstractContextManager[Path], source: str) -> DescriptorTable:
    with opened as readable:
        rows = [(line, _renamed(row)) for line, row in read_rows(readable)]
    _check_columns(path, rows)
    found: list[Descriptor] = []
    lines: dict[object, int] = {}  # of each descriptor's text and of each one's sentences
    lacking: list[str] = []
    doubles: list[str] = []
    for line, row in rows:
        cells = {name: _text(path, line, name, row.get(name)) for name in ("descriptor", *FORMS)}
        text = cells["descriptor"]
        missing = [name for name, cell in cells.items() if not cell]
        said = tuple(cells[form] for form in FORMS)
        first = lines.get(text) or lines.get(said)
        if missing:
            lacking.append(f"{text!r} (line {line}, no {' and no '.join(missing)})")
        elif first is not None:
            doubles.append(f"{text!r} (line {line}, as on line {first})")
        else:
            lines[text] = lines[said] = line
            found.append(_descriptor(path, line, row, cells))
    if not found:
        raise InputError(
            f"none of the {len(rows)} rows has a descriptor and its forms am, was and is: fill "
            "them in, such as descriptor 'kind', am 'am kind', was 'was kind', is 'is kind'",
            file=path,
        )
    notes = (
        *_note("for want of a descriptor or one of its verb forms", lacking),
        *_note("for being there already", doubles),
    )
    return DescriptorTable(tuple(found), notes, source)


def _renamed(row: Mapping[str, Any]) -> dict[str, Any]:
    """Give columns the names that are used here; a name of ours wins over a published one."""
    plain = {name.strip().lower(): cell for name, cell in row.items()}
    theirs = {ours: plain[name] for name, ours in _PUBLISHED_COLUMNS.items() if name in plain}
    return {**theirs, **plain}


def _check_columns(path: Path, rows: list[tuple[int, dict[str, Any]]]) -> None:
    if not rows:
        raise InputError(
            "the table has no rows: expected one a descriptor, under the columns descriptor, "
            "am, was, is",
            file=path,
        )
    columns = {name for _, row in rows for name in row}
    missing = [name for name in ("descriptor", *FORMS) if name not in columns]
    if missing:
        raise InputError(
            f"no column {', '.join(missing)}: expected descriptor, am, was, is (and, if wanted, "
            f"axis, bucket, label, sensitive); found {', '.join(sorted(columns))}",
            file=path,
            line=1,
        )


def _descriptor(path: Path, line: int, row: Mapping[str, Any], cells: dict[str, str]) -> Descriptor:
    return Descriptor(
        text=cells["descriptor"],
        forms={form: cells[form] for form in FORMS},
        axis=_text(path, line, "axis", row.get("axis")),
        bucket=_text(path, line, "bucket", row.get("bucket")),
        label=_text(path, line, "label", row.get("label")),
        sensitive=_truth(path, line, row.get("sensitive")),
        tone=_text(path, line, "tone", row.get("tone")),
    )


def _text(path: Path, line: int, column: str, cell: Any) -> str:
    if cell is None:
        return ""
    if not isinstance(cell, str):
        raise InputError(f"{column}: expected text, found {cell!r:.60}", file=path, line=line)
    return cell.strip()


def _truth(path: Path, line: int, cell: Any) -> bool:
    said = "" if cell is None else str(cell).strip().lower()
    if said not in (*_TRUE, *_FALSE):
        raise InputError(
            f"sensitive: expected true or false, found {cell!r:.60}", file=path, line=line
        )
    return said in _TRUE


def _note(why: str, left_out: list[str]) -> list[str]:
    if not left_out:
        return []
    rows = "1 row was" if len(left_out) == 1 else f"{len(left_out)} rows were"
    more = f" and {len(left_out) - _NAMED} more" if len(left_out) > _NAMED else ""
    return [f"{rows} left out {why}: {', '.join(left_out[:_NAMED])}{more}"]
