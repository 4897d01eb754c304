"""Answers to questions of likelihood."""

from __future__ import annotations

from typing import TYPE_CHECKING

from slant.records import Answer

if TYPE_CHECKING:
    from collections.abc import Iterable


def likelihood_answer(logprobs: Iterable[float], *, tokens: int, limit: float) -> Answer:
    """Make an answer from the log-probabilities of a text's tokens.

    Parameters
    ----------
    logprobs
        Natural logarithms, one a scored token; none where there was nothing to score.
    tokens
        How many tokens were run, or would have been.
    limit
        How many tokens the model can hold.
    """
    if tokens > limit:
        reason = f"its {tokens} tokens are more than the {limit} that the model can hold"
        return Answer("error", reason=reason)
    values = tuple(map(float, logprobs))
    if not values:
        reason = (
            "there is no token to score: a text of one token, before which nothing stands, has no "
            "perplexity"
        )
        return Answer("unparseable", reason=reason, prompt_tokens=tokens)
    return Answer("answered", logprobs=values, prompt_tokens=tokens, completion_tokens=0)
