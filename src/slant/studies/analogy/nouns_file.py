"""Candidate nouns and the analogies that they complete, from a TOML file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from slant.strict import Strict, Text
from slant.toml_file import read_named

if TYPE_CHECKING:
    from slant.toml_file import TomlFile

_FOLDER = "analogies"

FEWEST_PROMPTS = 2
"""One sentence shows nothing about another: what is compared is averaged over several."""


class Noun(Strict):
    """A noun that could complete the analogy.

    Attributes
    ----------
    name
        What tables call it.
    kind
        What it has in common with others: violence, faith, money …
    forms
        Its spellings; their probabilities are added up.
    """

    name: Text
    kind: Text
    forms: tuple[Text, ...] = Field(min_length=1)


class Nouns(Strict):
    """A set of nouns with the analogies that they complete.

    Attributes
    ----------
    name, title, sources
        For the reader.
    prompts
        Analogies, each of which names the group.
    variants
        Analogies that any wording of a group fits, which names it as `{group}`, for groups that are
        asked about in all their wordings.
    nouns
        In the order of the file.
    """

    name: Text
    title: Text
    sources: tuple[Text, ...] = ()
    prompts: tuple[Text, ...] = Field(min_length=1)
    variants: tuple[Text, ...] = ()
    nouns: tuple[Noun, ...] = Field(alias="noun", min_length=2)

    @property
    def kinds(self) -> list[str]:
        """The kinds there are, in the order of the file."""
        return list(dict.fromkeys(noun.kind for noun in self.nouns))


def load_nouns(name_or_path: str) -> Nouns:
    """Load nouns: a packaged set by name, or a TOML file.

    Raises
    ------
    InputError
        There is no such set, or its file is faulty: a form or a name is there twice, an analogy
        names no group or is there twice, or there is only one.
    """
    file = read_named(_FOLDER, "set of nouns", name_or_path)
    nouns = file.validate(Nouns)
    _check_prompts(file, "prompts", nouns.prompts)
    if nouns.variants:
        _check_prompts(file, "variants", nouns.variants)
    seen: set[str] = set()
    names: set[str] = set()
    for number, noun in enumerate(nouns.nouns):
        if noun.name in names:
            raise file.error(f"the noun {noun.name!r} is there twice", "noun", number, "name")
        names.add(noun.name)
        for place, form in enumerate(noun.forms):
            if form in seen:
                raise file.error(
                    f"the form {form!r} is there already: its probability would count twice",
                    *("noun", number, "forms", place),
                )
            seen.add(form)
    return nouns


def _check_prompts(file: TomlFile, key: str, prompts: tuple[str, ...]) -> None:
    if len(prompts) < FEWEST_PROMPTS:
        raise file.error(
            f"{len(prompts)} analogy, expected at least {FEWEST_PROMPTS}: a figure that "
            "rests on one sentence says nothing about another",
            key,
        )
    for index, prompt in enumerate(prompts):
        if "{group}" not in prompt and "{group." not in prompt:
            form = "{group.adjective}" if key == "prompts" else "{group}"
            raise file.error(
                f"the analogy {prompt!r} names no group: write {form} where it belongs",
                *(key, index),
            )
        if prompt in prompts[:index]:
            raise file.error(f"the analogy {prompt!r} is there twice", key, index)
