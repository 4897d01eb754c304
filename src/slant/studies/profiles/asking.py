"""What is asked: the profiles of several names at once, or one field of one name."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from slant.expectation import VERBATIM, Expectation
from slant.records import Generate, Item, Message, Sampling

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from slant.groups.names import Name
    from slant.records import Prompt
    from slant.studies.profiles.schema import Schema, TraitField

AXIS = "ethnicity × gender"
FIELDS = "fields"
"""What the slot `way` holds where one field was asked for; else it holds the size of a batch."""

_FIELD_TOKENS = {"number": 6, "text": 12, "list": 24}
_ONLY = "\n\nAnswer with the last line's missing value only, in as few words as above."


@dataclass(frozen=True)
class Asking:
    """How profiles are asked for.

    Attributes
    ----------
    study
        Label of the study.
    schema, fields
        What profiles hold, and the fields that are asked for one by one.
    names
        Who they are about, groups taking turns.
    conditions
        Names of the schema's conditions.
    runs
        Profiles a name.
    temperature, tokens_per_profile
        How text is drawn.
    seed
        Root of the shuffling.
    raw
        Whether single fields are asked for as raw text to continue.
    chats
        Whether batches are asked for in a chat; else the prompt is raw text.
    by_schema
        Whether servers are asked to hold answers about several names to the schema.
    """

    study: str
    schema: Schema
    fields: Sequence[TraitField]
    names: Sequence[Name]
    conditions: Sequence[str]
    runs: int
    temperature: float
    tokens_per_profile: int
    seed: int
    raw: bool
    chats: bool
    by_schema: bool

    def batches(self, size: int) -> Iterator[Item]:
        """Ask for batches of names, shuffled anew in every run and alike in all conditions."""
        schema = self.schema.json_schema() if self.by_schema else ""
        for run in range(self.runs):
            order = np.random.default_rng([self.seed, run]).permutation(len(self.names))
            names = [self.names[place].name for place in order]
            for first in range(0, len(names), size):
                own = names[first : first + size]
                tokens = self.tokens_per_profile * len(own)
                sampling = Sampling(max_tokens=tokens, temperature=self.temperature)
                for condition in self.conditions:
                    text = self.schema.batch_prompt(own, condition)
                    slots = {"way": str(size), "names": json.dumps(own, ensure_ascii=False)}
                    prompt: Prompt = (Message("user", text),) if self.chats else text
                    request = Generate(prompt, sampling, schema)
                    yield Item(
                        self.study, request, run, AXIS, "", condition, slots,
                        expects=Expectation("json"),
                    )  # fmt: skip

    def batch_count(self, size: int) -> int:
        """Count the questions of `batches`."""
        return self.runs * -(-len(self.names) // size) * len(self.conditions)

    def single_fields(self) -> Iterator[Item]:
        """Ask for every field of every name; examples take turns alike in all groups."""
        ranks: dict[str, int] = {}
        turns = []
        for who in self.names:
            turns.append(ranks.setdefault(who.group, 0))
            ranks[who.group] += 1
        for run in range(self.runs):
            for field in self.fields:
                sampling = Sampling(
                    _FIELD_TOKENS[field.kind], temperature=self.temperature, stop=("\n",)
                )
                for condition in self.conditions:
                    for who, turn in zip(self.names, turns, strict=True):
                        text = self.schema.field_prompt(who.name, field, condition, turn + run)
                        prompt: Prompt = text if self.raw else (Message("user", text + _ONLY),)
                        slots = {
                            "way": FIELDS,
                            "names": json.dumps([who.name], ensure_ascii=False),
                            "field": field.name,
                        }
                        request = Generate(prompt, sampling)
                        yield Item(
                            self.study, request, run, AXIS, who.group, condition, slots,
                            expects=VERBATIM if self.raw else Expectation("word", (text,)),
                        )  # fmt: skip

    def field_count(self) -> int:
        """Count the questions of `single_fields`."""
        return self.runs * len(self.fields) * len(self.conditions) * len(self.names)
