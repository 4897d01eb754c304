"""A model of your own: it says the same to everyone.

The entry point `echo = echo_model:Echo` of the group `slant.models` makes it `--model echo:hello`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.models.model import Model
from slant.records import Answer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.models.model_spec import ModelSpec
    from slant.records import Ability, Item


class Echo(Model):
    """Answers every question with what stands behind the colon of its spelling."""

    abilities: frozenset[Ability] = frozenset({"raw", "chat"})
    batch_size = 100

    def __init__(self, spelling: ModelSpec):
        spelling.check_options([])
        if not spelling.argument:
            raise InputError(f"model {spelling.text!r} has nothing to say: write echo:hello")
        self.name, self._says = spelling.text, spelling.argument

    def fingerprint(self) -> Mapping[str, str]:
        """Say what answers: equal fingerprints mean equal answers."""
        return {"model": "echo", "says": self._says, "version": "1"}

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Answer a batch, in order."""
        return [Answer("answered", self._says, finish_reason="stop") for _ in items]
