"""Captions and pictures to tell stories about, from TOML or from a table.

A TOML file has scenes (`[[frame]]`) in which `{attribute}` is replaced by each `[[attribute]]`, so
that captions differ in one thing only; or single captions (`[[caption]]`), as a table has them. A
table has a row for each: `id`, `caption` or `picture` (a file, as seen from the table), `attribute`
or `group` (what is compared), and `frame`: rows of the same scene are each other's counterfactuals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints

from slant.errors import InputError, unknown
from slant.models.picture_file import read_picture
from slant.strict import Strict, Text
from slant.table_file import read_rows
from slant.toml_file import packaged_names, read_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slant.records import Picture
    from slant.studies.story.settings import StorySettings
    from slant.toml_file import TomlFile

_FOLDER = "captions"
SLOT = "{attribute}"
LONGEST_CAPTION = 300
"""In characters: a caption is a sentence."""


@dataclass(frozen=True)
class Caption:
    """A caption, or a picture that has none yet.

    Attributes
    ----------
    id
        What the source calls it.
    text
        The caption; empty for a picture that is still to be captioned.
    group
        What is compared: an attribute or a group.
    frame
        The scene; captions of one scene are each other's counterfactuals. Empty if it has none.
    picture
        The picture, if there is one.
    """

    id: str
    text: str
    group: str
    frame: str = ""
    picture: Picture | None = None


@dataclass(frozen=True)
class Captions:
    """All that stories are told about.

    Attributes
    ----------
    axis
        What the groups differ in: `attire`.
    captions
        In the order of the source.
    reference
        The group that the others are compared with, if the source names one.
    """

    axis: str
    captions: tuple[Caption, ...]
    reference: str | None = None

    @property
    def groups(self) -> list[str]:
        """The groups, in the order in which they come."""
        return list(dict.fromkeys(each.group for each in self.captions))


class Attribute(Strict):
    """Something that captions differ in: its words, and what its wordings are made of."""

    name: Text
    text: str = ""
    thing: str = ""


class _Wording(Strict):
    kind: Text
    text: Annotated[str, StringConstraints(pattern=r"\{thing\}")]


class _Frame(Strict):
    id: Text
    caption: Text


class _Single(BaseModel):
    """One `[[caption]]`, and one row of a table."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str | int
    caption: str | None = None
    picture: str | None = None
    attribute: str | None = None
    group: str | None = None
    frame: str | int | None = None


class Scenes(Strict):
    """A file of captions, as it stands.

    Attributes
    ----------
    frame, attribute
        Scenes, and what goes into each.
    wording
        In which ways an attribute's thing can be worded.
    placebo
        Attributes that cannot matter.
    caption
        Single captions.
    """

    name: Text
    title: Text = ""
    axis: Text = "attribute"
    reference: str | None = None
    sources: tuple[str, ...] = ()
    wording: tuple[_Wording, ...] = ()
    attribute: tuple[Attribute, ...] = ()
    placebo: tuple[Attribute, ...] = ()
    frame: tuple[_Frame, ...] = ()
    caption: tuple[_Single, ...] = ()


def load_captions(settings: StorySettings) -> Captions:
    """Load captions as a suite asks for them.

    Raises
    ------
    InputError
        There is no such set or file; a caption is empty, too long or there twice; a picture is
        none or too large; an attribute or a reference is unknown; or there is nothing to compare.
    """
    name = settings.captions
    if name.lower().endswith(".toml") or name in packaged_names(_FOLDER):
        found = _from_toml(name, settings)
    elif Path(name).suffix:
        found = _from_table(Path(name), settings)
    else:
        raise unknown("set of captions", name, packaged_names(_FOLDER))
    if settings.attributes is not None:
        for wanted in settings.attributes:
            if wanted not in found.groups:
                raise unknown("attribute", wanted, found.groups)
        kept = tuple(each for each in found.captions if each.group in settings.attributes)
        found = replace(found, captions=kept)
    reference = settings.reference
    if reference is None:  # that of the file holds where it was not left out
        reference = found.reference if found.reference in found.groups else None
    elif reference not in found.groups:
        raise unknown("reference", reference, found.groups)
    if len(found.groups) < 2:
        raise InputError(
            f"captions {Path(name).name!r}: all are of the group {found.groups[0]!r}, and there is "
            "nothing to compare it with: add captions of another",
        )
    return replace(found, reference=reference)


def read_scenes(settings: StorySettings) -> Scenes:
    """Read the file of scenes that a suite names.

    Raises
    ------
    InputError
        There is none of that name, it is faulty, or it is a table.
    """
    name = settings.captions
    if not (name.lower().endswith(".toml") or name in packaged_names(_FOLDER)):
        raise InputError(
            f'wordings = "all" needs scenes in a TOML file, and captions {Path(name).name!r} are a '
            'table: write [[frame]] and [[wording]], or set wordings = "one"'
        )
    return read_named(_FOLDER, "set of captions", name).validate(Scenes)


def _from_toml(name: str, settings: StorySettings) -> Captions:
    file = read_named(_FOLDER, "set of captions", name)
    table = file.validate(Scenes)
    packaged = name in packaged_names(_FOLDER)
    folder = Path(str(files("slant.data") / _FOLDER)) if packaged else Path(name).parent
    singles = [
        _caption(each, settings, folder, file.name, file.line_of("caption", number))
        for number, each in enumerate(table.caption)
    ]
    framed = list(_framed(file, table))
    if not (singles or framed):
        raise file.error("there are no captions: write [[frame]] and [[attribute]], or [[caption]]")
    scenes = dict.fromkeys(each.frame for each in (*framed, *singles) if each.frame)
    kept = {"", *list(scenes)[: settings.frames]}
    framed, singles = ([each for each in own if each.frame in kept] for own in (framed, singles))
    _refuse_repetition([*framed, *singles], file.name)
    if table.reference is not None and table.reference not in {
        each.group for each in (*framed, *singles)
    }:
        raise file.error(f"no attribute is called {table.reference!r}", "reference")
    return Captions(table.axis, (*framed, *singles), table.reference)


def _framed(file: TomlFile, table: Scenes) -> Iterator[Caption]:
    """Write every attribute into every scene, scene by scene."""
    if bool(table.frame) != bool(table.attribute):
        raise file.error("[[frame]] and [[attribute]] need each other")
    for kind, names in (
        ("attribute", [each.name for each in table.attribute]),
        ("frame", [each.id for each in table.frame]),
    ):
        for number, name in enumerate(names):
            if name in names[:number]:
                raise file.error(f"the {kind} {name!r} is there twice: rename one", kind, number)
    for number, frame in enumerate(table.frame):
        if frame.caption.count(SLOT) != 1:
            raise file.error(
                f"the caption {frame.caption!r} needs {SLOT} once, where captions differ",
                *("frame", number, "caption"),
            )
        for attribute in table.attribute:
            text = " ".join(frame.caption.replace(SLOT, attribute.text).split())
            text = re.sub(r"\s+([.,;!?])", r"\1", text)
            yield Caption(f"{frame.id}/{attribute.name}", text, attribute.name, frame.id)


def _from_table(path: Path, settings: StorySettings) -> Captions:
    found = []
    for line, row in read_rows(path):
        plain = {name: value for name, value in row.items() if value is not None}
        if "id" not in plain:
            raise InputError("there is no id: every caption needs one", file=path, line=line)
        single = _Single(**{name: _written(value) for name, value in plain.items()})
        found.append(_caption(single, settings, path.parent, str(path), line))
    if not found:
        raise InputError(
            "there are no records: expected id, caption or picture, and attribute or group",
            file=path,
        )
    _refuse_repetition(found, str(path))
    return Captions(settings.compare, tuple(found))


def _written(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _caption(
    single: _Single, settings: StorySettings, folder: Path, file: str, line: int | None
) -> Caption:
    """Check a single caption, and its picture if there is one."""

    def fault(message: str) -> InputError:
        return InputError(f"caption {str(single.id)!r:.60}: {message}", file=file, line=line)

    order = (single.attribute, single.group)
    group = next((each for each in (order if settings.compare == "attribute" else order[::-1])
                  if each and each.strip()), None)  # fmt: skip
    if group is None:
        raise fault("there is neither attribute nor group: say what is compared")
    text = " ".join((single.caption or "").split())
    if single.caption is not None and not text:
        raise fault("the caption is empty: write one, or leave it out and give a picture")
    if not text and not single.picture:
        raise fault("there is neither a caption nor a picture")
    if len(text) > LONGEST_CAPTION:
        raise fault(
            f"{len(text)} characters, and at most {LONGEST_CAPTION} are a caption: shorten it"
        )
    picture = None
    if single.picture:
        picture = read_picture(folder / single.picture, file=file, line=line)
    frame = "" if single.frame is None else str(single.frame).strip()
    return Caption(str(single.id), text, group.strip(), frame, picture)


def _refuse_repetition(captions: list[Caption], file: str) -> None:
    seen: set[str] = set()
    for each in captions:
        if each.id in seen:
            raise InputError(f"the id {each.id!r} is there twice: rename one", file=file)
        seen.add(each.id)
