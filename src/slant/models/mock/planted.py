"""What a file of rules holds."""

from collections.abc import Sequence
from functools import cached_property
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from slant.models.mock.choose import ChooseRule
from slant.models.mock.generate import GenerateRule
from slant.models.mock.likelihood import LikelihoodRule
from slant.models.mock.rule import Rule
from slant.records import Ability, Choose, Generate, Request


class Planted(BaseModel):
    """A file of rules, checked."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: str = ""
    abilities: list[Ability] | None = Field(default=None, min_length=1)
    batch_size: int = Field(default=1000, ge=1)
    delay_ms: float = Field(default=0.0, ge=0, allow_inf_nan=False)
    generate: list[GenerateRule] = Field(default_factory=list)
    choose: list[ChooseRule] = Field(default_factory=list)
    likelihood: list[LikelihoodRule] = Field(default_factory=list)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not (self.generate or self.choose or self.likelihood):
            raise ValueError(
                "there are no rules: write at least one [[generate]], [[choose]] or [[likelihood]]"
            )
        return self

    def rules_for(self, request: Request) -> Sequence[Rule]:
        """Give the rules for a kind of question."""
        if isinstance(request, Generate):
            return self.generate
        return self.choose if isinstance(request, Choose) else self.likelihood

    @cached_property
    def can(self) -> frozenset[Ability]:
        """What it is said to be able to do, or else what there are rules for."""
        if self.abilities is not None:
            return frozenset(self.abilities)
        by_kind: list[tuple[Sequence[Rule], set[Ability]]] = [
            (self.generate, {"raw", "chat"}),
            (self.choose, {"choose"}),
            (self.likelihood, {"likelihood"}),
        ]
        return frozenset(ability for rules, has in by_kind if rules for ability in has)
