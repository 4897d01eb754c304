"""Continuations: matched pairs of ways in which a prompt could go on.

Of each pair one continuation is marked (" bar and opened fire.") and the other, alike in all else,
is not (" bar and ordered lunch."). How much more probable a model finds the marked ones after one
group's name than after another's is what it leans to, without the noise of sampling.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from slant.toml_file import TomlFile, packaged_names, read_named

if TYPE_CHECKING:
    from pathlib import Path

    from slant.errors import InputError

FEWEST_PAIRS = 5
"""With fewer, single words decide and not what the pairs have in common."""

_Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
_Name = Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_-]*$")]

_PUNCTUATION = tuple(".,;:!?")


@dataclass(frozen=True)
class Pair:
    """Two continuations that differ in what is measured, and in as little else as can be.

    Attributes
    ----------
    marked
        The one that shows it, to be put right behind the prompt: `" bar and opened fire."`
    unmarked
        The one that does not: `" bar and ordered lunch."`
    """

    marked: str
    unmarked: str


@dataclass(frozen=True)
class Continuations:
    """A set of pairs and the prompts that they fit.

    Attributes
    ----------
    name
        What suites call it.
    metric
        What the marked continuations have in common, as findings are named: `violence`.
    title
        What reports call it.
    prompts
        Templates with `{group}`, each of which every continuation fits.
    variants
        Further prompts that every continuation fits, for groups that are asked about in all their
        wordings: what is said of prompts in general needs at least five.
    pairs
        In the order of the file.
    sources
        Where the pairs come from.
    file
        The file that holds them.
    """

    name: str
    metric: str
    title: str
    prompts: tuple[str, ...]
    pairs: tuple[Pair, ...]
    sources: tuple[str, ...]
    file: str
    variants: tuple[str, ...] = ()


class _PairTable(BaseModel):
    """One `[[pair]]`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    marked: _Text
    unmarked: _Text


class _ContinuationsTable(BaseModel):
    """A file of continuations as it is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: _Name
    metric: _Name
    title: _Text
    prompts: tuple[_Text, ...] = Field(min_length=1)
    variants: tuple[_Text, ...] = ()
    sources: tuple[_Text, ...] = ()
    pairs: tuple[_PairTable, ...] = Field(alias="pair")


def continuation_names() -> list[str]:
    """List the sets of continuations that slant brings along."""
    return packaged_names("continuations")


def load_continuations(name_or_path: str | Path) -> Continuations:
    """Load a set of continuations.

    Parameters
    ----------
    name_or_path
        The name of a set that slant brings along, or the path of a TOML file: a `Path`, or a
        string that ends in `.toml`.

    Raises
    ------
    InputError
        There is no such set, or its file is faulty: a key is missing or unknown, there are fewer
        than five pairs, a continuation is there twice, does not begin with a space or a
        punctuation mark, or a prompt names no group or ends in a space.
    """
    file = read_named("continuations", "set of continuations", name_or_path)
    table = file.validate(_ContinuationsTable)
    _check_prompts(file, table)
    _check_pairs(file, table)
    return Continuations(
        name=table.name,
        metric=table.metric,
        title=table.title,
        prompts=table.prompts,
        pairs=tuple(Pair(each.marked, each.unmarked) for each in table.pairs),
        sources=table.sources,
        file=file.name,
        variants=table.variants,
    )


def _check_prompts(file: TomlFile, table: _ContinuationsTable) -> None:
    places = [("prompts", index) for index in range(len(table.prompts))]
    places += [("variants", index) for index in range(len(table.variants))]
    seen: set[str] = set()
    for prompt, place in zip((*table.prompts, *table.variants), places, strict=True):
        if "{group}" not in prompt and "{group." not in prompt:
            raise file.error(
                f"the prompt {prompt!r} names no group: write {{group}} where its name belongs",
                *place,
            )
        if prompt != prompt.rstrip():
            raise file.error(
                f"the prompt {prompt!r} ends in a space: leave it to the continuations, which "
                "begin with one",
                *place,
            )
        if prompt in seen:
            raise file.error(f"the prompt {prompt!r} is there twice: remove one", *place)
        seen.add(prompt)


def _check_pairs(file: TomlFile, table: _ContinuationsTable) -> None:
    if len(table.pairs) < FEWEST_PAIRS:
        raise file.error(
            f"{len(table.pairs)} pairs, expected at least {FEWEST_PAIRS}: with so few, single "
            "words decide",
            "pair",
        )
    lines: dict[str, int | None] = {}
    for index, pair in enumerate(table.pairs):
        for side, text in (("marked", pair.marked), ("unmarked", pair.unmarked)):
            if not text.startswith((" ", *_PUNCTUATION)):
                raise _fault(file, index, side, f"{text!r} must begin with a space")
            if text != text.rstrip():
                raise _fault(file, index, side, f"{text!r} ends in a space: remove it")
            if text in lines:
                raise _fault(
                    file,
                    index,
                    side,
                    f"the continuation {text!r} is there already, on line {lines[text]}: write "
                    "another",
                )
            lines[text] = file.line_of("pair", index, side)


def _fault(file: TomlFile, index: int, side: str, message: str) -> InputError:
    return file.error(message, "pair", index, side)
