"""What every model offers to the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from slant.models.effective import Effective

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.models.batch_form import BatchForm
    from slant.records import Ability, Answer, Item


class Model(ABC):
    """A language model, wherever it runs.

    A plug-in subclasses this, is constructed as `Class(spelling)` with a
    `slant.models.model_spec.ModelSpec` (what the user wrote after `--model`, taken apart), and
    registers its scheme under the entry point group `slant.models`.

    Attributes
    ----------
    name
        What the report calls it.
    abilities
        What it can do; checked before anything is asked. Reading it may ask a server.
    batch_size
        How many items one call of `answer` should be given.
    likelihood_batch_size
        The same for questions of likelihood, where that is another number.
    concurrency
        How many calls of `answer` may be under way at once.
    price
        US dollars per million prompt tokens and per million completion tokens; zero for a model
        that runs here; `None` when it is not known, so that `--max-cost` cannot hold.
    restriction
        Why it can do less than it otherwise might, in words; empty where nothing keeps it.
    thought_tokens
        How many tokens a thought may take, beside those of the answer.
    thinks
        Whether it is known to think before it answers; it may be once the fingerprint is.
    key_server
        Address of a server, not its provider's own, that gets a key since whoever runs slant named
        it for one; empty where there is none.
    """

    name: str
    abilities: frozenset[Ability]
    batch_size: int = 1
    likelihood_batch_size: int | None = None
    concurrency: int = 1
    price: tuple[float, float] | None = (0.0, 0.0)
    restriction: str = ""
    thought_tokens: int = 0
    thinks: bool = False
    key_server: str = ""

    @abstractmethod
    def fingerprint(self) -> Mapping[str, str]:
        """Say what exactly answers: weights, tokenizer, dtype, device, versions.

        Called once before the first question; may load the model. Holds no secrets, paths of the
        user's machine or times: equal fingerprints mean equal answers.
        """

    @abstractmethod
    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Answer a batch of items, in order.

        The answer to an item depends on the item and the seed alone, never on its neighbours in
        the batch. A question that fails gives an answer with outcome `error` and a reason; only
        a failure that makes all further questions pointless raises `SlantError`.
        """

    def count_tokens(self, texts: Sequence[str]) -> list[int] | None:
        """Count the tokens of texts without being asked; `None` where nothing here can."""
        return None

    def remarks(self) -> list[str]:
        """Say what turned out while answering that a reader of the results should know."""
        return []

    def effective(self) -> Effective:
        """Say which parameters were not really used, and who a server says has answered."""
        return Effective()

    def tempo(self) -> str:
        """Say how fast the questions were taken, where the model held them up; else nothing."""
        return ""

    def batch_form(self) -> BatchForm | None:
        """Say how questions go out as a batch, for somebody else to ask; `None` if they cannot."""
        return None

    async def close(self) -> None:  # noqa: B027 - most models have nothing to release
        """Release what the model holds: connections, memory."""
