"""Rules that say how probable a text is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from pydantic import Field, model_validator

from slant.models.mock.chance import Draws
from slant.models.mock.noise import slot_noise
from slant.models.mock.rule import NonNegative, Rule
from slant.records import Answer, Likelihood

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Item


class LikelihoodRule(Rule):
    """Gives every word of a text the same log-probability: `token_logprob + shift` plus noise."""

    token_logprob: float = Field(default=-3.0, le=0, allow_inf_nan=False)
    shift: float = Field(default=0.0, allow_inf_nan=False)
    noise: NonNegative = 0.0
    slot_noise: dict[str, NonNegative] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.token_logprob + self.shift > 0:
            raise ValueError("token_logprob + shift is above 0: no logarithm of a probability is")
        return self

    def answer(self, item: Item, found: Mapping[str, str], seed: int) -> Answer:
        """Score a text; noise depends on the text, its source, the slots and the seed alone."""
        request = item.request
        assert isinstance(request, Likelihood)  # noqa: S101 - only such items get here
        words = len(request.text.split())
        if not words:
            return Answer("unparseable", reason="the text holds no words to score")
        value = self.token_logprob + self.shift
        if self.noise:
            draws = Draws(seed, "text", request.source or "", request.text)
            value += self.noise * draws.normal()
        value += slot_noise(self.slot_noise, item, seed, 1)[0]
        return Answer("answered", logprobs=(min(value, 0.0),) * words)
