"""Words that name a group, counted in texts: she and her, he and his, a black teacher."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from pydantic import StringConstraints

from slant.errors import InputError, unknown
from slant.groups.axes import axis_names
from slant.groups.axis_file import load_axis
from slant.groups.occupations import occupations
from slant.strict import Strict
from slant.toml_file import packaged_names, read_packaged, read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from numpy.typing import NDArray

    from slant.groups.axes import Axis
    from slant.groups.person_names import PersonNames

_Word = Annotated[str, StringConstraints(min_length=1, pattern=r"^\S(.*\S)?$")]


class _WordsFile(Strict):
    """A file of group words as it is written."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
    title: str = ""
    language: str = "en"
    source: str = ""
    followed_by: Literal["occupation"] | None = None
    words: dict[_Word, tuple[_Word, ...]]


@dataclass(frozen=True)
class GroupWords:
    """Words by group.

    Attributes
    ----------
    name, title
        What suites and reports call the division: `gender`.
    words
        Group → its words and phrases; case does not matter, words are whole words.
    before_occupation
        Whether a word counts only where an occupation follows: a black teacher, no black ball.
    people
        Persons by group, whose names count too.
    source
        Where they come from.
    """

    name: str
    title: str
    words: Mapping[str, tuple[str, ...]]
    before_occupation: bool = False
    people: PersonNames | None = None
    source: str = ""

    @property
    def groups(self) -> list[str]:
        """The groups, in the order of the file."""
        return list(self.words)

    @property
    def content(self) -> list[object]:
        """What is counted, for signatures."""
        people = None if self.people is None else dict(self.people.groups)
        return [dict(self.words), self.before_occupation, people]

    @cached_property
    def patterns(self) -> dict[str, str]:
        """A regular expression for each group, as Rust and Python both read it."""
        then = rf"\s+(?:{_any_of(occupations())})\b" if self.before_occupation else ""
        return {
            group: rf"(?i)\b(?:{_any_of(words)})\b{then}" for group, words in self.words.items()
        }

    def count(self, texts: pl.Series) -> NDArray[np.float64]:
        """Count each group's words, and the names of its people, in texts.

        Returns
        -------
        numpy.ndarray
            Shape (texts, groups), as whole numbers.
        """
        counts = np.column_stack(
            [texts.str.count_matches(pattern).to_numpy() for pattern in self.patterns.values()]
        ).astype(np.float64)
        if self.people is not None:
            counts += self.people.count(texts, self.groups)
        return counts

    def spans(self, text: str) -> list[tuple[int, int, str]]:
        """Find where words of any group stand in a text, and of which: start, end, group."""
        found = [
            (*each.span(), group)
            for group, pattern in self.patterns.items()
            for each in re.finditer(pattern, text)
        ]
        if self.people is not None:
            found += self.people.spans(text)
        return sorted(found)

    def with_people(self, people: PersonNames) -> GroupWords:
        """Count the names of persons too.

        Raises
        ------
        InputError
            A person is of a group that has no words here.
        """
        for group in people.groups.values():
            if group not in self.words:
                raise InputError(
                    f"group {group!r} is not one of {self.name}: there is {', '.join(self.words)}",
                    file=people.file,
                )
        return replace(self, people=people)


def _any_of(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def load_group_words(name_or_path: str | Path) -> GroupWords:
    """Load words by group.

    Parameters
    ----------
    name_or_path
        A packaged name such as `gender`, an axis of groups such as `religion` (what its groups
        are called, and their demonyms, are their words), or the path of a TOML file.

    Raises
    ------
    InputError
        There is no such file, it is faulty, has fewer than two groups, or a word stands for two.
    """
    if isinstance(name_or_path, Path) or name_or_path.endswith(".toml"):
        file = read_toml(name_or_path)
    elif name_or_path in packaged_names("group_words"):
        file = read_packaged("group_words", f"{name_or_path}.toml")
    elif name_or_path in axis_names():
        return _of_axis(load_axis(name_or_path))
    else:
        known = sorted({*packaged_names("group_words"), *axis_names()})
        raise unknown("set of group words", name_or_path, known)
    table = file.validate(_WordsFile)
    if len(table.words) < 2:
        raise file.error("there must be two groups or more to compare", "words")
    seen: dict[str, str] = {}
    for group, words in table.words.items():
        if not words:
            raise file.error(f"group {group!r} has no words", "words", group)
        for word in words:
            other = seen.setdefault(word.casefold(), group)
            if other != group:
                raise InputError(
                    f"the word {word!r} stands for {other!r} and for {group!r}: keep one",
                    file=file.name,
                    line=file.line_of("words", group),
                )
    return GroupWords(
        table.name,
        table.title or table.name.capitalize(),
        table.words,
        table.followed_by is not None,
        source=table.source,
    )


def _of_axis(axis: Axis) -> GroupWords:
    """Take an axis's groups by what they are called; a word that two share names neither."""
    words = {
        group.name: {word.casefold() for word in (*group.forms.values(), *group.demonyms)}
        for group in axis.select()
    }
    own = {
        name: tuple(
            sorted(
                word
                for word in mine
                if not any(word in theirs for other, theirs in words.items() if other != name)
            )
        )
        for name, mine in words.items()
    }
    kept = {name: mine for name, mine in own.items() if mine}
    return GroupWords(axis.name, axis.title, kept, source="; ".join(axis.sources))
