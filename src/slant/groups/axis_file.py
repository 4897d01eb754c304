"""How an axis is read from its TOML file, and how one file extends another."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from slant import limits
from slant.errors import InputError, unknown
from slant.groups.axes import ALL_GROUPS, Axis, Group, axis_names
from slant.toml_file import TomlFile, read_packaged, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable

_Text = Annotated[str, StringConstraints(min_length=1, pattern=r"^\S(.*\S)?$")]
_FormName = Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_]*$")]


class _GroupTable(BaseModel):
    """One `[[group]]` of an axis file; what is left out is taken from the axis it extends."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: _Text
    sets: tuple[_Text, ...] | None = None
    forms: dict[_FormName, _Text] = {}
    demonyms: tuple[_Text, ...] | None = None
    source: str | None = None


class _AxisTable(BaseModel):
    """An axis file as it is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    extends: _Text | None = None
    name: _Text | None = None
    title: _Text | None = None
    language: _Text | None = None
    default_set: str | None = None
    reference: _Text | None = None
    sources: tuple[_Text, ...] = ()
    sets: dict[_Text, _Text] = {}
    groups: tuple[_GroupTable, ...] = Field(default=(), alias="group")


def load_axis(name_or_path: str | Path) -> Axis:
    """Load an axis that slant brings along, or the user's own file.

    Parameters
    ----------
    name_or_path
        A packaged name, or the path of a TOML file: a `Path`, or a string that ends in `.toml`.

    Raises
    ------
    InputError
        There is no such axis, or its file is faulty.
    """
    return _load(name_or_path, ())


def _load(name_or_path: str | Path, seen: tuple[str, ...]) -> Axis:
    """Load an axis that the files `seen` extend, which must not go round in a circle."""
    file, folder = _open(name_or_path)
    if file.name in seen:
        raise file.error("the axis extends itself", "extends")
    if len(seen) == limits.AXIS_EXTENDS:
        raise file.error(
            f"more than {limits.AXIS_EXTENDS} axes extend one another: write them into one file",
            "extends",
        )
    table = file.validate(_AxisTable)
    base = None
    if table.extends is not None:
        if not table.extends.endswith(".toml"):
            _check_known(file, "axis", [table.extends], axis_names(), "extends")
        base = _load(_beside(table.extends, folder), (*seen, file.name))
    axis = _build(file, table, base)
    if len(axis.groups) > limits.AXIS_GROUPS:
        raise file.error(
            f"the axis has {len(axis.groups):,} groups, more than the {limits.AXIS_GROUPS} that "
            "can be compared: split it",
            "group",
            limits.AXIS_GROUPS,
        )
    _check_references(file, table, axis)
    return axis


def _open(name_or_path: str | Path) -> tuple[TomlFile, Path]:
    if isinstance(name_or_path, Path) or name_or_path.endswith(".toml"):
        return read_toml(name_or_path), Path(name_or_path).parent
    if name_or_path not in axis_names():
        raise unknown("axis", name_or_path, axis_names())
    return read_packaged("groups", f"{name_or_path}.toml"), Path()


def _beside(extends: str, folder: Path) -> str | Path:
    return folder / extends if extends.endswith(".toml") else extends


def _build(file: TomlFile, table: _AxisTable, base: Axis | None) -> Axis:
    if base is None:
        for key in ("name", "group"):
            if not file.data.get(key):
                raise file.error(f"{key}: missing: an axis needs a name and at least one [[group]]")
        base = Axis(name="", title="", groups=())
    name = table.name or base.name
    default_set = base.default_set if table.default_set is None else table.default_set
    known = {group.name: replace(group, axis=name) for group in base.groups}
    language = table.language or base.language
    for index, written in enumerate(table.groups):
        if written.name in (earlier.name for earlier in table.groups[:index]):
            raise file.error(
                f"group {written.name!r} is there twice: merge the two or rename one",
                *("group", index, "name"),
            )
        blank = Group(written.name, name, {"plural": written.name}, language=language)
        known[written.name] = _merge(known.get(written.name, blank), written, file.name)
    return Axis(
        name=name,
        title=table.title or base.title or name.capitalize(),
        groups=tuple(known.values()),
        language=language,
        sets={**base.sets, **table.sets},
        default_set=default_set,
        reference=table.reference or base.reference,
        sources=(*base.sources, *table.sources),
        file=file.name,
    )


def _merge(group: Group, written: _GroupTable, file: str) -> Group:
    return replace(
        group,
        forms={**group.forms, **written.forms},
        demonyms=group.demonyms if written.demonyms is None else written.demonyms,
        sets=group.sets if written.sets is None else written.sets,
        source=group.source if written.source is None else written.source,
        file=file,
    )


def _check_references(file: TomlFile, table: _AxisTable, axis: Axis) -> None:
    if ALL_GROUPS in table.sets:
        raise file.error(
            f"the set {ALL_GROUPS!r} is every group: name yours otherwise", "sets", ALL_GROUPS
        )
    if axis.default_set not in ("", ALL_GROUPS):
        _check_known(file, "set", [axis.default_set], axis.sets, "default_set")
    if axis.reference is not None:
        names = [group.name for group in axis.groups]
        _check_known(file, "group", [axis.reference], names, "reference")
    for index, written in enumerate(table.groups):
        _check_known(file, "set", written.sets or (), axis.sets, "group", index, "sets")
    members = Counter(name for group in axis.groups for name in group.sets)
    for name in table.sets:
        if not members[name]:
            raise file.error(f"no group belongs to the set {name!r}", "sets", name)


def _check_known(
    file: TomlFile, kind: str, names: Iterable[str], known: Iterable[str], *keys: str | int
) -> None:
    accepted = list(known)
    for index, name in enumerate(names):
        if name not in accepted:
            error: InputError = unknown(kind, name, accepted)
            hint = " Sets are declared under [sets]." if kind == "set" else ""
            raise file.error(f"{error}{hint}", *keys, index) from error
