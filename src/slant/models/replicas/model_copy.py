"""A copy of a model, as a worker holds it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeAlias

from slant.errors import SlantError
from slant.models.open import open_model

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.models.effective import Effective
    from slant.models.key_hosts import KeyHosts
    from slant.records import Ability, Answer, Item

Reply: TypeAlias = "tuple[list[Answer], list[str], Effective]"
"""The answers to a batch, the remarks of the model that gave them, and what was really used."""

RETRIES = 3
"""How often a batch is tried again whose worker died."""

_ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


class ModelCopy:
    """One copy of a model, computing with one thread.

    Parameters
    ----------
    spelling
        The model's spelling.
    key_hosts
        As `slant.models.open.open_model` takes it.
    """

    def __init__(self, spelling: str, key_hosts: KeyHosts | None = None):
        # Before anything is imported that computes: such libraries read this once, when loaded.
        os.environ.update(_ONE_THREAD)
        self._model = open_model(spelling, key_hosts=key_hosts)
        self._fingerprint: dict[str, str] | None = None

    def fingerprint(self) -> dict[str, str]:
        """Load the model and say what it is."""
        if self._fingerprint is None:
            self._fingerprint = dict(self._model.fingerprint())
        return self._fingerprint

    def abilities(self) -> frozenset[Ability]:
        """Say what the model can do."""
        return self._model.abilities

    async def answer(self, items: Sequence[Item], seed: int, like: Mapping[str, str]) -> Reply:
        """Answer a batch, if this is the model that the other workers hold.

        Raises
        ------
        SlantError
            It is another one: other files, packages or another processor.
        """
        mine = self.fingerprint()
        if differ := [name for name in {**mine, **like} if mine.get(name) != like.get(name)]:
            apart = "; ".join(f"{name} is {like.get(name)} and {mine.get(name)}" for name in differ)
            raise SlantError(
                f"the workers do not hold the same model: {apart}. Give all of them the same "
                "files, packages and kind of processor."
            )
        answers = await self._model.answer(items, seed)
        return answers, self._model.remarks(), self._model.effective()
