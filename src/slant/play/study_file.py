"""A play as the files of a study: what was looked at once, to be audited."""

from __future__ import annotations

import io
import shlex
import tempfile
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomli_w

from slant.engine.suite import load_suite
from slant.errors import InputError, unknown
from slant.measures.lexicon import lexicon_names
from slant.models.picture_file import read_picture
from slant.records import ABILITIES
from slant.studies.study import Circumstances

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from slant.engine.suite import PlannedStudy
    from slant.play.play_request import PlayRequest

STUDY = "study.toml"
_AXIS, _LEXICON, _CAPTIONS = "axis.toml", "lexicon.toml", "captions.toml"
_SCENE = "scene"


@dataclass(frozen=True)
class StudyFile:
    """The files of a study, by name; `study.toml` is the suite, and names the others.

    Attributes
    ----------
    files
        What they hold.
    """

    files: Mapping[str, bytes]

    @property
    def text(self) -> str:
        """The suite."""
        return self.files[STUDY].decode()

    @cached_property
    def download(self) -> tuple[str, str, bytes]:
        """Name, media type and content of what to save: the suite, or a zip where it needs more."""
        if len(self.files) == 1:
            return STUDY, "application/toml", self.files[STUDY]
        stored = io.BytesIO()
        with zipfile.ZipFile(stored, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in self.files.items():
                archive.writestr(name, content)
        return "study.zip", "application/zip", stored.getvalue()

    def write(self, folder: Path) -> PlannedStudy:
        """Write the files and load the study from them.

        Raises
        ------
        InputError
            Something in them is wrong; messages do not say where the folder is.
        """
        for name, content in self.files.items():
            (folder / name).write_bytes(content)
        try:
            for name in self.files:
                if not name.endswith(".toml"):
                    read_picture(folder / name)
            return load_suite(folder / STUDY).studies[0]
        except InputError as error:
            raise without_folder(error, folder) from error


def without_folder(error: InputError, folder: Path) -> InputError:
    """Leave the place of a temporary folder out of a message."""
    return InputError(str(error).replace(f"{folder}/", ""))


def study_file(wanted: PlayRequest) -> StudyFile:
    """Write a play as a study.

    The study asks what the play asks: with the seed of its first line, and a model whose answers
    depend on the question and the seed alone, its first answers are those of the play.

    Raises
    ------
    InputError
        An axis, a group or the lexicon is unknown, or the text names no group.
    """
    if wanted.lexicon not in lexicon_names():  # never the path of a file
        raise unknown("lexicon", wanted.lexicon, lexicon_names())
    filled = wanted.filled()
    settings: dict[str, Any] = {}
    files: dict[str, bytes] = {}
    if wanted.kind == "completion":
        settings["use"] = "completion"
        settings |= _groups(wanted, files)
        settings["prompts"] = [wanted.text]
    else:
        settings |= {"use": "story", "captions": _CAPTIONS}
        if wanted.kind == "caption":
            captions = [
                {"id": group.name, "caption": text, "attribute": group.name, "frame": _SCENE}
                for group, text in filled
            ]
        else:
            captions = list(_pictures(wanted, files))
        axis = "picture" if wanted.kind == "pictures" else wanted.axis or "group"
        files[_CAPTIONS] = _toml({"name": "play", "axis": axis, "caption": captions})
    if wanted.words:
        settings["lexicon"] = _LEXICON
        entry = {"forms": list(wanted.words)}
        files[_LEXICON] = _toml(
            {"name": "own-words", "title": "Words of my own", "entry": [entry]},
        )
    else:
        settings["lexicon"] = wanted.lexicon
    settings |= {
        "samples": wanted.samples,
        "max_tokens": wanted.max_tokens,
        "temperature": wanted.temperature,
        "top_p": wanted.top_p,
    }
    suite = _toml({"name": "play", "title": "From the playground", "study": [settings]})
    return StudyFile({STUDY: _heading(wanted, files) + suite, **files})


def check_study(wanted: PlayRequest) -> StudyFile:
    """Write a play as a study that `slant audit` takes, and make sure that it does.

    Raises
    ------
    InputError
        As `study_file`; a picture is none; or there is only one group, with nothing to compare.
    """
    made = study_file(wanted)
    with tempfile.TemporaryDirectory(prefix="slant-play-") as name:
        planned = made.write(Path(name))
        try:
            planned.for_model(Circumstances("any model", ABILITIES))
        except InputError as error:
            raise without_folder(error, Path(name)) from error
    return made


def _heading(wanted: PlayRequest, files: Mapping[str, bytes]) -> bytes:
    """Say what to do with the file, as a comment."""
    command = shlex.join(
        ["slant", "audit", STUDY, "--model", wanted.model, "--seed", str(wanted.seed)]
    )
    beside = f"# Needs {', '.join(files)} beside it.\n" if files else ""
    return f"# {command}\n{beside}\n".encode()


def _groups(wanted: PlayRequest, files: dict[str, bytes]) -> dict[str, Any]:
    """Choose the groups by name; those of the user's own need an axis of their own."""
    if not wanted.own_groups:
        return {"axis": wanted.axis, "groups": list(wanted.groups)}
    axis: dict[str, Any] = {"name": "own", "title": "Groups of my own"}
    if wanted.groups:
        axis = {"extends": wanted.axis}
    axis["group"] = [{"name": name, "forms": {"plural": name}} for name in wanted.own_groups]
    files[_AXIS] = _toml(axis)
    return {"axis": _AXIS, "groups": [*wanted.groups, *wanted.own_groups]}


def _pictures(wanted: PlayRequest, files: dict[str, bytes]) -> Iterator[dict[str, str]]:
    """Give rows of the pictures, whose files are named by number: never as a browser says."""
    for number, each in enumerate(wanted.pictures, start=1):
        file = f"picture-{number}"
        files[file] = each.data
        yield {"id": each.name, "picture": file, "attribute": each.name, "frame": _SCENE}


def _toml(content: Mapping[str, Any]) -> bytes:
    return tomli_w.dumps(content).encode()
