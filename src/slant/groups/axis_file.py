"""How an axis is read from its TOML file, and how one file extends another."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field, StringConstraints, model_validator

from slant import limits
from slant.errors import InputError, unknown
from slant.groups.axes import ALL_GROUPS, Axis, Group, axis_names, placebo_names
from slant.groups.wordings import Wording, filled
from slant.strict import Strict, Text
from slant.toml_file import TomlFile, read_packaged, read_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    _Patterns: TypeAlias = Mapping[str, Mapping[str, str]]

_FormName = Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_]*$")]


class _WordingTable(Strict):
    """One `[[wording]]` of an axis, or of a group that is worded otherwise than the others."""

    kind: _FormName
    forms: dict[_FormName, Text]

    @model_validator(mode="after")
    def _has_plural(self) -> _WordingTable:
        if "plural" not in self.forms:
            raise ValueError("a wording needs forms.plural, which is what {group} stands for")
        return self


class _GroupTable(Strict):
    """One `[[group]]` of an axis file; what is left out is taken from the axis it extends."""

    name: Text
    sets: tuple[Text, ...] | None = None
    forms: dict[_FormName, Text] = Field(default_factory=dict)
    demonyms: tuple[Text, ...] | None = None
    source: str | None = None
    wordings: tuple[_WordingTable, ...] = Field(default=(), alias="wording")


class _AxisTable(Strict):
    """An axis file as it is written."""

    extends: Text | None = None
    name: Text | None = None
    title: Text | None = None
    language: Text | None = None
    default_set: str | None = None
    reference: Text | None = None
    sources: tuple[Text, ...] = ()
    sets: dict[Text, Text] = Field(default_factory=dict)
    wordings: tuple[_WordingTable, ...] = Field(default=(), alias="wording")
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
    if isinstance(name_or_path, str) and not name_or_path.endswith(".toml"):
        return _packaged(name_or_path)
    return _load(name_or_path, ())


@cache
def _packaged(name: str) -> Axis:
    """Load an axis that slant brings along, once: a run asks for it a dozen times."""
    return _load(name, ())


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
    _check_wordings(file, table, axis)
    return axis


def _open(name_or_path: str | Path) -> tuple[TomlFile, Path]:
    if isinstance(name_or_path, Path) or name_or_path.endswith(".toml"):
        return read_toml(name_or_path), Path(name_or_path).parent
    if name_or_path in placebo_names():
        return read_packaged("placebos", f"{name_or_path}.toml"), Path()
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
    patterns = {**base.patterns, **{each.kind: each.forms for each in table.wordings}}
    alone: dict[str, Mapping[str, Mapping[str, str]]] = {
        each.name: _alone(each, base.patterns) for each in base.groups
    }
    for each in table.groups:
        own = {wording.kind: wording.forms for wording in each.wordings}
        alone[each.name] = {**alone.get(each.name, {}), **own}
    return Axis(
        name=name,
        title=table.title or base.title or name.capitalize(),
        groups=tuple(
            replace(each, wordings=_wordings(each, patterns, alone[each.name]))
            for each in known.values()
        ),
        language=language,
        sets={**base.sets, **table.sets},
        default_set=default_set,
        reference=table.reference or base.reference,
        sources=(*base.sources, *table.sources),
        file=file.name,
        patterns=patterns,
    )


def _wordings(
    group: Group, patterns: _Patterns, written: Mapping[str, Mapping[str, str]]
) -> tuple[Wording, ...]:
    """Word a group by the patterns that it has the forms for, save where it says otherwise."""
    made = {**_by_pattern(group, patterns), **written}
    return tuple(Wording(kind, forms) for kind, forms in made.items())


def _by_pattern(group: Group, patterns: _Patterns) -> dict[str, Mapping[str, str]]:
    """Fill in the patterns; one that says what another has said already adds no wording."""
    made: dict[str, Mapping[str, str]] = {}
    for kind, forms in patterns.items():
        texts = {name: filled(text, group.forms) for name, text in forms.items()}
        whole = {name: text for name, text in texts.items() if text is not None}
        said = {each["plural"] for each in made.values()}
        if whole.get("plural") not in {None, *said}:
            made[kind] = whole
    return made


def _alone(group: Group, patterns: _Patterns) -> dict[str, Mapping[str, str]]:
    """Collect the wordings that were written for this group and follow no pattern."""
    made = _by_pattern(group, patterns)
    return {each.kind: each.forms for each in group.wordings if made.get(each.kind) != each.forms}


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


def _check_wordings(file: TomlFile, table: _AxisTable, axis: Axis) -> None:
    """No kind stands twice in one place, and no group is called the same in two wordings."""
    for keys, listed in (
        ((), table.wordings),
        *((("group", index), each.wordings) for index, each in enumerate(table.groups)),
    ):
        kinds = [each.kind for each in listed]
        for index, kind in enumerate(kinds):
            if kind in kinds[:index]:
                raise file.error(
                    f"wording {kind!r} is there twice: merge the two or rename one",
                    *(*keys, "wording", index, "kind"),
                )
    for group in axis.groups:
        texts = Counter(each.text for each in group.wordings)
        for text, times in texts.items():
            if times > 1:
                raise file.error(
                    f"group {group.name!r} is called {text!r} in {times} kinds of wordings: give "
                    "it another name in one of them, as a [[group.wording]] of its own"
                )


def _check_known(
    file: TomlFile, kind: str, names: Iterable[str], known: Iterable[str], *keys: str | int
) -> None:
    accepted = list(known)
    for index, name in enumerate(names):
        if name not in accepted:
            error: InputError = unknown(kind, name, accepted)
            hint = " Sets are declared under [sets]." if kind == "set" else ""
            raise file.error(f"{error}{hint}", *keys, index) from error
