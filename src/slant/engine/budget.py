"""What a run may cost, and what it has cost so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.records import Choose, Generate, Likelihood

if TYPE_CHECKING:
    from collections.abc import Iterable

    from slant.records import Answer, Item, Request

_CHARACTERS_PER_TOKEN = 3
"""English runs at about four characters a token; three keeps the estimate on the safe side."""


_CHOICE = 48
"""Tokens that an option's name, behind a preamble, takes at most."""


class Budget:
    """Keeps count of US dollars, so that a run stops before it spends more than allowed.

    Parameters
    ----------
    price
        Dollars per million prompt tokens and per million completion tokens.
    limit
        The most that may be spent; `None` for no limit.
    spent
        What an earlier part of the same run has spent.
    thought_tokens
        How many tokens a thought may take, beside those of the answer.
    """

    def __init__(
        self,
        price: tuple[float, float],
        limit: float | None,
        spent: float = 0.0,
        *,
        thought_tokens: int = 0,
    ):
        self._price, self._limit, self._thought = price, limit, thought_tokens
        self.spent, self._reserved = spent, 0.0

    def cost(self, prompt_tokens: float, completion_tokens: float) -> float:
        """Price a number of tokens, in US dollars."""
        return (prompt_tokens * self._price[0] + completion_tokens * self._price[1]) / 1e6

    def reserve(self, items: Iterable[Item]) -> float | None:
        """Set aside what answering items may cost at most; `None` if that breaks the limit."""
        worst = sum(self.cost(*self._worst_case(item.request)) for item in items)
        if self._limit is not None and self.spent + self._reserved + worst > self._limit:
            return None
        self._reserved += worst
        return worst

    def settle(self, reserved: float, answers: Iterable[tuple[Item, Answer]]) -> None:
        """Replace what was set aside by what the answers did cost."""
        self._reserved -= reserved
        for item, answer in answers:
            if answer.outcome == "error" and answer.prompt_tokens is None:
                continue
            prompt, completion = self._worst_case(item.request)
            self.spent += self.cost(
                prompt if answer.prompt_tokens is None else answer.prompt_tokens,
                completion if answer.completion_tokens is None else answer.completion_tokens,
            )

    def _worst_case(self, request: Request) -> tuple[int, int]:
        prompt, completion = _without_thought(request)
        return prompt, completion + (0 if isinstance(request, Likelihood) else self._thought)


def _without_thought(request: Request) -> tuple[int, int]:
    if isinstance(request, Likelihood):
        return len(request.text + (request.source or "")) // _CHARACTERS_PER_TOKEN + 1, 1
    prompt = request.prompt
    characters = (
        len(prompt) if isinstance(prompt, str) else sum(len(turn.content) + 12 for turn in prompt)
    )
    tokens = characters // _CHARACTERS_PER_TOKEN + 1
    if isinstance(request, Generate):
        return tokens, request.sampling.max_tokens
    assert isinstance(request, Choose)  # noqa: S101 - the only kind left; for the type checker
    return tokens, _CHOICE
