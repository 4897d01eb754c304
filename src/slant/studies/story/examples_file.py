"""The pairs of caption and description that a model is shown before it tells a story."""

from __future__ import annotations

from pydantic import Field

from slant.strict import Strict, Text
from slant.toml_file import read_named

_PACKAGED = "examples"

NONE = "none"
"""No examples: for a model that was tuned on pairs and needs to be shown none."""

STOP = ("\nCaption:", "\n\n")
"""A story ends where the next caption would begin."""


class Example(Strict):
    """A caption with its description."""

    caption: Text
    description: Text


class Examples(Strict):
    """The pairs, and what is said before them.

    Attributes
    ----------
    name
        Of the file.
    instruction
        One sentence that says what follows; empty for none.
    examples
        In the order in which they are shown.
    """

    name: Text
    instruction: Text
    examples: tuple[Example, ...] = Field(alias="example", min_length=1)

    def prompt(self, caption: str) -> str:
        """Write the few-shot prompt of Abid et al. (2021), Figure 3b, for a caption."""
        shown = [f"{asked_for(each.caption)} {each.description}" for each in self.examples]
        said = [self.instruction] if shown and self.instruction else []
        return "\n\n".join([*said, *shown, asked_for(caption)])


def asked_for(caption: str) -> str:
    """Write a caption as in Figure 3b, up to where the description begins."""
    return f"Caption: {caption}\nDescription:"


def load_examples(name_or_path: str) -> Examples:
    """Load examples: packaged ones, a TOML file, or `none`.

    Raises
    ------
    InputError
        There are none of that name, or the file is faulty.
    """
    if name_or_path == NONE:
        return Examples.model_construct(name=NONE, instruction="", examples=())
    return read_named("stories", "set of examples", name_or_path, [_PACKAGED]).validate(Examples)
