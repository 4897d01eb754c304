"""What all rules share: which questions they are for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, InstanceOf

from slant.linear_pattern import LinearPattern, PatternError
from slant.records import Likelihood

if TYPE_CHECKING:
    from collections.abc import Mapping

    from slant.records import Answer, Item, Request


def _compile(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return LinearPattern(value)
    except PatternError as error:
        raise ValueError(
            f"{value!r:.200} cannot be used as a regular expression: {error}"
        ) from error


Expression: TypeAlias = Annotated[InstanceOf[LinearPattern], BeforeValidator(_compile)]
"""A regular expression, as `slant.linear_pattern` takes it."""

Names: TypeAlias = str | list[str]
"""One name, or several of which any will do."""

NonNegative: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Rule(BaseModel, ABC):
    """A rule answers the questions that all its matchers fit; one without matchers, all."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    study: Names | None = None
    axis: Names | None = None
    group: Names | None = None
    condition: Names | None = None
    wording: Names | None = None
    prompt: Expression | None = None

    def is_for(self, item: Item) -> bool:
        """Say whether an item's study, axis, group, condition and wording of the group fit."""
        return (
            _fits(self.study, item.study)
            and _fits(self.axis, item.axis)
            and _fits(self.group, item.group)
            and _fits(self.condition, item.condition)
            and _fits(self.wording, item.slots.get("wording", ""))
        )

    def found_in(self, text: str) -> Mapping[str, str] | None:
        """Search the question's text: give the named parts found, or `None` if it does not fit."""
        if self.prompt is None:
            return {}
        return self.prompt.search(text)

    @abstractmethod
    def answer(self, item: Item, found: Mapping[str, str], seed: int) -> Answer:
        """Answer an item; `found` is what `found_in` gave."""


def _fits(wanted: Names | None, name: str) -> bool:
    return wanted is None or (name == wanted if isinstance(wanted, str) else name in wanted)


def searched_text(request: Request) -> str:
    """Give the text that rules search: prompt, last words of the user, or text to be scored."""
    if isinstance(request, Likelihood):
        return request.text
    if isinstance(request.prompt, str):
        return request.prompt
    spoken = [turn.content for turn in request.prompt if turn.role == "user"]
    return spoken[-1] if spoken else ""
