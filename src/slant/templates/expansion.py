"""From a template to its examples: the Cartesian product of its domains, under its constraint."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from slant.templates.constraint import compile_constraint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from slant.templates.domain import Filler
    from slant.templates.template import Template


class Example(NamedTuple):
    """A template with its slots filled.

    Attributes
    ----------
    template
        Which template.
    fillers
        What fills its slots, in their order.
    statement
        The text.
    """

    template: Template
    fillers: Sequence[Filler]
    statement: str


def expand(template: Template) -> Iterator[Example]:
    """Give every example of a template, in the order of its domains, one at a time."""
    return fill_rows(template, product(*(domain.fillers for domain in template.slots.values())))


def fill_rows(template: Template, rows: Iterable[Sequence[Filler]]) -> Iterator[Example]:
    """Write a template's statement for given fillers, leaving out what its constraint excludes."""
    places = {slot: place for place, slot in enumerate(template.slots)}
    write = template.statement.writer(places)
    allowed: Callable[[Sequence[Filler]], bool] | None = None
    if template.where is not None:
        allowed = compile_constraint(template.where, places)
    for row in rows:
        if allowed is None or allowed(row):
            yield Example(template, row, write(row))


def expand_by_context(
    template: Template, contexts: int | None, seed: int
) -> Iterator[list[Example]]:
    """Give the examples context by context, each with all the people that it may be about.

    A context is what fills the slots other than `about`. Every group is asked about in the same
    contexts, so that a sample of them is as balanced as the whole.

    Parameters
    ----------
    template
        The template; its negation has the same contexts, if it has the same slots.
    contexts
        How many, drawn at random; all when `None` or when there are not more.
    seed
        Of the choice.
    """
    sizes = [
        1 if slot == template.about else len(domain.fillers)
        for slot, domain in template.slots.items()
    ]
    total = math.prod(sizes)
    numbers: Iterable[int] = range(total)
    if contexts is not None and contexts < total:
        # The id of the statement denied, so that both sides of a pair get the same contexts.
        key = template.negates or template.id
        numbers = sorted(random.Random(f"{seed}:{key}").sample(range(total), contexts))  # noqa: S311 - no secret
    for number in numbers:
        if found := list(fill_rows(template, _rows_of(template, number, sizes))):
            yield found


def _rows_of(template: Template, number: int, sizes: Sequence[int]) -> Iterator[tuple[Filler, ...]]:
    """Give the rows of a context, by its number in the product of the other slots."""
    places = []
    for size in reversed(sizes):
        number, place = divmod(number, size)
        places.append(place)
    places.reverse()
    choices = [
        domain.fillers if slot == template.about else (domain.fillers[place],)
        for (slot, domain), place in zip(template.slots.items(), places, strict=True)
    ]
    return product(*choices)
