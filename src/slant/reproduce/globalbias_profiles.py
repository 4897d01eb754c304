"""Siddique et al. (2024), GlobalBias: Tables 6, 7, 10 to 13 and 8 from the published profiles.

The files hold three profiles of each of 400 names, as four models wrote them. Every cell is read
as text, for "5.10" is not 5.1 and the religion "None" is a value.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from slant.errors import InputError
from slant.stats.profile_svm import Traits, elimination, split_accuracy
from slant.stats.word_shift import published_words, word_shift
from slant.table_file import read_rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FILES = {name: f"10a_{name}_full.csv" for name in ("llama3", "gpt3", "claude", "gpt4o")}
"""The authors' names of their files, by model."""

LISTS = ("personality_traits", "negative_traits", "hobbies")
PHYSICAL = "physical_characteristics."
WORDS = (
    "age",
    "occupation",
    "socioeconomic_status",
    "sexual_orientation",
    "religion",
    *(PHYSICAL + part for part in ("height", "hair_colour", "eye_colour", "skin_colour", "build")),
)
"""Fields with one value, in the order of the file, which the SVM's ties depend on."""

PUBLISHED = {
    "llama3": (18.3, 30.6, 83.3),
    "gpt3": (21.7, 32.2, 88.9),
    "claude": (26.4, 36.1, 91.9),
    "gpt4o": (33.3, 38.6, 93.9),
}
"""Table 6: accuracy in percent for gender × ethnicity, ethnicity, gender."""

_TARGETS = {"table7": "Group", "table10": "Ethnicity", "table11": "Gender"}
_GENDERS = {"F": "Female", "M": "Male"}
_RELIGIONS = ("jewish", "hindu", "shinto", "buddhist", "muslim")


@dataclass(frozen=True)
class Profiles:
    """The profiles of one file.

    Attributes
    ----------
    names
        Who each is about.
    labels
        `Group` (as `Arab Male`), `Ethnicity` and `Gender` of each.
    traits
        What they say, as published.
    items
        Field to the values of each profile, in lower case.
    """

    names: list[str]
    labels: Mapping[str, list[str]]
    traits: Traits
    items: Mapping[str, list[list[str]]]


@dataclass(frozen=True)
class Word:
    """A word of Tables 12 and 13.

    Attributes
    ----------
    word, group
        Which word sets which group apart.
    share
        Its share of the group's divergence from the rest.
    direction
        `more` where the group gets it more often than the rest, else `less`.
    own, rest
        Its frequency among the values of the group and of the rest.
    """

    word: str
    group: str
    share: float
    direction: str
    own: float
    rest: float


@dataclass(frozen=True)
class Reproduction:
    """What follows from one file.

    Attributes
    ----------
    accuracies
        Table 6: percent, one decimal, for gender × ethnicity, ethnicity, gender.
    changes
        `table7`, `table10`, `table11`: field to change in points when it is left out.
    words
        Field to its ten words (Tables 12 and 13).
    religions
        Word of Table 8 to the two groups that get it more than the rest by most.
    """

    accuracies: list[float]
    changes: Mapping[str, Mapping[str, float]]
    words: Mapping[str, list[Word]]
    religions: Mapping[str, list[str]]


def read_profiles(path: Path) -> Profiles:
    """Read one of the published files.

    Raises
    ------
    InputError
        A column is missing, a group is not as published, or a list is none.
    """
    names: list[str] = []
    labels: dict[str, list[str]] = {name: [] for name in _TARGETS.values()}
    words: dict[str, list[str]] = {name: [] for name in WORDS}
    lists: dict[str, list[list[str]]] = {name: [] for name in LISTS}
    for line, row in read_rows(path):
        missing = [name for name in ("name", *labels, *lists, *words) if name not in row]
        if missing:
            raise InputError(
                f"there is no column {missing[0]!r}: expected the authors' file of profiles",
                file=path,
                line=1,
            )
        ethnicity, gender = str(row["Ethnicity"] or ""), str(row["Gender"] or "")
        if not ethnicity or gender not in _GENDERS:
            raise InputError(
                f"ethnicity {ethnicity!r}, gender {gender!r}: expected such as ARAB and M or F",
                file=path,
                line=line,
            )
        names.append(str(row["name"] or ""))
        labels["Ethnicity"].append(ethnicity)
        labels["Gender"].append(gender)
        labels["Group"].append(f"{ethnicity.capitalize()} {_GENDERS[gender]}")
        for name in WORDS:
            words[name].append(str(row[name] or ""))
        for name in LISTS:
            lists[name].append(_list(str(row[name] or ""), name, path, line))
    if len(set(labels["Group"])) < 2:
        raise InputError("there are fewer than two groups of profiles", file=path)
    traits = Traits(words, {name: [" ".join(each) for each in own] for name, own in lists.items()})
    items = {name: [[value.lower()] for value in own] for name, own in words.items()}
    items |= {name: [[v.lower() for v in each] for each in own] for name, own in lists.items()}
    return Profiles(names, labels, traits, items)


def _list(text: str, column: str, path: Path, line: int) -> list[str]:
    """Read a Python tuple of strings."""
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        found = None
    if not isinstance(found, tuple | list):
        raise InputError(
            f"{column} is {text!r:.60}: expected a list such as ('calm', 'wise', 'shy')",
            file=path,
            line=line,
        )
    return [str(each) for each in found]


def reproduce(profiles: Profiles) -> Reproduction:
    """Recompute the tables of one model."""
    accuracies, changes = [], {}
    for table, target in _TARGETS.items():
        labels = profiles.labels[target]
        try:
            base = split_accuracy(profiles.traits, labels)
            changed = elimination(profiles.traits, labels, base)
        except ValueError as error:
            raise InputError(
                f"the published split cannot be made of these profiles: {error}"
            ) from error
        accuracies.append(round(100 * base, 1))
        changes[table] = {name.removeprefix(PHYSICAL): value for name, value in changed.items()}
    groups = list(dict.fromkeys(profiles.labels["Group"]))
    words = {
        name.removeprefix(PHYSICAL): _words(items, profiles.labels["Group"], groups)
        for name, items in profiles.items.items()
        if name != "age"
    }
    religions = _religions(profiles.items["religion"], profiles.labels["Group"], groups)
    return Reproduction(accuracies, changes, words, religions)


def count_words(
    items: Sequence[Sequence[str]], labels: Sequence[str], groups: Sequence[str]
) -> tuple[list[str], np.ndarray[Any, np.dtype[np.float64]]]:
    """Count values by group.

    Returns
    -------
    words : list of str
        In the order of their first use.
    counts : numpy.ndarray
        Shape (groups, words).
    """
    rows = {group: row for row, group in enumerate(groups)}
    columns: dict[str, int] = {}
    cells = [
        (rows[label], columns.setdefault(word, len(columns)))
        for own, label in zip(items, labels, strict=True)
        for word in own
    ]
    counts = np.zeros((len(groups), len(columns)))
    if cells:
        np.add.at(counts, tuple(np.array(cells).T), 1)
    return list(columns), counts


def _words(
    items: Sequence[Sequence[str]], labels: Sequence[str], groups: Sequence[str]
) -> list[Word]:
    words, counts = count_words(items, labels, groups)
    shift = word_shift(counts)
    total = counts.sum(axis=1)
    found = []
    for group, word in published_words(shift):
        own = float(counts[group, word] / total[group])
        difference = float(shift.difference[group, word])
        found.append(
            Word(
                words[word],
                groups[group],
                round(float(shift.share[group, word]), 3),
                "more" if difference > 0 else "less",
                round(own, 4),
                round(own - difference, 4),
            )
        )
    return found


def _religions(
    items: Sequence[Sequence[str]], labels: Sequence[str], groups: Sequence[str]
) -> dict[str, list[str]]:
    words, counts = count_words(items, labels, groups)
    shift = word_shift(counts)
    signed = np.where(shift.difference > 0, shift.share, 0.0)
    found = {}
    for word in _RELIGIONS:
        own = signed[:, words.index(word)] if word in words else np.zeros(len(groups))
        best = [int(each) for each in np.argsort(-own, kind="stable")[:2] if own[each] > 0]
        found[word] = sorted((groups[each] for each in best), key=_as_printed)
    return found


def _as_printed(group: str) -> tuple[str, bool]:
    ethnicity, gender = group.rsplit(" ", 1)
    return ethnicity, gender != "Male"


def as_json(found: Mapping[str, Reproduction]) -> dict[str, Any]:
    """Lay the tables of all models out for other programs."""
    tables: dict[str, Any] = {"table6": {name: each.accuracies for name, each in found.items()}}
    for table in _TARGETS:
        fields = list(dict.fromkeys(f for each in found.values() for f in each.changes[table]))
        tables[table] = {
            field: {name: each.changes[table][field] for name, each in found.items()}
            for field in fields
        }
    tables["table8_generation"] = {name: dict(each.religions) for name, each in found.items()}
    tables["words"] = {
        name: {
            field: [
                {
                    "word": word.word,
                    "group": word.group,
                    "share": word.share,
                    "direction": word.direction,
                    "group_frequency": word.own,
                    "rest_frequency": word.rest,
                }
                for word in words
            ]
            for field, words in each.words.items()
        }
        for name, each in found.items()
    }
    return tables


def as_text(found: Mapping[str, Reproduction]) -> str:
    """Write the tables for people."""
    lines = ["GlobalBias (Siddique et al. 2024), from the published profiles", ""]
    lines.append("Table 6, accuracy in % for gender × ethnicity, ethnicity, gender (published):")
    for name, each in found.items():
        pairs = zip(each.accuracies, PUBLISHED[name], strict=True)
        lines.append(f"  {name}: " + ", ".join(f"{ours} ({theirs})" for ours, theirs in pairs))
    lines.append(
        "Most names stand in both the training and the test profiles; `slant measure profiles` "
        "keeps them apart, and says what chance gives."
    )
    for table, target in _TARGETS.items():
        what = {"Group": "gender × ethnicity"}.get(target, target.lower())
        lines += ["", f"Table {re.sub('table', '', table)}, change in points without a field:"]
        lines[-1] += f" {what}"
        for name, each in found.items():
            order = sorted(each.changes[table].items(), key=lambda pair: pair[1])
            lines.append(f"  {name}: " + ", ".join(f"{field} {by:+.1f}" for field, by in order))
    for name, each in found.items():
        lines += ["", f"Words of {name} (Tables 12 and 13), − where the group gets it less often:"]
        for field, words in each.words.items():
            shown = ", ".join(
                f"{'+' if word.direction == 'more' else '−'}{word.word} ({word.group})"
                for word in words
            )
            lines.append(f"  {field}: {shown}")
    return "\n".join(lines)
