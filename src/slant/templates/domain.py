"""Domains: what a slot of a template may be filled with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from slant import limits
from slant.errors import InputError
from slant.groups import load_axis
from slant.regular_file import read_regular
from slant.strict import Strict
from slant.toml_file import read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from slant.groups.axes import Axis, Group

Filler: TypeAlias = "Mapping[str, str]"
"""What a slot is filled with: its columns, among them `name` and `class`."""

NAME, CLASS = "name", "class"


@dataclass(frozen=True, eq=False)
class Domain:
    """Fillers of one kind, in the order of their file.

    Attributes
    ----------
    name
        What templates call it.
    fillers
        Each with the same columns.
    axis, groups
        Where fillers are groups of an axis: these, which may have several wordings.
    """

    name: str
    fillers: tuple[Filler, ...]
    axis: Axis | None = None
    groups: tuple[Group, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that every filler has; `name` and `class` for a domain without fillers."""
        if not self.fillers:
            return (NAME, CLASS)
        every = set.intersection(*(set(filler) for filler in self.fillers))
        return tuple(column for column in self.fillers[0] if column in every)


class DomainTable(Strict):
    """A domain as a template file, or a file of its own, writes it."""

    axis: str | None = None
    set: str | None = None
    groups: tuple[str, ...] | None = None
    file: str | None = None
    fillers: tuple[dict[str, str], ...] | None = None


class _DomainFile(Strict):
    fillers: tuple[dict[str, str], ...]


def make_domain(name: str, table: DomainTable, folder: Path, origin: str) -> Domain:
    """Make a domain from what a template file says of it.

    Parameters
    ----------
    name
        What templates call it.
    table
        An axis of slant's groups (with a set or a choice of groups), a file, or fillers.
    folder
        Where file names start.
    origin
        What messages call the template file.

    Raises
    ------
    InputError
        It says not exactly one of the three, or what it names is faulty.
    """
    given = [key for key in ("axis", "file", "fillers") if getattr(table, key) is not None]
    if len(given) != 1:
        raise InputError(
            f"domain {name!r} needs one of axis, file and fillers, not {len(given)} of them"
        )
    if table.axis is None and (table.set is not None or table.groups is not None):
        raise InputError(f"domain {name!r}: set and groups go with an axis")
    if table.axis is not None:
        axis = load_axis(folder / table.axis if table.axis.endswith(".toml") else table.axis)
        chosen = axis.select(table.groups, table.set)
        return Domain(name, tuple(map(filler_of, chosen)), axis, tuple(chosen))
    if table.file is not None:
        return read_domain(folder / table.file, name)
    return Domain(name, _checked(name, table.fillers or (), origin))


def filler_of(group: Group) -> Filler:
    """Write a group as a filler: its name is its class, and its forms are columns."""
    return {NAME: group.name, CLASS: group.name, **group.forms}


def read_domain(path: Path, name: str) -> Domain:
    """Read a domain file: lines `name,class` as APES has them, or TOML with `fillers`.

    Raises
    ------
    InputError
        It cannot be read, or a line is no `name,class`. A file without lines is a domain without
        fillers.
    """
    if path.suffix == ".toml":
        table = read_toml(path).validate(_DomainFile)
        return Domain(name, _checked(name, table.fillers, str(path)))
    if not path.exists():
        raise InputError(
            f"there is no such file, so domain {name!r} is unknown: check the path", file=path
        )
    try:
        text = read_regular(path, limits.DOMAIN_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"domain {name!r} cannot be read: {error}", file=path) from error
    fillers = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        filler, comma, kind = (part.strip() for part in line.partition(","))
        if not (filler and comma and kind) or "," in kind:
            raise InputError(
                f"{line!r} is no filler: expected `name,class`", file=path, line=number
            )
        fillers.append({NAME: filler, CLASS: kind})
    return Domain(name, tuple(fillers))


def _checked(name: str, fillers: Sequence[Mapping[str, Any]], file: str) -> tuple[Filler, ...]:
    """See that fillers have a name; the class is the name where none is given."""
    found: dict[str, Filler] = {}
    for filler in fillers:
        if not filler.get(NAME, "").strip():
            raise InputError(
                f"domain {name!r}: every filler needs a name, as in "
                f'{{ name = "nurses", class = "care" }}; this one has {dict(filler)!r}',
                file=file,
            )
        if filler[NAME] in found:
            raise InputError(f"domain {name!r} has the filler {filler[NAME]!r} twice", file=file)
        found[filler[NAME]] = {CLASS: filler[NAME], **filler}
    return tuple(found.values())
