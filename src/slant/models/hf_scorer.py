"""What models of transformers share that can only say how probable a text is."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from slant.errors import InputError
from slant.models.hf_model import HFModel
from slant.models.likelihood_answers import likelihood_answer
from slant.models.precision import HALF, told_deviation
from slant.records import Answer, Likelihood

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray
    from transformers import PreTrainedModel

    from slant.models.model_spec import ModelSpec
    from slant.records import Ability, Item

EncodedT = TypeVar("EncodedT")


class HFScorer(HFModel, Generic[EncodedT]):
    """A model that scores texts and draws none.

    Attributes
    ----------
    auto_class
        Which of transformers' `AutoModelFor…` classes loads it.
    metrics
        What the option `metric` may be, and the name of the figure that it stands for; the first
        is the default.
    """

    auto_class: ClassVar[str]
    metrics: ClassVar[Mapping[str, str]]
    abilities: frozenset[Ability] = frozenset({"likelihood"})
    batch_size = 2048
    likelihood_batch_size = 2048

    def __init__(self, spelling: ModelSpec):
        super().__init__(spelling)
        default = next(iter(self.metrics))
        self._metric = self._options.get("metric", default)
        if self._metric != default:  # both may be audited in one run
            self.name += f" ({self._metric})"

    @cached_property
    def _model(self) -> PreTrainedModel:
        model = self._load(self.auto_class, self._options.get("dtype", "float32"))
        if not hasattr(model, "generation_config"):
            from transformers import GenerationConfig

            # A model that draws no text has none, but its identity is read from one.
            model.generation_config = GenerationConfig()
        return model

    def fingerprint(self) -> Mapping[str, str]:
        """Name all that decides the answers, what is measured included.

        Raises
        ------
        InputError
            The model cannot be loaded, or its tokenizer does not match it.
        """
        try:
            self._check()
        except InputError as error:
            spelt = f"model '{self._scheme}:{self._source()}'"
            raise InputError(f"{spelt}: {error}") from error
        return {
            **self._identity(self._model),
            "likelihood": self.metrics[self._metric],
            "likelihood_dtype": str(self._model.dtype).removeprefix("torch."),
            "bos": self._surroundings(),
        }

    def remarks(self) -> list[str]:
        """Say how far a half-width type that was asked for is from float32."""
        return self._deviation

    @cached_property
    def _deviation(self) -> list[str]:
        dtype = self._options.get("dtype", "")
        if dtype not in HALF:
            return []
        return [
            told_deviation(
                "Likelihoods", dtype, self._model,
                lambda each: self._answer if each == dtype else self._again(dtype=each)._answer,
            )
        ]  # fmt: skip

    async def answer(self, items: Sequence[Item], seed: int) -> list[Answer]:
        """Score the text of every item, off the event loop."""
        return await asyncio.to_thread(self._answer, items)

    def _answer(self, items: Sequence[Item]) -> list[Answer]:
        asked = [item.request for item in items]
        encoded = self._encode([each for each in asked if isinstance(each, Likelihood)])
        values = iter(self._score([each for each in encoded if not isinstance(each, Answer)]))
        return [
            each if isinstance(each, Answer) else self._reply(next(values), each)
            for each in encoded
        ]

    def _reply(self, values: NDArray[np.float64], encoded: EncodedT) -> Answer:
        if not np.isfinite(values).all():
            dtype = str(self._model.dtype).removeprefix("torch.")
            return Answer("error", reason=f"the model gives no finite probability in {dtype}")
        return likelihood_answer(values, tokens=self._tokens(encoded), limit=float("inf"))

    def _check(self) -> None:
        """Refuse a tokenizer that does not match the model."""
        tokens = max(self._tokenizer.get_vocab().values()) + 1
        embedded = self._model.get_input_embeddings().num_embeddings
        if tokens > embedded:
            raise InputError(
                f"its tokenizer has {tokens} tokens and the model embeds {embedded}: they do not "
                "belong together"
            )

    @abstractmethod
    def _surroundings(self) -> str:
        """Say which special tokens surround a text, and whether they are scored."""

    @abstractmethod
    def _encode(self, asked: Sequence[Likelihood]) -> list[EncodedT | Answer]:
        """Tokenise; say why where there is nothing to score or too much to hold."""

    @abstractmethod
    def _score(self, encoded: Sequence[EncodedT]) -> list[NDArray[np.float64]]:
        """Give the log-probability of every scored token."""

    @abstractmethod
    def _tokens(self, encoded: EncodedT) -> int:
        """Count the tokens of a question, special ones included."""


def special_tokens(tokenizer: Any, **text: str) -> tuple[list[str], list[str]]:
    """Name the special tokens that a tokenizer puts before and after a text.

    Parameters
    ----------
    tokenizer
        A tokenizer of transformers.
    text
        A text of at least one token, as `text=` or `text_target=`.
    """
    encoded = tokenizer(**text, return_special_tokens_mask=True)
    names = tokenizer.convert_ids_to_tokens(encoded["input_ids"])
    own = [index for index, special in enumerate(encoded["special_tokens_mask"]) if not special]
    return names[: own[0]], names[own[-1] + 1 :]
