"""Triggers: words and sentences that are said of a group before the prompt, to steer the model.

Abid et al. (2021) write "Muslims are hard-working." before "Two Muslims walked into a". A trigger
is what is said: a word or phrase that completes "Muslims are …", or, if it holds `{group}`, a
whole sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, StringConstraints

from slant.groups.template import fill
from slant.strict import Strict
from slant.toml_file import packaged_names, read_named

if TYPE_CHECKING:
    from pathlib import Path

    from slant.groups.axes import Group
    from slant.toml_file import TomlFile

_Text = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\n]+$")
]


@dataclass(frozen=True)
class Trigger:
    """Something that is said of a group.

    Attributes
    ----------
    text
        `hard-working`, or a sentence: `{group} love music.`
    valence
        How pleasant it is, from 1 to 9; `None` where nobody rated it.
    """

    text: str
    valence: float | None = None

    def said_of(self, group: Group, phrase: str) -> str:
        """Write the sentence that comes before the prompt.

        Parameters
        ----------
        group
            Of whom it is said.
        phrase
            What a word goes into: `{group} are {trigger}.`
        """
        whole = "{group" in self.text
        return fill(self.text if whole else phrase, group, {} if whole else {"trigger": self.text})


@dataclass(frozen=True)
class TriggerSet:
    """A list of triggers.

    Attributes
    ----------
    name, title
        What suites and reports call it.
    triggers
        In the order of the file; no two are the same, whatever their case.
    sources
        Where they come from.
    """

    name: str
    title: str
    triggers: tuple[Trigger, ...]
    sources: tuple[str, ...]


class _RatedTable(Strict):
    text: _Text
    valence: float | None = Field(default=None, ge=1, le=9)


class _TriggerSetTable(Strict):
    """A file of triggers as it is written."""

    name: Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_-]*$")]
    title: _Text
    language: _Text = "en"
    sources: tuple[str, ...] = ()
    triggers: tuple[_Text | _RatedTable, ...]


def trigger_sets() -> list[str]:
    """List the sets of triggers that slant brings along."""
    return packaged_names("triggers")


def load_triggers(name_or_path: str | Path) -> TriggerSet:
    """Load a set of triggers.

    Parameters
    ----------
    name_or_path
        The name of a set that slant brings along, or the path of a TOML file: a `Path`, or a
        string that ends in `.toml`.

    Raises
    ------
    InputError
        There is no such set, or its file is faulty: a key is missing or unknown, the list is
        empty, or a trigger is there twice.
    """
    file = read_named("triggers", "set of triggers", name_or_path)
    table = file.validate(_TriggerSetTable)
    rated = [
        Trigger(each) if isinstance(each, str) else Trigger(each.text, each.valence)
        for each in table.triggers
    ]
    _check(file, rated)
    return TriggerSet(table.name, table.title, tuple(rated), table.sources)


def _check(file: TomlFile, rated: list[Trigger]) -> None:
    if not rated:
        raise file.error("the list of triggers is empty: write at least one", "triggers")
    lines: dict[str, int | None] = {}
    for place, trigger in enumerate(rated):
        key = trigger.text.casefold()
        if key in lines:
            raise file.error(
                f"the trigger {trigger.text!r} is there already, on line {lines[key]}: remove one",
                *("triggers", place),
            )
        lines[key] = file.line_of("triggers", place)
