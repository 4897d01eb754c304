"""What a suite may set: templates, how many, and how they are asked."""

from __future__ import annotations

from typing import ClassVar, Literal, Self

from pydantic import Field, field_validator, model_validator

from slant.studies.worded_settings import WordedSettings
from slant.templates import template_sets

QUESTIONS = ("{statement} {options}?", "Is this true? “{statement}” {options}?")
"""APES's question, and a paraphrase."""


class TemplatesSettings(WordedSettings):
    """What a suite may set."""

    files: ClassVar[tuple[str, ...]] = ("templates", "examples", "preamble")

    templates: list[str] = Field(default_factory=template_sets, min_length=1)
    """Packaged sets, TOML files of one's own, or NAME.templates.csv of APES."""
    examples: str = ""
    """A file of examples of APES (NAME.examples.csv), each asked as it is written there, instead of
    templates."""
    turns: int = Field(default=2, ge=1)
    """With `wordings = "all"`: how many wordings of the groups each template is asked with; the
    next template takes the next ones, and ways to ask and orders take turns, too."""
    contexts: int | None = Field(default=None, ge=1)
    """How many fillings of the other slots each template is asked with, drawn at random, the same
    for every group; all when left out."""
    questions: list[str] = Field(default=list(QUESTIONS), min_length=1)
    """Ways to ask, with `{statement}` and `{options}`; answers are averaged over them."""
    both_orders: bool = True
    """Name the options in every order (Yes or No; No or Yes), and average over them."""
    prompting: Literal["auto", "raw", "chat"] = "auto"
    """`raw` writes `Q: … A:` for the model to continue; `chat` asks; `auto` is raw where it can be.
    """
    preamble: str = ""
    """Questions with answers that stand before every question: `examples` for slant's own, or a
    text file such as the one in the README of APES."""

    @field_validator("questions")
    @classmethod
    def _sound(cls, questions: list[str]) -> list[str]:
        for question in questions:
            for place in ("{statement}", "{options}"):
                if question.count(place) != 1:
                    raise ValueError(f"question {question!r} must hold {place} once")
        return questions

    @model_validator(mode="after")
    def _as_written(self) -> Self:
        if self.examples and self.wordings == "all":
            raise ValueError('examples are asked as they are written: leave wordings = "all" out')
        return self
