"""Rules that choose among options."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Self

from pydantic import Field, model_validator

from slant.models.mock.chance import Draws
from slant.models.mock.noise import slot_noise
from slant.models.mock.replies import TOLERANCE, Repertoire, Replies, check_placeholders
from slant.models.mock.rule import NonNegative, Rule
from slant.records import Answer, Choose

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from slant.records import Item

_LEAST = 1e-12
"""A probability of zero becomes this one, whose logarithm any file can hold."""


class ChooseRule(Rule):
    """Gives every option a log-probability; or, with `answers` or `text_only`, a text."""

    probabilities: dict[str, NonNegative] | list[NonNegative] | None = None
    answers: Replies | None = None
    noise: NonNegative = 0.0
    slot_noise: dict[str, NonNegative] = Field(default_factory=dict)
    text_only: bool = False

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.answers is None) == (self.probabilities is None):
            raise ValueError("a rule needs either probabilities or answers")
        if self.answers is not None:
            if self.noise or self.slot_noise or self.text_only:
                raise ValueError("noise, slot_noise and text_only go with probabilities")
            check_placeholders(self.answers, {"group", *(self.prompt.names if self.prompt else ())})
        total = math.fsum(self._values())
        if self.probabilities is not None and abs(total - 1) > TOLERANCE:
            raise ValueError(f"the probabilities sum up to {total:.6g}, expected 1")
        if isinstance(self.probabilities, dict) and len(self._by_option) < len(self.probabilities):
            raise ValueError("two options differ in case or white space only")
        return self

    def _values(self) -> Sequence[float]:
        planted = self.probabilities
        return list(planted.values()) if isinstance(planted, dict) else planted or []

    @cached_property
    def _by_option(self) -> dict[str, float]:
        planted = self.probabilities
        named = planted.items() if isinstance(planted, dict) else ()
        return {_folded(option): value for option, value in named}

    @cached_property
    def _repertoire(self) -> Repertoire:
        return Repertoire(self.answers or ())

    def answer(self, item: Item, found: Mapping[str, str], seed: int) -> Answer:
        """Choose; noise and draws depend on the item's id, its slots and the seed alone."""
        draws = Draws(seed, item.id)
        if self.answers is not None:
            return self._repertoire.draw(draws, {"group": item.group, **found})
        assert isinstance(item.request, Choose)  # noqa: S101 - only such items get here
        options = item.request.options
        if isinstance(self.probabilities, list):
            planted: list[float | None] = list(self.probabilities)
            if len(planted) != len(options):
                reason = f"{len(planted)} probabilities are planted for {len(options)} options"
                return Answer("error", reason=reason)
        else:
            planted = [self._by_option.get(_folded(option)) for option in options]
        known = [value for value in planted if value is not None]
        if len(known) < len(options):
            missing = next(o for o, value in zip(options, planted, strict=True) if value is None)
            return Answer("error", reason=f"no probability is planted for the option {missing!r}")
        logprobs = [math.log(max(value, _LEAST)) for value in known]
        if self.noise or self.slot_noise:
            shared = slot_noise(self.slot_noise, item, seed, len(options))
            logprobs = _with_noise(
                logprobs, [self.noise * draws.normal() + value for value in shared]
            )
        if self.text_only:
            return Answer("answered", _drawn(options, logprobs, draws), finish_reason="stop")
        if item.request.free:
            top = max(logprobs)
            said = options[logprobs.index(top)]
            return Answer("answered", said, logprobs=(top,), finish_reason="stop")
        return Answer("answered", logprobs=tuple(logprobs), finish_reason="stop")


def _folded(option: str) -> str:
    return option.strip().casefold()


def _with_noise(logprobs: Sequence[float], noise: Sequence[float]) -> list[float]:
    """Add noise, then scale the probabilities back to their sum."""
    noisy = [logprob + value for logprob, value in zip(logprobs, noise, strict=True)]
    back = _log_sum(logprobs) - _log_sum(noisy)
    return [value + back for value in noisy]


def _log_sum(values: Sequence[float]) -> float:
    top = max(values)
    return top + math.log(math.fsum(math.exp(value - top) for value in values))


def _drawn(options: Sequence[str], logprobs: Sequence[float], draws: Draws) -> str:
    weights = [math.exp(value) for value in logprobs]
    left = draws.uniform() * math.fsum(weights)
    for option, weight in zip(options, weights, strict=True):
        left -= weight
        if left < 0:
            return option
    return options[-1]
