"""Words that name a group, counted in texts: she and her, he and his."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, StringConstraints

from slant.errors import InputError, unknown
from slant.toml_file import packaged_names, read_packaged, read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from numpy.typing import NDArray

_Word = Annotated[str, StringConstraints(min_length=1, pattern=r"^\S(.*\S)?$")]


class _WordsFile(BaseModel):
    """A file of group words as it is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
    title: str = ""
    language: str = "en"
    source: str = ""
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
    source
        Where they come from.
    """

    name: str
    title: str
    words: Mapping[str, tuple[str, ...]]
    source: str = ""

    @property
    def groups(self) -> list[str]:
        """The groups, in the order of the file."""
        return list(self.words)

    def patterns(self) -> dict[str, str]:
        """Give a regular expression for each group, as Rust and Python both read it."""
        return {
            group: rf"(?i)\b(?:{'|'.join(re.escape(word) for word in _longest_first(words))})\b"
            for group, words in self.words.items()
        }

    def count(self, texts: pl.Series) -> NDArray[np.float64]:
        """Count each group's words in texts.

        Returns
        -------
        numpy.ndarray
            Shape (texts, groups), as whole numbers.
        """
        columns = [
            texts.str.count_matches(pattern).to_numpy() for pattern in self.patterns().values()
        ]
        return np.column_stack(columns).astype(np.float64)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Find where words of any group stand in a text."""
        found = (each.span() for pattern in self.patterns().values()
                 for each in re.finditer(pattern, text))  # fmt: skip
        return sorted(found)


def _longest_first(words: tuple[str, ...]) -> list[str]:
    return sorted(words, key=len, reverse=True)


def load_group_words(name_or_path: str | Path) -> GroupWords:
    """Load words by group.

    Parameters
    ----------
    name_or_path
        A packaged name such as `gender`, or the path of a TOML file.

    Raises
    ------
    InputError
        There is no such file, it is faulty, has fewer than two groups, or a word stands for two.
    """
    if isinstance(name_or_path, Path) or name_or_path.endswith(".toml"):
        file = read_toml(name_or_path)
    elif name_or_path in packaged_names("group_words"):
        file = read_packaged("group_words", f"{name_or_path}.toml")
    else:
        raise unknown("set of group words", name_or_path, packaged_names("group_words"))
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
    return GroupWords(table.name, table.title or table.name.capitalize(), table.words, table.source)
