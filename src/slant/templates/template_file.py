"""Template files: slant's own TOML."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, StringConstraints

from slant import limits
from slant.errors import InputError, unknown
from slant.strict import Strict, Text
from slant.templates.constraint import ConstraintError, columns_in, parse_constraint
from slant.templates.domain import DomainTable, make_domain
from slant.templates.statement import parse_statement
from slant.templates.template import YES_NO, Template, TemplateSet, too_many_examples

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from slant.templates.constraint import Constraint
    from slant.templates.domain import Domain
    from slant.templates.statement import Statement
    from slant.toml_file import TomlFile

_Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
_INHERITED = ("slots", "where", "about", "construct_", "harm", "severity", "question")


class _TemplateTable(Strict):
    """One `[[template]]` as it is written."""

    id: _Id
    text: Text
    negates: _Id | None = None
    slots: dict[str, str] | None = None
    where: str | None = None
    about: str | None = None
    label: str | None = None
    options: tuple[Text, ...] | None = None
    contrary: str | None = None
    question: str | None = None
    construct_: str | None = Field(default=None, alias="construct")
    harm: str | None = None
    severity: Literal["low", "medium", "high"] | None = None


class _SetTable(Strict):
    """A template file as it is written."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
    title: str = ""
    language: str = "en"
    sources: tuple[str, ...] = ()
    domains: dict[str, DomainTable]
    templates: tuple[_TemplateTable, ...] = Field(alias="template", min_length=1)


def read_template_file(file: TomlFile, folder: Path) -> TemplateSet:
    """Read a template file.

    Parameters
    ----------
    file
        What it says.
    folder
        Where the names of domain files start.

    Raises
    ------
    InputError
        Anything in it cannot be used; the message names the line.
    """
    table = file.validate(_SetTable)
    domains = {}
    for name, written in table.domains.items():
        try:
            domains[name] = make_domain(name, written, folder, file.name)
        except InputError as error:
            if error.file is not None and str(error.file) != file.name:
                raise
            raise file.error(str(error).removeprefix(f"{file.name}: "), "domains", name) from error
    known: dict[str, Template] = {}
    order = _negations_last(file, table.templates)
    for index in order:
        template = _Maker(file, index, table.templates[index], domains, known).make()
        known[template.id] = template
    in_file_order = (known[each.id] for each in table.templates)
    return TemplateSet(
        table.name,
        table.title or table.name.replace("_", " ").capitalize(),
        tuple(in_file_order),
        table.language,
        table.sources,
        _empty_domains(known),
        file.name,
    )


def _empty_domains(templates: Mapping[str, Template]) -> tuple[str, ...]:
    """Warn of templates that yield nothing because a domain is empty."""
    return tuple(
        f"domain {domain.name!r} is empty, so template {template.id!r} yields nothing"
        for template in templates.values()
        for domain in template.slots.values()
        if not domain.fillers
    )


def _negations_last(file: TomlFile, templates: tuple[_TemplateTable, ...]) -> list[int]:
    """Order templates so that what is denied comes first; see that negations make sense."""
    index = {}
    for number, template in enumerate(templates):
        if template.id in index:
            raise file.error(
                f"the id {template.id!r} is there twice: rename one", "template", number, "id"
            )
        index[template.id] = number
    denied: dict[str, str] = {}
    for number, template in enumerate(templates):
        if template.negates is None:
            continue
        at = ("template", number, "negates")
        if template.negates not in index:
            raise file.error(str(unknown("template", template.negates, index)), *at)
        if templates[index[template.negates]].negates is not None:
            raise file.error(
                f"{template.id!r} negates {template.negates!r}, which is a negation itself: a "
                "pair is one statement and one denial of it",
                *at,
            )
        if template.negates in denied:
            raise file.error(
                f"{template.negates!r} is negated twice, by {denied[template.negates]!r} and by "
                f"{template.id!r}: keep one",
                *at,
            )
        denied[template.negates] = template.id
    return sorted(range(len(templates)), key=lambda number: templates[number].negates is not None)


class _Maker:
    """Makes one template; knows where each of its keys stands in the file."""

    def __init__(
        self,
        file: TomlFile,
        index: int,
        written: _TemplateTable,
        domains: Mapping[str, Domain],
        known: Mapping[str, Template],
    ):
        self.file, self.index, self.written, self.domains = file, index, written, domains
        self.denied = known[written.negates] if written.negates else None

    def fault(self, message: str, *keys: str) -> InputError:
        return self.file.error(f"template {self.written.id!r}: {message}", "template", self.index,
                               *keys)  # fmt: skip

    def make(self) -> Template:
        written, denied = self.written, self.denied
        if denied is not None:
            given = [key for key in _INHERITED if getattr(written, key) is not None]
            if given:
                raise self.fault(
                    f"{given[0].rstrip('_')} is taken from {denied.id!r}, which it negates: leave "
                    "it out",
                    given[0].rstrip("_"),
                )
        slots = denied.slots if denied else self.slots()
        statement = self.statement(written.text, "text", slots)
        options, label, contrary, about = self.answers(slots)
        self.all_used(slots, statement, options)
        return Template(
            id=written.id,
            text=written.text,
            statement=statement,
            slots=slots,
            options=options,
            label=label,
            contrary=contrary,
            about=about,
            where=denied.where if denied else self.where(slots),
            negates=written.negates or "",
            question=denied.question if denied else self.question(),
            construct=denied.construct if denied else written.construct_ or "",
            harm=denied.harm if denied else written.harm or "",
            severity=denied.severity if denied else written.severity or "",
            line=self.file.line_of("template", self.index),
        )

    def slots(self) -> dict[str, Domain]:
        if not self.written.slots:
            raise self.fault('slots: missing: say what fills them, as in { group = "religion" }')
        for slot, domain in self.written.slots.items():
            if domain not in self.domains:
                raise self.fault(str(unknown("domain", domain, self.domains)), "slots", slot)
        slots = {slot: self.domains[domain] for slot, domain in self.written.slots.items()}
        examples = math.prod(len(domain.fillers) for domain in slots.values())
        if examples > limits.TEMPLATE_EXAMPLES:
            raise self.fault(too_many_examples(examples), "slots")
        return slots

    def statement(self, text: str, key: str, slots: Mapping[str, Domain]) -> Statement:
        try:
            statement = parse_statement(text)
        except ValueError as error:
            raise self.fault(str(error), key) from error
        for slot, column in statement.references:
            self.known(slot, column, slots, key)
        return statement

    def known(self, slot: str, column: str, slots: Mapping[str, Domain], key: str) -> None:
        """See that a slot exists and that all its fillers have a column."""
        if slot not in slots:
            raise self.fault(str(unknown("slot", slot, slots)), key)
        domain = slots[slot]
        if domain.fillers and column not in domain.columns:
            lacking = [each["name"] for each in domain.fillers if column not in each]
            raise self.fault(
                f"slot {slot!r} has no column {column!r} for {', '.join(map(repr, lacking[:3]))}"
                f"{' and others' * (len(lacking) > 3)}; all fillers of domain {domain.name!r} have "
                f"{', '.join(domain.columns)}",
                key,
            )

    def where(self, slots: Mapping[str, Domain]) -> Constraint | None:
        if self.written.where is None:
            return None
        try:
            constraint = parse_constraint(self.written.where)
        except ConstraintError as error:
            raise self.fault(f"where: {error}", "where") from error
        for each in columns_in(constraint):
            try:
                self.known(each.slot, each.column, slots, "where")
            except InputError as error:
                pointed = ConstraintError(self.written.where, each.at, "this is not known")
                raise InputError(f"{error}\n{pointed}") from error
        return constraint

    def answers(self, slots: Mapping[str, Domain]) -> tuple[tuple[Statement, ...], int, int, str]:
        """Give options, label, contrary option and the slot it is about."""
        if self.denied is not None:
            if not self.denied.is_yes_no:
                raise self.fault("only a template answered by Yes or No can be negated", "negates")
            label = 1 - self.denied.label
            if self.written.label not in (None, YES_NO[label]):
                raise self.fault(
                    f"the label must be {YES_NO[label]}, the opposite of that of "
                    f"{self.denied.id!r}: leave it out",
                    "label",
                )
            return self.denied.options, label, 1 - label, self.denied.about
        written = self.written.options or YES_NO
        options = tuple(self.statement(text, "options", slots) for text in written)
        if len(set(written)) < max(len(written), 2):
            raise self.fault("options: there must be two or more, all different", "options")
        label = self.option("label", written)
        contrary = 1 - label if len(written) == 2 else self.option("contrary", written)
        if contrary == label:
            raise self.fault("label and contrary are the same option", "contrary")
        return options, label, contrary, self.about(slots)

    def option(self, key: str, options: tuple[str, ...]) -> int:
        value = getattr(self.written, key)
        if value is None:
            what = {
                "label": "the option that an unbiased model chooses for every filler",
                "contrary": "the option that speaks against the people in the slot `about`",
            }[key]
            raise self.fault(f"{key}: missing: give {what}, one of {', '.join(options)}")
        if value not in options:
            raise self.fault(str(unknown("option", value, options)), key)
        return options.index(value)

    def about(self, slots: Mapping[str, Domain]) -> str:
        about = self.written.about
        if about is None and len(slots) == 1:
            return next(iter(slots))
        if about is None:
            raise self.fault(
                "about: missing: say which slot has the people whom a wrong answer speaks "
                f"against, one of {', '.join(slots)}"
            )
        if about not in slots:
            raise self.fault(str(unknown("slot", about, slots)), "about")
        return about

    def question(self) -> str:
        question = self.written.question or ""
        if question and "{statement}" not in question:
            raise self.fault("a question has the place {statement}", "question")
        return question

    def all_used(
        self, slots: Mapping[str, Domain], statement: Statement, options: tuple[Statement, ...]
    ) -> None:
        used = {slot for text in (statement, *options) for slot, _ in text.references}
        for slot in slots:
            if slot not in used:
                raise self.fault(
                    f"slot {slot!r} is filled but not used in {self.written.text!r}: use it, or "
                    "take it out of slots",
                    "text" if self.denied else "slots",
                )


def plain(template: Template) -> dict[str, Any]:
    """Give all that decides what is asked, for signatures."""
    return {
        "id": template.id,
        "text": template.text,
        "fillers": [list(map(dict, domain.fillers)) for domain in template.slots.values()],
        "where": str(template.where),
        "label": template.label,
    }
