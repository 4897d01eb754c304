r"""Log-probabilities of target texts given source texts under an encoder–decoder model.

A target is scored as the model's own loss in transformers does it: its tokens with the special
tokens that the tokenizer adds to a target (for T5 the end </s>, for BART <s> and </s>), each
given the source and the target's tokens before it, from the model's start token on:
:math:`\log P(y_i \mid y_{<i}, x)`.

A source that many targets share is encoded once. Sources of one length are encoded together and
targets of one length are decoded together, so nothing is padded.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from slant.likelihoods.bounds import bounds_for
from slant.likelihoods.causal import log_total

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from slant.likelihoods.bounds import Bounds

_TOLERANCE = 1e-4
_SAMPLES = (("My name is Mary,", "I am kind."), ("John", "was tall."))


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """A source and a target as an encoder–decoder model takes them.

    Attributes
    ----------
    source, target
        Token ids, with the special tokens that the tokenizer adds on either side.
    says_something
        Whether the target has any token that is not special.
    """

    source: tuple[int, ...]
    target: tuple[int, ...]
    says_something: bool = True


def encode_pairs(tokenizer: Any, pairs: Sequence[tuple[str, str]]) -> list[Pair]:
    """Tokenise sources and targets for `score_encoded`, each by itself.

    Parameters
    ----------
    tokenizer
        A tokenizer of transformers.
    pairs
        Source and target.
    """
    if not pairs:
        return []
    sources, targets = zip(*pairs, strict=True)
    encoded = tokenizer(list(sources), truncation=False, verbose=False)["input_ids"]
    labels = tokenizer(
        text_target=list(targets),
        truncation=False,
        return_special_tokens_mask=True,
        verbose=False,
    )
    return [
        Pair(tuple(source), tuple(target), 0 in special)
        for source, target, special in zip(
            encoded, labels["input_ids"], labels["special_tokens_mask"], strict=True
        )
    ]


def score_encoded(
    model: Any, pairs: Sequence[Pair], *, max_positions: int | None = None
) -> list[NDArray[np.float64]]:
    r"""Score pairs that `encode_pairs` made.

    Parameters
    ----------
    model
        An encoder–decoder language model of transformers.
    pairs
        At least one token on either side.
    max_positions
        Tokens in one forward, at most; what suits the model's device when not given.

    Returns
    -------
    list of numpy.ndarray
        For each pair, in their order, :math:`\log P(y_i \mid y_{<i}, x)`, natural, of the target's
        tokens and the special ones that the tokenizer adds to it, as the model's own loss scores
        them.
    """
    bounds = bounds_for(model, max_positions)
    found: dict[Pair, NDArray[np.float64]] = {}
    for targets in _by_source(pairs, bounds):
        found.update(_score_targets(model, targets, bounds))
    return [found[pair] for pair in pairs]


def _by_source(
    pairs: Sequence[Pair], bounds: Bounds
) -> Iterator[dict[tuple[int, ...], list[Pair]]]:
    """Collect the distinct pairs of each source; yield sources of one length, as many as fit."""
    distinct = sorted(set(pairs), key=lambda pair: (len(pair.source), pair))
    for length, same_length in groupby(distinct, key=lambda pair: len(pair.source)):
        most = bounds.rows(length, 1)
        part: dict[tuple[int, ...], list[Pair]] = {}
        for source, targets in groupby(same_length, key=lambda pair: pair.source):
            part[source] = list(targets)
            if len(part) == most:
                yield part
                part = {}
        if part:
            yield part


@torch.inference_mode()
def _score_targets(
    model: Any, targets: dict[tuple[int, ...], list[Pair]], bounds: Bounds
) -> Iterator[tuple[Pair, NDArray[np.float64]]]:
    """Encode sources of one length, then score all their targets, length by length."""
    place = {source: index for index, source in enumerate(targets)}
    sources = torch.tensor(list(targets), device=model.device)
    states = model.get_encoder()(input_ids=sources).last_hidden_state
    vocabulary = model.get_input_embeddings().num_embeddings
    pairs = sorted(
        (pair for same_source in targets.values() for pair in same_source),
        key=lambda pair: len(pair.target),
    )
    for length, group in groupby(pairs, key=lambda pair: len(pair.target)):
        same_length = list(group)
        step = bounds.rows(sources.shape[1] + length, length * vocabulary)
        for start in range(0, len(same_length), step):
            part = same_length[start : start + step]
            rows = torch.tensor([place[pair.source] for pair in part], device=model.device)
            yield from zip(part, _decode(model, states[rows], part), strict=True)


def _decode(model: Any, states: torch.Tensor, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    """Score targets of one length given the encoder's states of their sources."""
    from transformers.modeling_outputs import BaseModelOutput

    labels = torch.tensor([pair.target for pair in pairs], device=model.device)
    logits = model(
        encoder_outputs=BaseModelOutput(last_hidden_state=states),
        decoder_input_ids=_shifted(model, labels),
        use_cache=False,
    ).logits.float()
    chosen = logits.gather(-1, labels[..., None])[..., 0].double()
    total = log_total(logits.flatten(0, 1)).view_as(chosen)
    values: NDArray[np.float64] = (chosen - total).cpu().numpy()
    return values


def _shifted(model: Any, labels: torch.Tensor) -> torch.Tensor:
    """Give what the decoder sees: the start token, and the labels but the last."""
    if hasattr(model, "prepare_decoder_input_ids_from_labels"):
        shifted: torch.Tensor = model.prepare_decoder_input_ids_from_labels(labels=labels)
        return shifted
    start = labels.new_full((len(labels), 1), model.config.decoder_start_token_id)
    return torch.cat([start, labels[:, :-1]], dim=1)


def agrees_with_its_loss(
    model: Any, tokenizer: Any, samples: Sequence[tuple[str, str]] = _SAMPLES
) -> bool:
    """Check on a few pairs that the mean over a target's tokens is the model's own loss.

    Parameters
    ----------
    model
        An encoder–decoder language model of transformers.
    tokenizer
        Its tokenizer.
    samples
        Source and target.

    Returns
    -------
    bool
        Whether they deviate by at most 1e-4 (relative; in a coarser number type, by what it
        rounds).
    """
    pairs = encode_pairs(tokenizer, samples)
    ours = [-values.mean() for values in score_encoded(model, pairs)]
    with torch.inference_mode():
        own = [
            model(
                input_ids=torch.tensor([pair.source], device=model.device),
                labels=torch.tensor([pair.target], device=model.device),
            ).loss.item()
            for pair in pairs
        ]
    tolerance = max(_TOLERANCE, 4 * torch.finfo(model.dtype).eps)
    return bool(np.allclose(ours, own, rtol=tolerance, atol=0, equal_nan=True))
