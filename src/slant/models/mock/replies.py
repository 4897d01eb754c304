"""Weighted replies, and drawing one of them."""

from __future__ import annotations

import math
from bisect import bisect
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated, Self, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from slant.models.mock.wording import Wording, parse_wording
from slant.records import Answer, Outcome

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from slant.models.mock.chance import Draws

TOLERANCE = 1e-6
"""How far from 1 probabilities may sum up."""

_FAR = 500.0
"""Log odds beyond which nothing changes any more."""


class Reply(BaseModel):
    """One thing a model may reply, or several with the same weight between them."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    text: str | None = None
    texts: list[str] | None = Field(default=None, min_length=1)
    weight: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    outcome: Outcome = "answered"
    reason: str | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.text is not None and self.texts is not None:
            raise ValueError("text and texts exclude each other: use one of them")
        if self.outcome == "answered" and not self.wordings:
            raise ValueError("a reply needs text = '...' or texts = ['...', '...']")
        if self.outcome == "answered" and self.reason is not None:
            raise ValueError("reason says why there is no answer: give an outcome with it")
        return self

    @cached_property
    def wordings(self) -> tuple[Wording, ...]:
        """What it may say, each equally likely."""
        texts = self.texts if self.text is None else [self.text]
        return tuple(parse_wording(text) for text in texts or ())


def _check_weights(replies: list[Reply]) -> list[Reply]:
    weights = [reply.weight for reply in replies if reply.weight is not None]
    if weights and len(weights) < len(replies):
        raise ValueError("give every answer a weight, or none for equal weights")
    if weights and abs(math.fsum(weights) - 1) > TOLERANCE:
        raise ValueError(f"the weights sum up to {math.fsum(weights):.6g}, expected 1")
    return replies


Replies: TypeAlias = Annotated[list[Reply], Field(min_length=1), AfterValidator(_check_weights)]
"""What a file holds under `answers`."""


class Repertoire:
    """Everything a rule may reply, ready for drawing.

    Parameters
    ----------
    replies
        The replies with their weights.
    """

    def __init__(self, replies: Sequence[Reply]):
        self._replies = replies
        even = 1 / len(replies)
        weights = [even if reply.weight is None else reply.weight for reply in replies]
        # Of a weight of exactly zero nothing may be drawn, not even the last by rounding.
        self._last = max(place for place, weight in enumerate(weights) if weight > 0)
        self._up_to = list(accumulate(weights))

    def draw(self, draws: Draws, values: Mapping[str, str], shift: float = 0.0) -> Answer:
        """Draw a reply, and fill in its words.

        Parameters
        ----------
        draws, values
            What decides, and what is filled in.
        shift
            What is added to the log odds of the first reply against the second.
        """
        place = self._shifted(draws.uniform(), shift) if shift else draws.uniform()
        reply = self._replies[min(bisect(self._up_to, place), self._last)]
        wordings = reply.wordings
        text = None
        if wordings:
            place = int(draws.uniform() * len(wordings)) if len(wordings) > 1 else 0
            text = wordings[place].write(draws, values)
        if reply.outcome == "answered":
            return Answer("answered", text, finish_reason="stop")
        return Answer(reply.outcome, text, reason=reply.reason or f"planted: {reply.outcome}")

    def _shifted(self, place: float, shift: float) -> float:
        """Move the border between the first reply and the second; all others stay."""
        border, end = self._up_to[0], self._up_to[1]
        if not 0 < border < end:
            return place
        odds = math.exp(min(max(shift, -_FAR), _FAR)) * border / (end - border)
        moved = end * odds / (1 + odds)
        if place < moved:
            return place * border / moved
        if place < end:
            return end - (end - place) * (end - border) / (end - moved)
        return place


def check_placeholders(replies: Sequence[Reply], known: Collection[str]) -> None:
    """Refuse placeholders that nothing fills in.

    Raises
    ------
    ValueError
        There is one.
    """
    for reply in replies:
        for wording in reply.wordings:
            for name in sorted(wording.placeholders - set(known)):
                raise ValueError(
                    f"nothing is known to fill in {{{name}}}; known: {', '.join(sorted(known))}. "
                    "A choice needs two alternatives, {a|b}, and {{ stands for a brace"
                )
