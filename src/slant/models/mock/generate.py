"""Rules that write text."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from slant.models.mock.chance import Draws
from slant.models.mock.noise import slot_noise
from slant.models.mock.replies import Repertoire, Replies, check_placeholders
from slant.models.mock.rule import Expression, NonNegative, Rule, searched_text
from slant.records import Answer, request_to_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Item


class Each(BaseModel):
    """What to write for every place of the prompt that fits an expression."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    pattern: Expression
    answers: Replies

    @cached_property
    def repertoire(self) -> Repertoire:
        """The replies, ready for drawing."""
        return Repertoire(self.answers)


class GenerateRule(Rule):
    """Draws one reply; or, with `each`, one for every place of the prompt that fits.

    With `slot_noise` the odds of the first reply against the second vary with what is asked; with
    `distinct` the very same question never has more different replies than this.
    """

    answers: Replies | None = None
    slot_noise: dict[str, NonNegative] = Field(default_factory=dict)
    distinct: int | None = Field(default=None, ge=1)
    each: list[Each] = Field(default_factory=list)
    before: str = ""
    between: str = ""
    after: str = ""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.answers is None) == (not self.each):
            raise ValueError("a rule needs either answers or each")
        if not self.each and (self.before or self.between or self.after):
            raise ValueError("before, between and after go with each")
        if self.each and (self.slot_noise or self.distinct):
            raise ValueError("slot_noise and distinct go with answers")
        if self.slot_noise and len(self.answers or ()) < 2:
            raise ValueError("slot_noise shifts the odds of the first answer against the second")
        known = {"group", *(self.prompt.names if self.prompt else ())}
        check_placeholders(self.answers or (), known)
        for each in self.each:
            check_placeholders(each.answers, known | set(each.pattern.names))
        return self

    @cached_property
    def _repertoire(self) -> Repertoire:
        return Repertoire(self.answers or ())

    def answer(self, item: Item, found: Mapping[str, str], seed: int) -> Answer:
        """Write a text that depends on the item's id and the seed alone."""
        draws = Draws(seed, item.id)
        values = {"group": item.group, **found}
        if not self.each:
            if self.distinct:
                kept = str(int(draws.uniform() * self.distinct))
                draws = Draws(seed, "kept", kept, item.study, request_to_json(item.request))
            shift = slot_noise(self.slot_noise, item, seed, 1)[0]
            return self._repertoire.draw(draws, values, shift)
        written = []
        for place, each in self._places(searched_text(item.request)):
            reply = each.repertoire.draw(draws, {**values, **place})
            if reply.outcome != "answered":
                return reply
            written.append(reply.text or "")
        text = self.before + self.between.join(written) + self.after
        return Answer("answered", text, finish_reason="stop")

    def _places(self, text: str) -> list[tuple[Mapping[str, str], Each]]:
        """Find what fits, from left to right; of what overlaps the first, then the earlier rule."""
        all_found = sorted(
            (
                (start, order, end, groups)
                for order, each in enumerate(self.each)
                for start, end, groups in each.pattern.apart(text)
            ),
            key=lambda found: found[:2],
        )
        places: list[tuple[Mapping[str, str], Each]] = []
        end = 0
        for start, order, stop, groups in all_found:
            if start >= end and stop > start:
                places.append((groups, self.each[order]))
                end = stop
        return places
