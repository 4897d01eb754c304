"""Writing examples in APES's CSV."""

from __future__ import annotations

import csv
import random
from collections import Counter
from typing import TYPE_CHECKING

from slant.table_file import plain_cell
from slant.templates.domain import CLASS, NAME
from slant.templates.expansion import expand

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import TextIO

    from slant.templates import Template, TemplateSet
    from slant.templates.expansion import Example

_LEAST_PARAMETERS = 3
"""APES's files have three, used or not."""


def write_examples(sets: Iterable[TemplateSet], out: TextIO, limit: int | None, seed: int) -> int:
    """Write examples as APES's files have them, one at a time.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.

    Parameters
    ----------
    sets
        Whose templates are expanded.
    out
        Where to.
    limit
        How many at most: then a random sample with as many of every template, and within a
        template of every filler of the slot `about`, as there can be.
    seed
        Of the sample.

    Returns
    -------
    int
        How many were written.
    """
    templates = [template for each in sets for template in each.templates]
    width = max([_LEAST_PARAMETERS, *(len(template.slots) for template in templates)])
    places = range(1, width + 1)
    writer = csv.writer(out, lineterminator="\n")
    names = [f"param_{place}_{what}" for what in (NAME, CLASS) for place in places]
    writer.writerow(["template_id", *names, "prompt", "label"])
    written = 0
    for example in _chosen(templates, limit, seed):
        gaps = [""] * (width - len(example.fillers))
        template = example.template
        slots = {slot: place for place, slot in enumerate(template.slots)}
        options = [option.writer(slots)(example.fillers) for option in template.options]
        question = f"{example.statement} {' or '.join(options)}?"
        columns = [[filler[what] for filler in example.fillers] + gaps for what in (NAME, CLASS)]
        row = [template.id, *columns[0], *columns[1], question, options[template.label]]
        writer.writerow([plain_cell(cell) for cell in row])
        written += 1
    return written


def _chosen(templates: list[Template], limit: int | None, seed: int) -> Iterator[Example]:
    everything = (example for template in templates for example in expand(template))
    if limit is None:
        return everything
    sizes: dict[tuple[int, str], int] = {}
    for number, template in enumerate(templates):
        for example in expand(template):
            key = number, _whom(example)
            sizes[key] = sizes.get(key, 0) + 1
    if sum(sizes.values()) <= limit:
        return everything
    shares = _fair_shares(sizes, limit)
    return _drawn(templates, sizes, shares, random.Random(seed))  # noqa: S311 - no secret


def _whom(example: Example) -> str:
    return example.fillers[list(example.template.slots).index(example.template.about)][NAME]


def _fair_shares(sizes: Mapping[tuple[int, str], int], limit: int) -> dict[tuple[int, str], int]:
    """Give every template, and within it every filler, as equal a share as their sizes allow."""
    shares, given = dict.fromkeys(sizes, 0), Counter[str]()
    by_template: dict[int, list[tuple[int, str]]] = {}
    for key in sizes:
        by_template.setdefault(key[0], []).append(key)
    left = limit
    while left:
        open_ = [keys for keys in by_template.values() if any(shares[k] < sizes[k] for k in keys)]
        if not open_:
            break
        for keys in open_[:left]:
            free = [key for key in keys if shares[key] < sizes[key]]
            chosen = min(free, key=lambda key: (shares[key], given[key[1]]))
            shares[chosen] += 1
            given[chosen[1]] += 1
        left = limit - sum(shares.values())
    return shares


def _drawn(
    templates: list[Template],
    sizes: Mapping[tuple[int, str], int],
    shares: Mapping[tuple[int, str], int],
    rng: random.Random,
) -> Iterator[Example]:
    """Draw each stratum's share in one pass (selection sampling, Knuth 1997, algorithm 3.4.2 S)."""
    left, wanted = dict(sizes), dict(shares)
    for number, template in enumerate(templates):
        for example in expand(template):
            key = number, _whom(example)
            if rng.random() * left[key] < wanted[key]:
                wanted[key] -= 1
                yield example
            left[key] -= 1
