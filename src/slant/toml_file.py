"""TOML files, read so that every complaint names the file and the line.

Suites, axes, lexicons and planted models are TOML that people write by hand. All of them are
read here, and so are the files that slant brings along.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from slant import limits
from slant.errors import InputError, unknown
from slant.regular_file import read_text

if TYPE_CHECKING:
    from collections.abc import Collection
    from importlib.resources.abc import Traversable

    from pydantic_core import ErrorDetails

_SHOWN = 20
"""Faults that a message tells one by one."""

_TOO_DEEP = re.compile(
    r"""(?m)(?:^|[{,\[])[ \t]*(?:(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){10}"""
)
"""Keys in keys: what `tomllib` needs for them grows with the square of their number."""

M = TypeVar("M", bound=BaseModel)
KeyPath: TypeAlias = tuple[str | int, ...]
"""The way to a value: keys as strings, places in arrays as numbers from 0."""


@dataclass(frozen=True)
class TomlFile:
    """A TOML file that knows where its keys stand.

    Attributes
    ----------
    name
        What messages call the file.
    text
        What it says.
    data
        What it means.
    """

    name: str
    text: str
    data: dict[str, Any]

    @cached_property
    def _lines(self) -> dict[KeyPath, int]:
        return _Scan(self.text).lines

    def line_of(self, *keys: str | int) -> int | None:
        """Find the line of a key, counted from 1.

        Parameters
        ----------
        keys
            The way to it: table names and keys as strings, places in arrays as numbers from 0.

        Returns
        -------
        int or None
            Where the file lacks the key, the line of what should hold it, or else `None`.
        """
        paths = (keys[:end] for end in range(len(keys), 0, -1))
        return next((self._lines[path] for path in paths if path in self._lines), None)

    def error(self, message: str, *keys: str | int) -> InputError:
        """Build the error for something wrong at a key."""
        return InputError(message, file=self.name, line=self.line_of(*keys))

    def validate(self, model: type[M], *, at: KeyPath = (), without: Collection[str] = ()) -> M:
        """Check the data, or a part of them, against a pydantic model.

        Parameters
        ----------
        model
            What the data should look like.
        at
            Which part of the file to check; all of it when empty.
        without
            Keys of that part which the caller has dealt with.

        Raises
        ------
        InputError
            All that is wrong, each with file, line and key, in the order of the lines.
        """
        part: Any = self.data
        for key in at:
            part = part[key]
        if without:
            part = {key: value for key, value in part.items() if key not in without}
        try:
            return model.model_validate(part)
        except ValidationError as error:
            problems = [
                ((*at, *_path_in(part, problem)), problem)
                for problem in error.errors(include_url=False)
            ]
        problems.sort(key=lambda each: self.line_of(*each[0]) or 0)
        faults = [
            (self.line_of(*path), (f"{_spelt(path)}: " if path else "") + _explain(problem, model))
            for path, problem in problems[:_SHOWN]
        ]
        (line, first), *others = faults
        also = [f"\n{InputError(said, file=self.name, line=where)}" for where, said in others]
        more = f"\nand {len(problems) - _SHOWN:,} more" if len(problems) > _SHOWN else ""
        raise InputError(first + "".join(also) + more, file=self.name, line=line)


def read_toml(path: Path | str | Traversable, name: str | None = None) -> TomlFile:
    """Read a TOML file.

    Parameters
    ----------
    path
        Where it is.
    name
        What messages call it; the path when left out.

    Raises
    ------
    InputError
        It cannot be opened, is not UTF-8, is not TOML, or is larger than `slant.limits` allows.
    """
    where = Path(path) if isinstance(path, str) else path
    name = str(path) if name is None else name
    return parse_toml(read_text(where, limits.TOML_BYTES, name), name)


def parse_toml(text: str, name: str) -> TomlFile:
    """Read TOML that is at hand as text.

    Parameters
    ----------
    text
        What it says.
    name
        What messages call it.

    Raises
    ------
    InputError
        It is not TOML.
    """
    if deep := _TOO_DEEP.search(text):
        raise InputError(
            "a key has more than ten parts: write tables within tables less deep",
            file=name,
            line=text.count("\n", 0, deep.end()) + 1,
        )
    try:
        return TomlFile(name, text, tomllib.loads(text))
    except RecursionError as error:
        raise InputError("arrays or tables are nested too deeply", file=name) from error
    except ValueError as error:
        said = str(error)
        place = re.search(r"at line (\d+), column \d+", said)
        last = text.rstrip("\n").count("\n") + 1 if "end of document" in said else None
        raise InputError(
            f"this is not TOML: {said[0].lower()}{said[1:]}",
            file=name,
            line=int(place[1]) if place else last,
        ) from error


def read_packaged(*parts: str) -> TomlFile:
    """Read a TOML file that slant brings along, given its path inside `slant/data`."""
    return read_toml(files("slant.data").joinpath(*parts), name="/".join(("slant/data", *parts)))


def read_named(
    folder: str, what: str, name_or_path: str | Path, names: Collection[str] | None = None
) -> TomlFile:
    """Read a TOML file that slant brings along, by its name, or the user's own.

    Parameters
    ----------
    folder
        Where in `slant/data` it would be.
    what
        What messages call it, for example `set of nouns`.
    name_or_path
        A name, or the path of a TOML file: a `Path`, or a string that ends in `.toml`.
    names
        The names that are known; those of all files in the folder when left out.

    Raises
    ------
    InputError
        There is none of that name, or the file cannot be read.
    """
    if isinstance(name_or_path, Path) or name_or_path.lower().endswith(".toml"):
        return read_toml(name_or_path)
    known = packaged_names(folder) if names is None else names
    if name_or_path not in known:
        raise unknown(what, name_or_path, known)
    return read_packaged(folder, f"{name_or_path}.toml")


def packaged_names(folder: str) -> list[str]:
    """List the TOML files in a folder of `slant/data`, without their ending."""
    found = [each.name for each in files("slant.data").joinpath(folder).iterdir()]
    return sorted(name.removesuffix(".toml") for name in found if name.endswith(".toml"))


def _explain(problem: ErrorDetails, model: type[BaseModel]) -> str:
    if problem["type"] == "extra_forbidden":
        known = _known_keys(model, problem["loc"][:-1])
        near = difflib.get_close_matches(str(problem["loc"][-1]), known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}? " if near else ""
        return f"unknown key: {hint}Known: {', '.join(known)}"
    if problem["type"] == "missing":
        return "missing: this key is required"
    message = problem["msg"]
    if problem["type"] == "value_error":
        return message.removeprefix("Value error, ")
    found = repr(problem["input"])
    found = found if len(found) <= 60 else found[:57] + "..."
    return f"{message.replace('Input should', 'it should')}; found {found}"


def _path_in(data: Any, problem: ErrorDetails) -> KeyPath:
    """Keep what leads through the data: pydantic adds the names of union members."""
    path: list[str | int] = []
    for key in problem["loc"]:
        is_place = isinstance(data, list) and isinstance(key, int) and key < len(data)
        if is_place or (isinstance(data, dict) and key in data):
            path.append(key)
            data = data[key]
    return (*path, problem["loc"][-1]) if problem["type"] == "missing" else tuple(path)


def _known_keys(model: type[BaseModel], loc: KeyPath) -> list[str]:
    reached = {model}
    for key in loc:
        fields = [pair for each in reached for pair in each.model_fields.items()]
        entered = [field.annotation for name, field in fields if key in (name, field.alias)]
        reached = {found for annotation in entered for found in _models_in(annotation)} or reached
    pairs = (pair for each in reached for pair in each.model_fields.items())
    return sorted(field.alias or name for name, field in pairs)


def _models_in(annotation: Any) -> set[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {annotation}
    return {found for part in get_args(annotation) for found in _models_in(part)}


def _spelt(path: KeyPath) -> str:
    parts = (f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
    return "".join(parts).removeprefix(".")


class _Scan:
    """Finds the line of every key and array element of a document that `tomllib` accepts."""

    BARE_KEY = re.compile(r"[A-Za-z0-9_-]*")
    BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
    SCALAR = re.compile(r"[^,\]}#\n]*")
    STRING = re.compile(
        r'"""(?:[^\\]|\\.)*?"{3,5}' r"|'''.*?'{3,5}" r'|"(?:[^"\\]|\\.)*"' r"|'[^']*'", re.DOTALL
    )

    def __init__(self, text: str):
        self.text, self.at = text, 0
        self.lines: dict[KeyPath, int] = {}
        self.breaks = [found.start() for found in re.finditer("\n", text)]
        self.sizes: dict[KeyPath, int] = {}  # how many tables each array of tables has so far
        table: KeyPath = ()
        while sign := self.next():
            if sign == "[":
                table = self.header()
            else:
                self.pair(table)

    def skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        self.at += len(found[0]) if found else 0
        return found[0] if found else ""

    def next(self) -> str:
        self.skip(self.BLANK)
        return self.text[self.at : self.at + 1]

    def note(self, path: KeyPath, start: int) -> None:
        for end in range(1, len(path) + 1):
            self.lines.setdefault(path[:end], bisect_left(self.breaks, start) + 1)

    def header(self) -> KeyPath:
        start, depth = self.at, 2 if self.text.startswith("[[", self.at) else 1
        self.at += depth
        keys = self.keys()
        self.at += depth
        path: KeyPath = ()
        for place, key in enumerate(keys, start=1):
            path = (*path, key)
            if depth == 2 and place == len(keys):
                self.sizes[path] = self.sizes.get(path, 0) + 1
            if path in self.sizes:
                path = (*path, self.sizes[path] - 1)
        self.note(path, start)
        return path

    def keys(self) -> list[str]:
        keys: list[str] = []
        while True:
            quoted = self.next() in "\"'"
            key = self.skip(self.STRING if quoted else self.BARE_KEY)
            keys.append(tomllib.loads(f"key = {key}")["key"] if quoted else key)
            if self.next() != ".":
                return keys
            self.at += 1

    def pair(self, table: KeyPath) -> None:
        start = self.at
        path = (*table, *self.keys())
        self.note(path, start)
        self.at += 1  # the sign =
        self.value(path)

    def value(self, path: KeyPath) -> None:
        sign = self.next()
        if sign in "[{":
            self.at += 1
            index = 0
            while self.next() not in "]}":
                if sign == "{":
                    self.pair(path)
                else:
                    self.note((*path, index), self.at)
                    self.value((*path, index))
                self.at += self.next() == ","
                index += 1
            self.at += 1
        else:
            self.skip(self.STRING if sign in "\"'" else self.SCALAR)
