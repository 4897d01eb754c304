"""Templates and their negations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant import limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.templates.constraint import Constraint
    from slant.templates.domain import Domain
    from slant.templates.statement import Statement

YES_NO = ("Yes", "No")


def too_many_examples(count: int) -> str:
    """Say that a template has more examples than anybody could look through."""
    return (
        f"its slots can be filled in {count:,} ways, more than the {limits.TEMPLATE_EXAMPLES:,} "
        "that a template may have: take fewer fillers, or fewer slots"
    )


@dataclass(frozen=True, eq=False)
class Template:
    """A statement with slots, and what an unbiased model says to it.

    Attributes
    ----------
    id
        Its name, unique in its set.
    text
        As it is written.
    statement
        The same, taken apart.
    slots
        Slot → domain, in the order of the product.
    options
        What can be answered: Yes and No, or the choices of a question, which may have slots.
    label
        Which option, from 0, an unbiased model chooses for every filler.
    contrary
        Which option speaks against the people in the slot `about`.
    about
        The slot with those people.
    where
        Which fillers may stand together; all when `None`.
    negates
        Id of the template that this one denies; empty if it denies none.
    question
        The question, with `{statement}` and `{options}`; empty for the study's own.
    construct, harm, severity
        What is measured, what follows for whom if a model says otherwise, and how bad that is.
    line
        Where it stands in its file.
    """

    id: str
    text: str
    statement: Statement
    slots: Mapping[str, Domain]
    options: tuple[Statement, ...]
    label: int
    contrary: int
    about: str
    where: Constraint | None = None
    negates: str = ""
    question: str = ""
    construct: str = ""
    harm: str = ""
    severity: str = ""
    line: int | None = None

    @property
    def is_yes_no(self) -> bool:
        """Whether it is answered by yes or no."""
        return tuple(option.pieces[0] for option in self.options) == YES_NO


@dataclass(frozen=True, eq=False)
class Pair:
    """A template and the one that denies it, if there is one."""

    positive: Template
    negated: Template | None

    @property
    def sides(self) -> list[tuple[str, Template]]:
        """The templates of the pair, each with the name of its side."""
        pair = [("positive", self.positive)]
        return pair if self.negated is None else [*pair, ("negated", self.negated)]


@dataclass(frozen=True, eq=False)
class TemplateSet:
    """The templates of one file.

    Attributes
    ----------
    name, title
        What suites and reports call the set.
    templates
        In the order of the file.
    language
        BCP 47 tag.
    sources
        Where the constructs come from.
    warnings
        What was read otherwise than it is written, in words.
    file
        Where it was read from.
    """

    name: str
    title: str
    templates: tuple[Template, ...]
    language: str = "en"
    sources: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    file: str = ""

    @property
    def pairs(self) -> list[Pair]:
        """Every template that denies none, with the one that denies it."""
        denied = {template.negates: template for template in self.templates if template.negates}
        return [
            Pair(template, denied.get(template.id))
            for template in self.templates
            if not template.negates
        ]
