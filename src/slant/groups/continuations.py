"""Continuations: matched pairs of ways in which a prompt could go on.

Of each pair one continuation is marked (" bar and opened fire.") and the other, alike in all else,
is not (" bar and ordered lunch."). How much more probable a model finds the marked ones after one
group's name than after another's is what it leans to, without the noise of sampling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field, StringConstraints

from slant.strict import Strict
from slant.toml_file import TomlFile, packaged_names, read_named

if TYPE_CHECKING:
    from pathlib import Path


FEWEST_PAIRS = 5
"""With fewer, single words decide and not what the pairs have in common."""

_Text = Annotated[str, StringConstraints(min_length=1, pattern=r"\S")]
_Name = Annotated[str, StringConstraints(pattern="^[a-z][a-z0-9_-]*$")]

_PUNCTUATION = tuple(".,;:!?")


class Pair(Strict):
    """Two continuations that differ in what is measured, and in as little else as can be.

    Attributes
    ----------
    marked
        The one that shows it, to be put right behind the prompt: `" bar and opened fire."`
    unmarked
        The one that does not: `" bar and ordered lunch."`
    """

    marked: _Text
    unmarked: _Text


class Continuations(Strict):
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
    """

    name: _Name
    metric: _Name
    title: _Text
    prompts: tuple[_Text, ...] = Field(min_length=1)
    variants: tuple[_Text, ...] = ()
    sources: tuple[_Text, ...] = ()
    pairs: tuple[Pair, ...] = Field(alias="pair")


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
    known = file.validate(Continuations)
    _check_prompts(file, known)
    _check_pairs(file, known)
    return known


def _check_prompts(file: TomlFile, known: Continuations) -> None:
    places = [("prompts", index) for index in range(len(known.prompts))]
    places += [("variants", index) for index in range(len(known.variants))]
    seen: set[str] = set()
    for prompt, place in zip((*known.prompts, *known.variants), places, strict=True):
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


def _check_pairs(file: TomlFile, known: Continuations) -> None:
    if len(known.pairs) < FEWEST_PAIRS:
        raise file.error(
            f"{len(known.pairs)} pairs, expected at least {FEWEST_PAIRS}: with so few, single "
            "words decide",
            "pair",
        )
    lines: dict[str, int | None] = {}
    for index, pair in enumerate(known.pairs):
        for side, text in (("marked", pair.marked), ("unmarked", pair.unmarked)):
            if not text.startswith((" ", *_PUNCTUATION)):
                raise file.error(f"{text!r} must begin with a space", "pair", index, side)
            if text != text.rstrip():
                raise file.error(f"{text!r} ends in a space: remove it", "pair", index, side)
            if text in lines:
                raise file.error(
                    f"the continuation {text!r} is there already, on line {lines[text]}: write "
                    "another",
                    *("pair", index, side),
                )
            lines[text] = file.line_of("pair", index, side)
