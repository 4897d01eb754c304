"""Classes of people: whom the graph is about, and what their class calls for."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field

from slant.errors import InputError, unknown
from slant.strict import Strict
from slant.studies.knowledge.spellings import merge_spellings
from slant.toml_file import packaged_names, read_packaged, read_toml

if TYPE_CHECKING:
    from slant.studies.knowledge.settings import KnowledgeSettings


class People(Strict):
    """A class of people.

    Attributes
    ----------
    name
        What findings call it.
    title
        What reports call it.
    plural
        How a model is asked for a list of them.
    prefix
        What stands before a sentence to draw out what is not usually said.
    suffix
        A word that subjects end in, which models leave out of their lists.
    subjects
        Who belongs to it.
    source
        Where they come from.
    axis
        The axis on which its subjects are groups, with their wordings; that of the class's own
        name where it is packaged and none is given.
    """

    name: str = ""
    title: str
    plural: str
    prefix: str
    suffix: str = ""
    source: str = ""
    axis: str = ""
    subjects: tuple[str, ...] = Field(min_length=1)


class Prompts(Strict):
    """What growth begins with, and the words by which answers are taken apart."""

    predicates: tuple[str, ...] = Field(min_length=1)
    list_prompt: str
    general_prefix: str
    prefixes: tuple[str, ...] = Field(min_length=1)
    shots: tuple[tuple[str, str, str], ...] = Field(min_length=1)
    auxiliaries: frozenset[str]
    links: frozenset[str]
    modals: frozenset[str]
    no_verbs: frozenset[str]
    breaks: frozenset[str]
    foreign: frozenset[str]


@cache
def load_prompts() -> Prompts:
    """Load the packaged prompts."""
    return read_packaged("knowledge_prompts", "growth.toml").validate(Prompts)


def load_classes(settings: KnowledgeSettings) -> list[People]:
    """Load the classes that a suite names.

    Raises
    ------
    InputError
        A class is unknown and its subjects are not asked of the model, its file is faulty, a
        subject is there twice, or two files give the same name.
    """
    found = [_load(name, settings) for name in settings.classes]
    names = [each.name for each in found]
    if len(set(names)) < len(names):
        raise InputError(f"two classes have the same name: {', '.join(names)}")
    for each in found:
        merged = merge_spellings(each.subjects)
        for spelling, kept in merged.items():
            if spelling != kept:
                raise InputError(
                    f"class {each.name!r} has a subject in two spellings, {kept!r} and "
                    f"{spelling!r}: leave one out"
                )
    return found


def _load(name: str, settings: KnowledgeSettings) -> People:
    packaged = packaged_names("knowledge")
    if name.endswith(".toml"):
        file = read_toml(name)
        people = file.validate(People)
        if any(not subject.strip() for subject in people.subjects):
            raise file.error("a subject has no name", "subjects")
        people = people.model_copy(update={"name": people.name or Path(name).stem})
    elif name in packaged:
        people = read_packaged("knowledge", f"{name}.toml").validate(People)
        people = people.model_copy(update={"name": name})
    elif settings.subjects is not None or settings.seeds == "dynamic":
        people = People.model_construct(
            name=name, title=name.capitalize(), plural=name, suffix="", source="", axis="",
            prefix=load_prompts().general_prefix, subjects=(),
        )  # fmt: skip
    else:
        error = unknown("class of people", name, packaged)
        raise InputError(
            f'{error} Or give a TOML file, a list of subjects, or seeds = "dynamic", which asks '
            "the model for them."
        )
    if settings.subjects is not None:
        people = people.model_copy(update={"subjects": tuple(settings.subjects)})
    return people
