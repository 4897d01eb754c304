"""The model that answers by the rules of a file."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.models.mock.planted import Planted
from slant.models.mock.rule import searched_text
from slant.models.model import Model
from slant.records import Answer
from slant.toml_file import read_toml
from slant.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.models.mock.rule import Rule
    from slant.models.model_spec import ModelSpec
    from slant.records import Item, Request


class Mock(Model):
    """A model whose bias is known, because it was planted: `mock:FILE`.

    Statistics are proved on such models: what was planted must be found, and nothing else. The
    first rule of the file that fits a question answers it; where none fits, the outcome is
    `error`. The answer depends on the item and the seed alone.

    The option `price=IN,OUT` lets it pretend to cost money (tokens are words), to try `--max-cost`.

    Raises
    ------
    InputError
        The file cannot be read, or is wrong; the message names the line.
    """

    def __init__(self, spelling: ModelSpec):
        spelling.check_options(["price"])
        if not spelling.argument:
            raise InputError(
                f"model {spelling.text!r} names no file: write for example mock:planted.toml"
            )
        file = read_toml(spelling.argument)
        self._planted = file.validate(Planted)
        self._sha256 = hashlib.sha256(file.text.encode()).hexdigest()
        self.name = self._planted.name or Path(spelling.argument).stem
        self.abilities = self._planted.can
        self.batch_size = self._planted.batch_size
        self.price = spelling.price() or (0.0, 0.0)
        self._applicable: dict[tuple[type[Request], str, str, str, str, str], list[Rule]] = {}

    def fingerprint(self) -> Mapping[str, str]:
        """Give the hash of the rules and the version of slant, which decides how they draw."""
        return {"model": self.name, "rules": self._sha256, "slant": __version__}

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Answer by the rules, after the delay that the file asks for."""
        if self._planted.delay_ms:
            await asyncio.sleep(self._planted.delay_ms / 1000)
        return [self.reply(item, seed) for item in items]

    def reply(self, item: Item, seed: int) -> Answer:
        """Answer one question by the rules, at once."""
        text = searched_text(item.request)
        for rule in self._rules(item):
            found = rule.found_in(text)
            if found is None:
                continue
            try:
                answer = rule.answer(item, found, seed)
            except KeyError as error:
                return Answer("error", reason=f"slot_noise: the item has no slot {error}")
            if answer.outcome == "error":
                return answer
            said = len(answer.logprobs or ()) if answer.text is None else len(answer.text.split())
            return replace(answer, prompt_tokens=len(text.split()), completion_tokens=said)
        return Answer("error", reason="no rule fits")

    def _rules(self, item: Item) -> list[Rule]:
        """Give the rules that are for such items; kept, since most items are alike."""
        wording = item.slots.get("wording", "")
        key = (type(item.request), item.study, item.axis, item.group, item.condition, wording)
        if key not in self._applicable:
            rules = self._planted.rules_for(item.request)
            self._applicable[key] = [rule for rule in rules if rule.is_for(item)]
        return self._applicable[key]
