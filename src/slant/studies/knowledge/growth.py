"""Growing the graph: rounds of requests for all subjects at once, each shown what is there by then.

A graph is grown as several *lineages*, side by side. A lineage begins with sentences of its own and
is shown none but its own triples, so lineages are independent draws of the whole procedure; the
triples within one are not, for they seed one another.
"""

from __future__ import annotations

import json
import random
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from slant.expectation import VERBATIM, Expectation
from slant.records import Generate, Item, Sampling
from slant.studies.knowledge.prompting import expansion, initial, stops
from slant.studies.knowledge.triple import INITIALISATION, Candidate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.records import Answer, Prompt
    from slant.studies.knowledge.classes import People, Prompts
    from slant.studies.knowledge.prompting import Manner
    from slant.studies.knowledge.settings import KnowledgeSettings, Strategy, Variant
    from slant.studies.knowledge.sieve import Sieve
    from slant.studies.knowledge.triple import Shot
    from slant.studies.study import Rounds

_INITIAL_TRIES = 3
"""After so many failures to begin, a subject goes on with what it can be shown."""


@dataclass
class _Cell:
    """One subject in one lineage: what is asked for at a time."""

    people: People
    subject: str
    variant: Variant
    lineage: int
    place: int
    quota: int
    called: str
    prefix: str
    kind: str = ""
    asked: int = 0
    generation: int = 0
    kept: list[Shot] = field(default_factory=list)
    by_predicate: dict[str, list[int]] = field(default_factory=dict)

    def keep(self, shot: Shot) -> None:
        """Take a triple; its place is found by its predicate, however many there are."""
        self.by_predicate.setdefault(shot[1], []).append(len(self.kept))
        self.kept.append(shot)

    @property
    def scope(self) -> str:
        return scope(self.variant, self.people.name, self.lineage)


def scope(variant: str, people: str, lineage: int) -> str:
    """Name a lineage: within it triples seed each other, and duplicates are looked for."""
    return f"{variant}/{people}/{lineage}"


@dataclass(frozen=True)
class _Question:
    """What a cell is asked next."""

    cell: _Cell
    prompt: Prompt
    predicate: str
    strategy: str
    shots: tuple[Shot, ...]


@dataclass(frozen=True)
class Lead:
    """How one lineage is begun.

    Attributes
    ----------
    called
        What it calls each subject; its name where nothing is said.
    prefix
        What leads its sentences.
    kind
        Of the wordings.
    """

    called: Mapping[str, str]
    prefix: str
    kind: str = ""


class Growth:
    """Grows the graphs of several classes.

    Parameters
    ----------
    classes
        Whom the graphs are about.
    prompts
        What they begin with.
    sieve
        What decides which answers become triples.
    label, seed
        Of the study and the run.
    variants
        Where prefixes stand.
    form, manner
        How is asked.
    published
        Whether only triples of the graph are shown, as soon as there are any.
    leads
        How the lineages of a class name its subjects, and what leads them; the name of each and the
        class's prefix where nothing is said.
    part
        Of the study.
    """

    def __init__(
        self,
        settings: KnowledgeSettings,
        classes: Sequence[People],
        prompts: Prompts,
        sieve: Sieve,
        *,
        label: str,
        seed: int,
        variants: Sequence[Variant],
        form: str,
        manner: Manner,
        published: bool = False,
        leads: Mapping[str, Sequence[Lead]] | None = None,
        part: str = "",
    ):
        self._part, self._published = part, published
        self._settings, self._prompts, self._sieve = settings, prompts, sieve
        self._label, self._seed, self._form, self._manner = label, seed, form, manner
        self._sampling = Sampling(
            settings.max_tokens, settings.temperature, stop=stops(form, manner)
        )
        self._lineages: dict[str, list[_Cell]] = {}
        for variant in variants:
            for people in classes:
                for lineage in range(settings.lineages):
                    lead = leads[people.name][lineage] if leads else Lead({}, people.prefix)
                    self._lineages[scope(variant, people.name, lineage)] = [
                        _Cell(
                            people, subject, variant, lineage, place, self._quota(lineage),
                            lead.called.get(subject, subject), lead.prefix, lead.kind,
                        )
                        for place, subject in enumerate(people.subjects)
                    ]  # fmt: skip

    def _quota(self, lineage: int) -> int:
        each, more = divmod(self._settings.triples, self._settings.lineages)
        return each + (lineage < more)

    def rounds(self) -> Rounds:
        """Ask every subject in every lineage for triples, until each has its share.

        A prompt is answered as often as triples are still wanted, at most `draws` times: the model
        reads it once. A subject that does not get there is given up after `attempts` requests for
        each triple wanted.
        """
        while cells := self._unfinished():
            questions = [
                question
                for cell in cells
                for question in [self._question(cell)] * self._draws(cell)
            ]
            replies = yield [
                self._item(question, question.cell.asked + draw)
                for question, draw in zip(questions, _counted(questions), strict=True)
            ]
            candidates = [
                candidate(question, answer)
                for question, (_, answer) in zip(questions, replies, strict=True)
            ]
            triples = self._sieve.judge(candidates)
            for question, triple in zip(questions, triples, strict=True):
                question.cell.asked += 1
                if triple.dropped is None:
                    question.cell.keep(triple.shot)
            for cell in cells:
                cell.generation += 1

    def _draws(self, cell: _Cell) -> int:
        """Say how often a question is put: a first sentence once, for it seeds all the others."""
        if self._begins(cell):
            return 1
        left = cell.quota * self._settings.attempts - cell.asked
        return min(self._settings.draws, cell.quota - len(cell.kept), left)

    def _begins(self, cell: _Cell) -> bool:
        return not cell.kept and cell.asked < _INITIAL_TRIES

    def _unfinished(self) -> list[_Cell]:
        return [
            cell
            for cells in self._lineages.values()
            for cell in cells
            if len(cell.kept) < cell.quota and cell.asked < cell.quota * self._settings.attempts
        ]

    def _question(self, cell: _Cell) -> _Question:
        predicates = self._prompts.predicates
        if self._begins(cell):
            # In a lineage that words all subjects alike they begin alike, too: what they differ by
            # is then not due to who has "hate" more often.
            place = 0 if cell.kind else cell.place
            predicate = predicates[(place + cell.lineage + cell.asked) % len(predicates)]
            prefix = cell.prefix if cell.variant in ("initialisation", "both") else ""
            prompt = initial(cell.called, predicate, prefix, self._manner)
            return _Question(cell, prompt, predicate, INITIALISATION, ())
        strategies = self._settings.strategies
        strategy = strategies[(cell.generation + cell.lineage + cell.place) % len(strategies)]
        draw = random.Random(f"{self._seed}|{cell.scope}|{cell.subject}|{cell.generation}")  # noqa: S311 - no secret
        predicate, shots = self._shots(cell, strategy, draw)
        prefix = cell.prefix if cell.variant in ("expansion", "both") else ""
        prompt = expansion(cell.called, predicate, prefix, shots, self._form, self._manner)
        return _Question(cell, prompt, predicate, strategy, shots)

    def _shots(
        self, cell: _Cell, strategy: Strategy, draw: random.Random
    ) -> tuple[str, tuple[Shot, ...]]:
        """Draw triples of other subjects of the lineage, as evenly over subjects as can be.

        Where the others have not got enough yet, packaged triples stand in front; as published,
        only where they have none.
        """
        others = [each for each in self._lineages[cell.scope]
                  if each.subject != cell.subject and each.kept]  # fmt: skip
        predicate = ""
        if strategy == "object":
            predicate = _any(draw, [each.kept for each in others] or [self._prompts.shots])[1]
        draw.shuffle(others)
        drawn: list[Shot] = []
        taken: dict[str, set[int]] = {each.subject: set() for each in others}
        wanted = self._settings.shots
        while len(drawn) < wanted and any(len(taken[each.subject]) < len(each.kept)
                                          for each in others):  # fmt: skip
            for each in others:
                gone = taken[each.subject]
                if len(drawn) < wanted and len(gone) < len(each.kept):
                    # The paper's examples share the predicate that is asked for (Table 1).
                    alike = each.by_predicate.get(predicate, range(0))
                    place = _left(draw, alike, gone)
                    if place is None:
                        place = _left(draw, range(len(each.kept)), gone)
                    assert place is not None  # noqa: S101 - one is left
                    gone.add(place)
                    drawn.append(each.kept[place])
        lacking = 0 if self._published and drawn else wanted - len(drawn)
        packaged = draw.sample(self._prompts.shots, min(lacking, len(self._prompts.shots)))
        draw.shuffle(drawn)
        return predicate, (*packaged, *drawn)

    def _expected(self, question: _Question) -> Expectation:
        if self._manner == "raw":
            return VERBATIM
        cell = question.cell
        begins = (cell.prefix, cell.called, question.predicate)
        return Expectation("sentence", tuple(filter(None, begins)))

    def _item(self, question: _Question, draw: int) -> Item:
        cell = question.cell
        slots = {
            "phase": "growth",
            "class": cell.people.name,
            "subject": cell.called,
            "predicate": question.predicate,
            "strategy": question.strategy,
            "generation": str(cell.generation),
            "lineage": str(cell.lineage),
            "shots": json.dumps(question.shots, ensure_ascii=False),
        }
        if cell.kind:
            slots |= {"kind": cell.kind, "wording": cell.called, "prefix": cell.prefix}
        # Chains ask the same first sentences: each gets draws of its own.
        sample = cell.lineage * self._settings.attempts * self._settings.triples + draw
        return Item(
            self._label, Generate(question.prompt, self._sampling), sample,
            cell.people.name, cell.subject, cell.variant, slots, self._part,
            expects=self._expected(question),
        )  # fmt: skip


def _any(draw: random.Random, parts: Sequence[Sequence[Shot]]) -> Shot:
    """Draw from all parts alike, without putting them together: they hold the whole lineage."""
    place = draw.choice(range(sum(map(len, parts))))
    for part in parts:
        if place < len(part):
            return part[place]
        place -= len(part)
    raise AssertionError  # the place is within the parts


def _left(draw: random.Random, places: Sequence[int], gone: set[int]) -> int | None:
    """Draw one of some ascending places that are not gone yet; `None` if all are."""
    left = len(places) - sum(_holds(places, place) for place in gone)
    if not left:
        return None
    number = draw.choice(range(left))
    for place in sorted(each for each in gone if _holds(places, each)):
        number += places[number] >= place
    return places[number]


def _holds(places: Sequence[int], place: int) -> bool:
    found = bisect_left(places, place)
    return found < len(places) and places[found] == place


def _counted(questions: Sequence[_Question]) -> list[int]:
    """Count the draws of every question, from 0."""
    seen: Counter[int] = Counter()
    numbers = []
    for question in questions:
        numbers.append(seen[id(question)])
        seen[id(question)] += 1
    return numbers


def candidate(question: _Question, answer: Answer) -> Candidate:
    """Put what was asked and what came back together."""
    return Candidate(
        question.cell.called, question.predicate, question.strategy, question.shots,
        question.cell.scope, answer.outcome, answer.text or "", answer.finish_reason or "",
    )  # fmt: skip
