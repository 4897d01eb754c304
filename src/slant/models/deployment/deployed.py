"""A model behind a system prompt, inside a frame: its questions are put there before it sees them.

Studies, tables and item ids know nothing of it: what is asked is the same question, of another
model.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from slant.errors import InputError
from slant.models.model import Model
from slant.records import Likelihood

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.models.batch_form import BatchForm
    from slant.models.deployment.deployment import Deployment
    from slant.models.effective import Effective
    from slant.records import Ability, Answer, Item

_IN_A_CHAT: frozenset[Ability] = frozenset({"chat", "see", "choose"})


class Deployed(Model):
    """A model with what an application puts around every question.

    Parameters
    ----------
    model
        The bare model.
    deployment
        What stands around its questions.
    """

    restriction = "with a system prompt or a frame it is asked as a chat only"

    def __init__(self, model: Model, deployment: Deployment):
        self.model, self.deployment = model, deployment
        self.name = "+".join([model.name, *deployment.marks])
        self.batch_size, self.price = model.batch_size, model.price
        self.concurrency, self.thought_tokens = model.concurrency, model.thought_tokens
        self.key_server = model.key_server

    @property
    def abilities(self) -> frozenset[Ability]:  # type: ignore[override] # some models must look
        """Those of the model that a chat has.

        Raises
        ------
        InputError
            It cannot chat.
        """
        can = self.model.abilities
        if can and "chat" not in can:
            raise InputError(
                f"model {self.model.name!r} cannot answer a chat, and raw text has no place for a "
                "system prompt or a frame: ask it without"
            )
        return can & _IN_A_CHAT

    def fingerprint(self) -> Mapping[str, str]:
        """Say what answers, and by hash what stands around its questions."""
        known = {**self.model.fingerprint(), **self.deployment.fingerprint()}
        # Some know it only once they are loaded, or have been tried.
        self.concurrency, self.thinks = self.model.concurrency, self.model.thinks
        return known

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Ask the model the questions with what stands around them."""
        return await self.model.answer([self._framed(item) for item in items], seed)

    def count_tokens(self, texts: Sequence[str]) -> list[int] | None:
        """Count as the model does; what stands around a question is no part of its text."""
        return self.model.count_tokens(texts)

    def _framed(self, item: Item) -> Item:
        request = item.request
        if isinstance(request, Likelihood):
            raise TypeError("a chat gives no likelihood")
        return replace(
            item, request=replace(request, prompt=self.deployment.around(request.prompt))
        )

    def remarks(self) -> list[str]:
        """Say that all was asked as a chat, and what the model remarks."""
        parts = [
            *(["a system prompt"] if self.deployment.system else []),
            *(["other turns"] if self.deployment.frame is not None else []),
        ]
        told = (
            f"Every question was asked as a chat, with {' and '.join(parts)} around it; no raw "
            "text was continued and no likelihood measured."
        )
        return [told, *self.model.remarks()]

    def effective(self) -> Effective:
        """Say what the model says."""
        return self.model.effective()

    def tempo(self) -> str:
        """Say what the model says."""
        return self.model.tempo()

    def batch_form(self) -> BatchForm | None:
        """Write the questions of a batch with what stands around them."""
        form = self.model.batch_form()
        if form is None:
            return None
        return replace(form, write=lambda item, seed: form.write(self._framed(item), seed))

    async def close(self) -> None:
        """Release what the model holds."""
        await self.model.close()
