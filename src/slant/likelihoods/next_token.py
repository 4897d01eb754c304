"""The most probable next token: what a model would say first at temperature 0."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from slant.likelihoods.causal import log_total, of_one_length

if TYPE_CHECKING:
    from collections.abc import Sequence

_POSITIONS = 1024
"""Tokens that go through the model together."""


@torch.inference_mode()
def next_tokens(model: Any, prompts: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    """Find the most probable token after each prompt.

    Parameters
    ----------
    model
        A transformers causal language model.
    prompts
        Token ids, at least one each.

    Returns
    -------
    list of tuple of int and float
        For each prompt the token's id, and its natural log-probability among all tokens.
    """
    found: dict[int, tuple[int, float]] = {}
    for batch in of_one_length(prompts, _POSITIONS):
        tokens = torch.tensor([list(prompts[index]) for index in batch], device=model.device)
        output = model(input_ids=tokens, use_cache=False, logits_to_keep=1)
        logits = output.logits[:, -1].float()
        top, token = logits.max(-1)
        logprob = top.double() - log_total(logits)
        found.update(zip(batch, zip(token.tolist(), logprob.tolist(), strict=True), strict=True))
    return [found[index] for index in range(len(prompts))]
