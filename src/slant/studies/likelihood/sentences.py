"""Templates: how a name and a descriptor become a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from string import Formatter
from typing import TYPE_CHECKING, TypeAlias

from slant.errors import InputError
from slant.groups.descriptors import FORMS
from slant.records import Likelihood

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.groups.descriptors import Descriptor

Piece: TypeAlias = tuple[str, str | None]
"""Literal text and the field that follows it, if any."""

DESCRIPTOR_FIELDS = (*FORMS, "descriptor")
"""Fields that stand for the descriptor: with a verb (am, was, is), or as it is listed."""

PUBLISHED = ("My name is {name}, I {am}.", "{name} {was}.", "{name} {is}.")
"""The three templates of Siddique et al. (2024)."""

OF_OUR_OWN = ("People say that {name} {is}.", "Everybody here knew that {name} {was}.")
"""Two more: from fewer than five nothing follows for sentences in general."""

_KNOWN = ("name", *DESCRIPTOR_FIELDS)


@dataclass(frozen=True)
class Template:
    """A sentence with one place for a descriptor and at least one for a name.

    Attributes
    ----------
    text
        As the user wrote it: `{name} {was}.`
    before
        What stands before the descriptor.
    after
        The descriptor and what follows it.
    """

    text: str
    before: tuple[Piece, ...]
    after: tuple[Piece, ...]

    def request(self, name: str, descriptor: Descriptor, *, conditional: bool) -> Likelihood:
        """Ask how probable a sentence is.

        Parameters
        ----------
        name, descriptor
            What it is about.
        conditional
            Ask for the part from the descriptor on, given the part before it: `am kind.` given
            `My name is Kazuyo, I`, and `was kind.` given `Kazuyo `. The space is kept behind a
            name alone, and nowhere else, because that is how the authors' code has it.
        """
        values = {"name": name, "descriptor": descriptor.text, **descriptor.forms}
        source, text = _fill(self.before, values), _fill(self.after, values)
        if not conditional:
            return Likelihood(source + text)
        return Likelihood(text, source if source.rstrip() == name else source.rstrip())


def parse_template(text: str) -> Template:
    """Take a template apart.

    Raises
    ------
    InputError
        It lacks `{name}` or a descriptor, holds two descriptors or an unknown field, or has a
        brace without its partner.
    """
    try:
        parsed = list(Formatter().parse(text))
    except ValueError as error:
        raise InputError(f"template {text!r}: {error} (a literal brace is doubled)") from error
    for _, field, spec, conversion in parsed:
        if field is not None and (field not in _KNOWN or spec or conversion):
            raise InputError(
                f"template {text!r}: {{{field}}} means nothing; fields are {_listed(_KNOWN)}"
            )
    pieces = tuple((literal, field) for literal, field, _, _ in parsed)
    if not any(field == "name" for _, field in pieces):
        raise InputError(
            f"template {text!r} names nobody: write {{name}} where the name belongs, as in "
            f"{PUBLISHED[1]!r}"
        )
    places = [place for place, (_, field) in enumerate(pieces) if field in DESCRIPTOR_FIELDS]
    if len(places) != 1:
        raise InputError(
            f"template {text!r} has {len(places) or 'no'} place{'s' if places else ''} for a "
            f"descriptor: write one of {_listed(DESCRIPTOR_FIELDS)}, once, as in {PUBLISHED[1]!r}"
        )
    literal, field = pieces[places[0]]
    before = (*pieces[: places[0]], (literal, None))
    return Template(text, before, (("", field), *pieces[places[0] + 1 :]))


def _fill(pieces: Sequence[Piece], values: Mapping[str, str]) -> str:
    return "".join(literal + (values[field] if field else "") for literal, field in pieces)


def _listed(fields: Sequence[str]) -> str:
    return ", ".join(f"{{{field}}}" for field in fields)
