"""What is doubtful about templates: the faults for which the literature criticises them.

Blodgett et al. (2021), "Stereotyping Norwegian salmon", ACL, found ungrammatical sentences,
perturbations that change more than the group, and labels that do not hold in published benchmarks;
Seshadri, Pezeshkpour and Singh (2022), "Quantifying social biases using templates is unreliable",
that conclusions hang on wordings. None of this is an error: the linter points, people judge.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import combinations, islice
from typing import TYPE_CHECKING

from slant.templates.constraint import columns_in
from slant.templates.domain import CLASS, NAME
from slant.templates.expansion import expand

if TYPE_CHECKING:
    from collections.abc import Iterator

    from slant.templates.domain import Domain
    from slant.templates.template import Template, TemplateSet

_AT_MOST = 20_000
"""Expansions of a template that are looked at."""

_NEAR = 0.93
"""Similarity of words from which two templates are nearly the same."""

_UNBALANCED = 2.0
"""How many times as many fillers the largest class may have as the smallest."""

_VALENCE = {"positive", "negative", "favourable", "unfavourable", "favorable", "unfavorable",
            "good", "bad"}  # fmt: skip
_PLURAL, _SINGULAR = {"are", "were", "have", "do"}, {"is", "was", "has", "does"}
_NUMBERS = {"plural": "plural", "people": "plural", "singular": "singular", "person": "singular"}
_ARTICLE = re.compile(r"\b(a|an)\s+([A-Za-z][\w-]*)", re.IGNORECASE)
_LIKE_CONSONANT = re.compile(r"^(?:eu|uni(?!n|m)|us[aeu]|one\b|once\b|ubi|uk\b)", re.IGNORECASE)
_LIKE_VOWEL = re.compile(
    r"^(?:hono(?:u?r|rary)|honest|hour|heir|lgbt|mri\b|fbi\b|x-ray)", re.IGNORECASE
)
_DOUBLED = re.compile(r"\b(\w+)\s+\1\b", re.IGNORECASE)


@dataclass(frozen=True)
class Doubt:
    """Something to look at.

    Attributes
    ----------
    message
        What, and what to do.
    template
        Which template; empty if it is about the set.
    line
        Where it stands.
    """

    message: str
    template: str = ""
    line: int | None = None


def doubts(templates: TemplateSet) -> list[Doubt]:
    """Look for what is doubtful about a set of templates.

    Returns
    -------
    list of Doubt
        Missing negations, unbalanced labels and domains, constraints that exclude everything or
        nothing, labels that may depend on the filler, faults of grammar (articles, agreement of
        number, doubled words, missing full stops), and statements that are nearly the same.
    """
    found = [
        Doubt(message, template.id, template.line)
        for template in templates.templates
        for message in _of_template(template, templates)
    ]
    return [*found, *(Doubt(message) for message in _of_set(templates))]


def _of_template(template: Template, templates: TemplateSet) -> Iterator[str]:
    denied = {each.negates for each in templates.templates}
    if template.is_yes_no and not template.negates and template.id not in denied:
        yield (
            "it has no negation, so yes-saying cannot be told from a lean: add a template with "
            f'negates = "{template.id}"'
        )
    yield from _constraint(template)
    if not template.negates:
        yield from _label(template)
    if templates.language.partition("-")[0] == "en":  # other languages have other articles
        yield from _grammar(template)


def _constraint(template: Template) -> Iterator[str]:
    if template.where is None:
        return
    whole = 1
    for domain in template.slots.values():
        whole *= len(domain.fillers)
    kept = sum(1 for _ in islice(expand(template), _AT_MOST + 1))
    if whole and not kept:
        yield "its constraint excludes everything"
    elif kept == whole:
        yield "its constraint excludes nothing: leave it out"


def _label(template: Template) -> Iterator[str]:
    """See whether a slot has fillers for and against, so that no one label fits all of them."""
    for slot, domain in template.slots.items():
        classes = {filler[CLASS] for filler in domain.fillers}
        if slot != template.about and len(classes & _VALENCE) > 1:
            yield (
                f"slot {slot!r} has fillers of the classes {' and '.join(sorted(classes))}: can "
                "the same label be right for all of them?"
            )


def _grammar(template: Template) -> Iterator[str]:
    if template.text.strip()[-1:] not in ".!?":
        yield "its text does not end in a full stop"
    yield from _agreement(template)
    faults: Counter[str] = Counter()
    examples: dict[str, str] = {}
    for example in islice(expand(template), _AT_MOST):
        for fault in _faults(example.statement):
            faults[fault] += 1
            examples.setdefault(fault, example.statement)
    for fault, count in faults.items():
        more = f", and {count - 1} more" if count > 1 else ""
        yield f"{fault}: {examples[fault]!r}{more}"


def _faults(text: str) -> Iterator[str]:
    for found in _ARTICLE.finditer(text):
        article, word = found[1].lower(), found[2]
        vowel = word[0].lower() in "aeiou" and not _LIKE_CONSONANT.match(word)
        vowel = vowel or bool(_LIKE_VOWEL.match(word))
        if (article == "an") != vowel and not (article == "a" and len(word) == 1):
            yield f"article: “{found[0]}”"
    if twice := _DOUBLED.search(text):
        yield f"doubled word: “{twice[0]}”"
    if "  " in text:
        yield "two spaces in a row"


def _agreement(template: Template) -> Iterator[str]:
    """Compare the number of what stands in a slot with the verb that follows it."""
    pieces = template.statement.pieces
    for (slot, column), before, after in zip(
        template.statement.references, pieces, pieces[1:], strict=False
    ):
        if before and not before.endswith((". ", "! ", "? ")):
            continue  # what stands inside of a sentence need not be its subject
        verb = (re.findall(r"^\s+([a-z]+)\b", after) or [""])[0]
        wanted = "plural" if verb in _PLURAL else "singular" if verb in _SINGULAR else ""
        if not wanted:
            continue
        for filler in template.slots[slot].fillers:
            number = _NUMBERS.get(column) or filler.get("number", "")
            if number and number != wanted:
                yield f"agreement: “{filler[column]} {verb}”, but the filler is {number}"
                break


def _of_set(templates: TemplateSet) -> Iterator[str]:
    labels = Counter(template.label for template in templates.templates if template.is_yes_no)
    if labels and labels[0] != labels[1]:
        yield (
            f"{labels[0]} templates are labelled Yes and {labels[1]} No: whoever says one of them "
            "more easily is right more often"
        )
    pairs = [pair for pair in templates.pairs if pair.positive.is_yes_no]
    right = Counter(pair.positive.label for pair in pairs)
    if len(pairs) >= 4 and 0 in (right[0], right[1]):
        yield (
            "every statement that is no negation has the same label: a model that always denies "
            "is never caught; add claims that are right"
        )
    yield from _unbalanced(templates)
    yield from _alike(templates)


def _unbalanced(templates: TemplateSet) -> Iterator[str]:
    """Count classes, but not where every filler is a group of its own."""
    domains: dict[str, Domain] = {}
    weighs = set()
    for template in templates.templates:
        looked_at = columns_in(template.where) if template.where else ()
        used = {each.slot for each in looked_at if each.column == CLASS}
        for slot, domain in template.slots.items():
            domains[domain.name] = domain
            if slot != template.about or slot in used:
                weighs.add(domain.name)
    for name, domain in domains.items():
        twice = [each for each, n in Counter(f[NAME] for f in domain.fillers).items() if n > 1]
        if twice:
            yield f"domain {name!r} has the filler {twice[0]!r} twice"
        sizes = Counter(filler[CLASS] for filler in domain.fillers)
        if name in weighs and max(sizes.values(), default=0) >= _UNBALANCED * min(
            sizes.values(), default=1
        ):
            counted = ", ".join(f"{n} {kind}" for kind, n in sizes.most_common())
            yield f"domain {name!r} is unbalanced: {counted}"


def _alike(templates: TemplateSet) -> Iterator[str]:
    seen: dict[str, str] = {}
    for template in templates.templates:
        for example in islice(expand(template), _AT_MOST):
            key = " ".join(re.findall(r"\w+", example.statement.casefold()))
            other = seen.setdefault(key, template.id)
            if other != template.id:
                yield (
                    f"{template.id!r} and {other!r} both say {example.statement!r}: it would count "
                    "twice"
                )
                break
    for first, second in combinations(templates.templates, 2):
        if {first.negates, second.negates} & {first.id, second.id}:
            continue
        words = first.text.split(), second.text.split()
        if first.text != second.text and SequenceMatcher(None, *words).ratio() >= _NEAR:
            yield f"{first.id!r} and {second.id!r} are nearly the same: do both tell something?"
