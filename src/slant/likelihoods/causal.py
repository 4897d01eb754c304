"""Exact log-probabilities of many short token sequences under a causal language model.

The sequences' prefix tree is run pack by pack with a mask that lets every token see its own
prefix only, and the output head is run once a node. No key-value cache is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from slant.likelihoods.packs import cut_packs, visible
from slant.likelihoods.tree import build_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from slant.likelihoods.packs import Packs
    from slant.likelihoods.tree import PrefixTree


@dataclass(frozen=True)
class Shape:
    """How much is run at once.

    Attributes
    ----------
    width
        Positions of a pack. Wider packs repeat fewer ancestors but cost more attention.
    packs
        Packs that go through the model together.
    head
        Nodes that go through the output head together.
    """

    width: int = 128
    packs: int = 4
    head: int = 128


ON_CPU = Shape()
ON_ACCELERATOR = Shape(width=256, packs=64, head=2048)


def score_tree(
    model: Any,
    sequences: Sequence[Sequence[int]],
    first: Sequence[int] | None = None,
    shape: Shape | None = None,
) -> list[NDArray[np.float64]]:
    r"""Score sequences by their prefix tree.

    Parameters
    ----------
    model
        A transformers causal language model that honours an attention mask of four dimensions;
        `guard.fits_tree` tells.
    sequences
        Token ids, at least two each.
    first
        For each sequence, the first token to be scored, from 1; the output head is run only where
        it is needed. All of them from 1 when not given.
    shape
        How much is run at once; what suits the model's device when not given.

    Returns
    -------
    list of numpy.ndarray
        For each sequence :math:`\log P(x_i \mid x_{<i})`, natural, for every token from `first`.
    """
    if not sequences:
        return []
    if shape is None:
        shape = ON_CPU if model.device.type == "cpu" else ON_ACCELERATOR
    tree = build_tree(sequences)
    start = np.ones(len(sequences), np.intp) if first is None else np.asarray(first)
    places = np.arange(tree.path.shape[1])
    scored = np.zeros(tree.nodes, dtype=bool)
    scored[tree.path[(tree.path >= 0) & (places >= start[:, None] - 1)]] = True
    edges = _edges(model, tree, cut_packs(tree, shape.width), scored, shape)
    inner = np.where(tree.path > 0, tree.inner_edge[tree.path], 0)
    tokens = edges[inner]
    return [
        np.append(row[begin : length - 1], edges[final])
        for row, begin, length, final in zip(
            tokens, start, tree.length, tree.final_edge, strict=True
        )
    ]


@torch.inference_mode()
def _edges(
    model: Any, tree: PrefixTree, packs: Packs, scored: NDArray[np.bool_], shape: Shape
) -> NDArray[np.float64]:
    """Give the log-probability of every edge out of `scored` nodes: of a token after the node."""
    found = np.full(len(tree.edge_token), np.nan)
    for start in range(0, len(packs.nodes), shape.packs):
        part = slice(start, start + shape.packs)
        hidden = _hidden(model, tree, packs.nodes[part])
        own = packs.nodes[part] >= 0
        own &= np.arange(own.shape[1]) >= packs.first[part, None]
        own &= scored[packs.nodes[part]]
        fresh = hidden[torch.from_numpy(own).to(hidden.device)]
        nodes = packs.nodes[part][own]
        for first in range(0, len(fresh), shape.head):
            rows = slice(first, first + shape.head)
            starts, ends = tree.edge_start[nodes[rows]], tree.edge_start[nodes[rows] + 1]
            row = np.repeat(np.arange(len(starts)), ends - starts)
            # The edges out of node i are those from starts[i] on, numbered one after another.
            edges = np.arange(len(row)) + (starts - np.r_[0, np.cumsum(ends - starts)[:-1]])[row]
            found[edges] = _followed(model, fresh[rows], row, tree.edge_token[edges])
    return found


def _hidden(model: Any, tree: PrefixTree, nodes: NDArray[np.int32]) -> torch.Tensor:
    """Run packs through the model without its head."""
    device = model.device
    inside = nodes >= 0
    tokens = torch.from_numpy(np.where(inside, tree.token[nodes], 0)).to(device)
    places = torch.from_numpy(np.where(inside, tree.depth[nodes], 0)).to(device)
    seen = torch.from_numpy(visible(tree, nodes)).to(device)
    mask = torch.zeros(seen.shape, dtype=model.dtype, device=device)
    mask.masked_fill_(~seen, torch.finfo(model.dtype).min)
    output = model.base_model(
        input_ids=tokens.long(),
        attention_mask=mask[:, None],
        position_ids=places.long(),
        use_cache=False,
    )
    hidden: torch.Tensor = output.last_hidden_state
    return hidden


def _followed(
    model: Any, hidden: torch.Tensor, row: NDArray[np.intp], token: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Give the log-probability of tokens after hidden states: `row` tells which."""
    logits = logits_of(model, hidden)
    index = torch.from_numpy(row).to(logits.device)
    chosen = logits[index, torch.from_numpy(token).to(logits.device).long()].double()
    return (chosen - log_total(logits)[index]).cpu().numpy()


def logits_of(model: Any, hidden: torch.Tensor) -> torch.Tensor:
    """Run the output head, with the soft cap that some models (Gemma 2) put on its logits."""
    logits: torch.Tensor = model.get_output_embeddings()(hidden).float()
    cap = getattr(model.config.get_text_config(), "final_logit_softcapping", None)
    return logits if cap is None else torch.tanh(logits / cap) * cap


def log_total(logits: torch.Tensor) -> torch.Tensor:
    """Give the log of the sum of exponentials of each row, in float64; spoils the logits."""
    top = logits.amax(-1, keepdim=True)
    total = logits.sub_(top).exp_().sum(-1)
    return total.double().log_() + top[:, 0].double()


def score_batches(
    model: Any, sequences: Sequence[Sequence[int]], positions: int = 1024
) -> list[NDArray[np.float64]]:
    """Score sequences in batches of one length, for models that a tree does not fit.

    Nothing is padded and no mask is needed, so this is right for any causal model.

    Parameters
    ----------
    model
        A transformers causal language model.
    sequences
        Token ids, at least two each.
    positions
        Tokens in a batch, at most; a longer sequence is a batch of its own.

    Returns
    -------
    list of numpy.ndarray
        As `score_tree`.
    """
    found: dict[int, NDArray[np.float64]] = {}
    for batch in of_one_length(sequences, positions):
        scored = score_plainly(model, [sequences[index] for index in batch])
        found.update(zip(batch, scored, strict=True))
    return [found[index] for index in range(len(sequences))]


def of_one_length(sequences: Sequence[Sequence[int]], positions: int) -> Iterator[list[int]]:
    """Part sequences into batches of one length with at most so many positions, as places."""
    order = sorted(range(len(sequences)), key=lambda index: len(sequences[index]))
    batch: list[int] = []
    for index in order:
        length = len(sequences[index])
        if batch and (length != len(sequences[batch[0]]) or (len(batch) + 1) * length > positions):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


@torch.inference_mode()
def score_plainly(model: Any, sequences: Sequence[Sequence[int]]) -> list[NDArray[np.float64]]:
    """Score sequences of one length by the model's own forward, all at once."""
    tokens = torch.tensor(sequences, device=model.device)
    logits = model(input_ids=tokens, use_cache=False).logits[:, :-1].float()
    chosen = logits.gather(-1, tokens[:, 1:, None])[..., 0].double()
    total = log_total(logits.flatten(0, 1)).view_as(chosen)
    return list((chosen - total).cpu().numpy())
