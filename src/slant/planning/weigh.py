"""How many tokens questions have, and their answers at most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from slant.engine.budget import Budget
from slant.models.deployment.deployed import Deployed
from slant.records import Choose, Generate, Likelihood

if TYPE_CHECKING:
    from collections.abc import Sequence

    from slant.models.model import Model
    from slant.planning.walk import Walked
    from slant.records import Item

_TURN = 4
"""Tokens that stand around each turn of a chat."""

_CHARACTERS_PER_TOKEN = 4
"""Of English, in most tokenizers."""


@dataclass(frozen=True)
class Weight:
    """Tokens of a study.

    Attributes
    ----------
    prompt
        Of all questions, about.
    completion
        Of all answers, at most.
    counted
        Whether the model's own tokenizer counted the prompts; else by characters.
    """

    prompt: int
    completion: int
    counted: bool


def weigh(walked: Walked, model: Model) -> Weight:
    """Weigh the questions of a study by samples of each round.

    Parameters
    ----------
    walked
        The questions.
    model
        Who would be asked: its tokenizer counts, where it has one here.
    """
    prompt, completion, counted = 0.0, 0.0, True
    budget = Budget((0.0, 1e6), None, thought_tokens=model.thought_tokens)
    for each in walked.rounds:
        if not each.sample:
            continue
        scale = each.size / len(each.sample)
        texts = [_text(item, model) for item in each.sample]
        tokens = model.count_tokens(texts)
        if tokens is None:
            counted = False
            tokens = [len(text) // _CHARACTERS_PER_TOKEN + 1 for text in texts]
        prompt += scale * sum(tokens) + scale * _turns(each.sample)
        # At a price of one dollar a completion token, its worst case costs as many dollars.
        completion += scale * (budget.reserve(each.sample) or 0.0)
    return Weight(round(prompt), round(completion), counted)


def _turns(items: Sequence[Item]) -> int:
    prompts = [item.request.prompt for item in items if isinstance(item.request, Generate | Choose)]
    return sum(_TURN * len(prompt) for prompt in prompts if not isinstance(prompt, str))


def _text(item: Item, model: Model) -> str:
    """Give all that the model reads, with what a deployment puts around the question."""
    request = item.request
    if isinstance(request, Likelihood):
        return (request.source or "") + request.text
    prompt = request.prompt
    if isinstance(model, Deployed):
        prompt = model.deployment.around(prompt)
    return prompt if isinstance(prompt, str) else "\n".join(turn.content for turn in prompt)
