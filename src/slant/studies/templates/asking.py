"""From examples of templates to questions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import permutations, product, repeat, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.expectation import VERBATIM, Expectation
from slant.records import Choose, Generate, Item, Message, Sampling
from slant.templates.domain import NAME
from slant.templates.expansion import expand_by_context

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slant.records import Prompt, Request
    from slant.templates import Pair, TemplateSet
    from slant.templates.domain import Filler
    from slant.templates.expansion import Example

ABOUT_ONE_WORD = Sampling(max_tokens=12, temperature=0.0)
"""How text is asked for where a model gives no log-probabilities: what is most probable."""

_CHAT = "\nAnswer with one of these, and nothing else: {options}."

_EXAMPLES = (
    "Q: A week has seven days. Yes or No?\nA: Yes\n\n"
    "Q: Fish can fly to the moon. Yes or No?\nA: No\n\n"
    "Q: Ice is warmer than boiling water. Yes or No?\nA: No\n\n"
    "Q: Bread can be made from flour. Yes or No?\nA: Yes\n\n"
)


@dataclass(frozen=True, eq=False)
class Asked:
    """A statement and its negation, about certain people.

    Attributes
    ----------
    axis
        What the comparison of these people is filed under.
    pair
        The templates, with the people in the slot `about`.
    part
        Of the study.
    kind
        In which kind of wording they are named; empty where they have one.
    form
        Which of the ways to ask is used, of all in turn; `None` for all of them.
    """

    axis: str
    pair: Pair
    part: str = ""
    kind: str = ""
    form: int | None = None


def in_one_wording(sets: Sequence[TemplateSet]) -> list[Asked]:
    """Ask about all pairs of all sets, which take turns."""
    turns = zip_longest(*([Asked(each.name, pair) for pair in each.pairs] for each in sets))
    return [asked for row in turns for asked in row if asked is not None]


@dataclass(frozen=True)
class Asking:
    """How statements are asked.

    Attributes
    ----------
    questions
        With `{statement}` and `{options}`.
    both_orders
        Whether the options are named in every order; of more than three, in every rotation.
    chats
        Whether a chat is asked instead of raw text continued.
    chooses
        Whether the model gives log-probabilities of options.
    preamble
        What stands before every question.
    free
        Whether the model is asked as in APES, in a chat, too, and may begin with anything instead
        of being held to the options.
    """

    questions: tuple[str, ...]
    both_orders: bool
    chats: bool
    chooses: bool
    preamble: str
    free: bool = False

    def items(
        self, study: str, asked: Sequence[Asked], contexts: int | None, seed: int
    ) -> Iterator[Item]:
        """Ask everything, round by round, so that any part of it is balanced.

        A round has one context of every pair of templates, with all groups, both sides and all
        ways of asking.
        """
        streams = [self._pair(study, each, contexts, seed) for each in asked]
        while streams:
            rounds = [(stream, next(stream, None)) for stream in streams]
            for _, found in rounds:
                yield from found or ()
            streams = [stream for stream, found in rounds if found is not None]

    def _pair(
        self, study: str, asked: Asked, contexts: int | None, seed: int
    ) -> Iterator[list[Item]]:
        """Ask about a statement and its negation, one context at a time."""
        sides = [
            zip(repeat(side), expand_by_context(template, contexts, seed))
            for side, template in asked.pair.sides
        ]
        for context in zip_longest(*sides):
            yield [
                Item(study, request, 0, asked.axis, _whom(example)[NAME], example.template.id,
                     slots, asked.part, expects=self.expected(json.loads(slots["options"])))
                for side, examples in filter(None, context)
                for example in examples
                for slots, request in self._requests(
                    example,
                    {"pair": asked.pair.positive.id, "side": side, **_slots(example, asked.kind)},
                    asked.form,
                )
            ]  # fmt: skip

    def _requests(
        self, example: Example, slots: dict[str, str], form: int | None
    ) -> Iterator[tuple[dict[str, str], Request]]:
        template = example.template
        places = {slot: place for place, slot in enumerate(template.slots)}
        options = tuple(option.writer(places)(example.fillers) for option in template.options)
        slots = {**slots, "options": json.dumps(options)}
        questions = (template.question,) if template.question else self.questions
        orders = _orders(len(options)) if self.both_orders else [tuple(range(len(options)))]
        ways = list(product(enumerate(questions), orders))
        for (number, question), order in ways if form is None else [ways[form % len(ways)]]:
            text = question.replace("{statement}", example.statement).replace(
                "{options}", _listed([options[place] for place in order])
            )
            prompt = self._prompt(text, [options[place] for place in order])
            form_name = f"{number}.{''.join(map(str, order))}"
            yield {**slots, "form": form_name}, self._request(prompt, options)

    def example(self, text: str, options: tuple[str, ...]) -> tuple[dict[str, str], Request]:
        """Ask a question that is written out, in no other wording and order."""
        slots = {"options": json.dumps(options), "form": "0"}
        return slots, self._request(self._prompt(text, options), options)

    def _request(self, prompt: Prompt, options: tuple[str, ...]) -> Request:
        if self.chooses:
            return Choose(prompt, options, self.free)
        return Generate(prompt, ABOUT_ONE_WORD)

    def expected(self, options: Sequence[str]) -> Expectation:
        """Say what of a reply is its answer."""
        if self.free or not (self.chats or self.chooses):
            return VERBATIM
        return Expectation("option", (), tuple(options))

    def _prompt(self, text: str, options: Sequence[str]) -> Prompt:
        raw = f"{self.preamble}Q: {text}\nA:"
        if not self.chats:
            return raw
        asked = self.preamble + text + _CHAT.format(options=", ".join(options))
        return (Message("user", raw if self.free else asked),)


def _slots(example: Example, kind: str) -> dict[str, str]:
    """Say of an example what the analysis needs."""
    template = example.template
    others = [
        filler[NAME]
        for slot, filler in zip(template.slots, example.fillers, strict=True)
        if slot != template.about
    ]
    named = {"kind": kind, "wording": _whom(example)["plural"]} if kind else {}
    return {
        "context": " · ".join([kind, *others] if kind else others),
        "statement": example.statement,
        "label": str(template.label),
        "contrary": str(template.contrary),
        **named,
    }


def _whom(example: Example) -> Filler:
    return example.fillers[list(example.template.slots).index(example.template.about)]


def _orders(count: int) -> list[tuple[int, ...]]:
    """List the orders of options: all of two or three, the rotations of more."""
    if count <= 3:
        return list(permutations(range(count)))
    return [tuple((place + start) % count for place in range(count)) for start in range(count)]


def _listed(options: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(options[:-1]), options[-1])))


def read_preamble(name: str) -> str:
    """Give the text that stands before every question.

    Raises
    ------
    InputError
        It is neither empty, `examples`, nor a text file that can be read.
    """
    if name in ("", "examples"):
        return _EXAMPLES if name else ""
    if not name.endswith(".txt"):
        raise InputError(f"preamble {name!r}: write examples, or the name of a .txt file")
    try:
        text = Path(name).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the preamble cannot be read: {error}", file=name) from error
    return text.rstrip() + "\n\n"
